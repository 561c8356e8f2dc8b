#!/usr/bin/env bash
# Makes sure that the shells are there whose completions the tests try: zsh and
# fish. On Debian they are installed with apt-get, and it is said before.
set -euo pipefail
exec 1>&2

say() { printf 'install-shells: %s\n' "$*"; }

missing=()
for shell in zsh fish; do
	command -v "$shell" >/dev/null || missing+=("$shell")
done
((${#missing[@]})) || exit 0

command -v apt-get >/dev/null || {
	say "install ${missing[*]}: the tests try the completions in them"
	exit 1
}
sudo=()
((EUID == 0)) || sudo=(sudo)
say "installing on this machine with apt-get: ${missing[*]}"
said=$("${sudo[@]}" apt-get update 2>&1 </dev/null &&
	"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" 2>&1 </dev/null) || {
	printf '%s\n' "$said"
	exit 1
}
