#!/usr/bin/env bash
# Installs the pinned MCP clients of testbed/clients and the Node that they need
# into the cache folder, unless they are there, and prints the folder. npm comes
# from the machine, with the user's own settings.
# Standard output carries that path and nothing else.
set -euo pipefail
exec 3>&1 1>&2

cache=${GODOT_MCP_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/godot-mcp}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac
clients=$cache/mcp-clients
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/clients

say() { printf 'install-clients: %s\n' "$*"; }

# whole: the mark is written last, so an interrupted install has none.
whole() { cmp -s "$source/package-lock.json" "$clients/installed.json"; }

if ! whole; then
	mkdir -p "$cache"
	exec 9>"$cache/mcp-clients.lock"
	# Systems without flock run one install at a time by themselves.
	! command -v flock >/dev/null || flock 9
fi
if ! whole; then
	command -v npm >/dev/null || {
		say "npm is needed to install the MCP clients: install Node.js with npm, any version since 20"
		exit 1
	}
	say "installing the MCP clients into $clients"
	rm -rf "$clients"
	mkdir -p "$clients"
	cp "$source/package.json" "$source/package-lock.json" "$clients/"
	# Not npm ci: some registries lack an optional package, which the lock file
	# then has no version of. What the lock file has is installed as it says.
	npm install --prefix "$clients" --no-save --ignore-scripts --no-audit --no-fund --loglevel=error
	cp "$source/package-lock.json" "$clients/installed.json"
fi
printf '%s\n' "$clients" >&3
