#!/usr/bin/env bash
# Makes a Python environment with pinned packages in the cache folder, unless it
# is there, and prints the folder of its programs:
# install-venv.sh NAME REQUIREMENTS
# Standard output carries that path and nothing else.
set -euo pipefail
exec 3>&1 1>&2

cache=${GODOT_MCP_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/godot-mcp}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac
venv=$cache/$1
wanted=$2

say() { printf 'install-venv: %s\n' "$*"; }

# whole: the copy of the list is written last, so an interrupted install has none.
whole() { cmp -s "$wanted" "$venv/requirements.txt"; }

# as_root runs a step quietly and shows what it said only if it fails.
as_root() {
	local sudo=() said
	((EUID == 0)) || sudo=(sudo)
	said=$("${sudo[@]}" "$@" 2>&1 </dev/null) || {
		say "failed: $*"
		printf '%s\n' "$said"
		return 1
	}
}

# make_venv also serves Debian, where the standard module comes in a package of
# its own.
make_venv() {
	python3 -m venv --clear "$venv" >/dev/null 2>&1 && return
	if command -v apt-get >/dev/null; then
		say "installing on this machine with apt-get: python3-venv"
		as_root apt-get update
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-venv
	fi
	python3 -m venv --clear "$venv"
}

if ! whole; then
	mkdir -p "$cache"
	exec 9>"$venv.lock"
	# Systems without flock run one install at a time by themselves.
	! command -v flock >/dev/null || flock 9
fi
if ! whole; then
	say "installing into $venv what $wanted lists"
	make_venv
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$wanted"
	cp "$wanted" "$venv/requirements.txt"
fi
printf '%s\n' "$venv/bin" >&3
