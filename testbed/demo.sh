#!/usr/bin/env bash
# The main job from nothing: a sample project, the addon, a headless editor, one node added, saved, read.
set -euo pipefail
cd "$(dirname "$0")/.."

GODOT_BIN=$(testbed/install-godot.sh)
export GODOT_BIN
work=$(mktemp -d "${TMPDIR:-/tmp}/godot-mcp-demo.XXXXXX")
bin=$PWD/bin/godot-mcp

stop() {
	"$bin" editor stop --force --confirm --project "$work/game" >/dev/null 2>&1 || true
	rm -rf "$work"
}
trap stop EXIT

run() {
	local word line='godot-mcp'
	for word; do
		case $word in
		*[!A-Za-z0-9_./:=-]*) line+=" '$word'" ;;
		*) line+=" $word" ;;
		esac
	done
	printf '\n$ %s\n' "$line"
	"$bin" "$@"
}

cp -R testbed/projects/platformer2d "$work/game"
cd "$work/game"

run addon install --jq '{setting, files: (.written | length)}'
run editor start --headless
run scene open res://main.tscn --jq .opened
# The engine adds its own ids to a file that an older version wrote; saving once first keeps them out of
# the difference that is shown below.
"$bin" scene save >/dev/null
cp main.tscn "$work/before.tscn"
run node add Sprite2D Hat --parent-path Player --dry-run
run node add Sprite2D Hat --parent-path Player
run node set-property Player/Hat position '{"x": 0, "y": -24}'
run scene save
run scene tree Player --jq '.tree.children[].path'
printf '\nThe lines that changed in main.tscn:\n'
diff --unchanged-line-format= --old-line-format='- %L' --new-line-format='+ %L' "$work/before.tscn" main.tscn || true
run editor stop
