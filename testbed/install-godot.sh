#!/usr/bin/env bash
# Finds a Godot editor for the tests, or installs one, and prints its path.
#
# Standard output carries the path and nothing else; all talk goes to standard
# error. Looked for in this order: GODOT_BIN, godot or godot4 on PATH, the one in
# the cache folder, then (on Debian) a new install into the cache folder.
#
#   GODOT_BIN             use exactly this binary, or fail
#   GODOT_MCP_TEST_CACHE  the cache folder, instead of ~/.cache/godot-mcp
set -euo pipefail
umask 022
exec 3>&1 1>&2

readonly suite=forky
readonly packages=(
	godot xvfb xauth
	libgl1-mesa-dri libegl1 libgl1 libgles2 mesa-vulkan-drivers libvulkan1
	fontconfig fonts-dejavu-core ca-certificates
)
# What the wrapper is called by besides godot.
readonly names=(xvfb-godot Xvfb)
readonly download_page=https://godotengine.org/download
readonly wanted=">= 4.5 and < 5"

cache=${GODOT_MCP_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/godot-mcp}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac
readonly cache root=$cache/godot-root godot=$cache/bin/godot log=$cache/install.log
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# An ordinary user's PATH on Debian lacks the folders of administrators' programs.
PATH=$PATH:/usr/sbin:/sbin

say() { printf 'install-godot: %s\n' "$*"; }

die() {
	say "$*"
	exit 1
}

# version_of BIN prints what the engine calls itself, or nothing.
version_of() { "$1" --version 2>/dev/null </dev/null | tail -n 1 || true; }

# accepted VERSION: at least 4.5 and below 5.
accepted() { [[ $1 =~ ^4\.([0-9]+)($|[^0-9]) ]] && ((10#${BASH_REMATCH[1]} >= 5)); }

# found BIN VERSION ends the search.
found() {
	say "Godot $2: $1"
	printf '%s\n' "$1" >&3
	exit 0
}

as_root() {
	if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# logged runs one step quietly and shows the end of the log only if it fails.
logged() {
	printf '\n+ %s\n' "$*" >>"$log"
	"$@" </dev/null >>"$log" 2>&1 || {
		tail -n 25 "$log"
		die "failed: $* (the whole log is $log)"
	}
}

# install_here PACKAGE... installs packages on this machine itself.
install_here() {
	say "installing on this machine with apt-get: $*"
	logged as_root apt-get update
	logged as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
		install -y --no-install-recommends "$@"
}

# missing_packages prints those of our packages that the root does not have.
missing_packages() {
	awk -v want="${packages[*]}" '
		/^Package: / { name = $2 }
		/^Status: install ok installed$/ { have[name] = 1 }
		END {
			n = split(want, names, " ")
			for (i = 1; i <= n; i++) if (!(names[i] in have)) print names[i]
		}' "$1/var/lib/dpkg/status"
}

# missing_mount_points prints the files that godot-in-root.sh lays the machine's
# own over and that the root does not have.
missing_mount_points() {
	local name
	for name in hosts passwd group resolv.conf machine-id; do
		[[ -e $1/etc/$name ]] || printf '%s\n' "$1/etc/$name"
	done
}

# missing_names prints the further names of the wrapper that are not there.
missing_names() {
	local name
	for name in "${names[@]}"; do
		[[ -L $cache/bin/$name ]] || printf '%s\n' "$name"
	done
}

# write_wrapper puts the programs in place that run the root's engine; whoever
# starts one meanwhile gets the old text or the new one, never half of it.
write_wrapper() {
	mkdir -p "$cache/bin"
	if ! cmp -s "$here/godot-in-root.sh" "$godot"; then
		cp "$here/godot-in-root.sh" "$godot.new"
		chmod 755 "$godot.new"
		mv "$godot.new" "$godot"
	fi
	local name
	for name in "${names[@]}"; do
		[[ -L $cache/bin/$name ]] || ln -sfn godot "$cache/bin/$name"
	done
}

# whole: the install is finished and nothing of it is missing or out of date. The
# version file is written last, so an interrupted install has none.
whole() {
	[[ -f $cache/godot-version && -x $root/usr/bin/godot ]] &&
		[[ -z $(missing_packages "$root") && -z $(missing_mount_points "$root") ]] &&
		[[ -z $(missing_names) ]] && cmp -s "$here/godot-in-root.sh" "$godot"
}

# ensure_display sees to an X server for the tests that draw, where the engine is the
# machine's own.
ensure_display() {
	if command -v Xvfb >/dev/null || [[ -L $cache/bin/Xvfb ]]; then return 0; fi
	if is_debian; then
		mkdir -p "$cache"
		: >"$log"
		install_here xvfb libgl1-mesa-dri
	else
		say "no Xvfb on PATH: the tests that draw will fail"
	fi
}

# debian_mirror prints the address of the archive that this machine's apt uses.
debian_mirror() {
	# shellcheck disable=SC2016 # apt fills these in, not the shell
	local url list fields='$(CREATED_BY)|$(LABEL)|$(COMPONENT)|$(REPO_URI)'
	url=$(apt-get indextargets --format "$fields" |
		awk -F'|' '$1 == "Packages" && $2 == "Debian" && $3 == "main" && !n++ { print $4 }')
	# Cloud images name a file that lists the mirrors.
	if [[ $url == mirror+file:* ]]; then
		list=${url#mirror+file:}
		url=$(awk '/^https?:/ { print $1; exit }' "${list%/}")
	fi
	printf '%s\n' "$url"
}

# in_root ROOT PROGRAM... runs a program as root inside the root.
# shellcheck disable=SC2329 # called by way of logged
in_root() {
	as_root bwrap --bind "$1" / --dev-bind /dev /dev --proc /proc \
		--ro-bind-try /etc/resolv.conf /etc/resolv.conf --chdir / \
		env DEBIAN_FRONTEND=noninteractive "${proxy[@]}" "${@:2}"
}

# remove_root deletes a root, but never through a file system that an interrupted
# debootstrap left mounted in it.
remove_root() {
	local mount
	while read -r mount; do
		as_root umount -l "$mount"
	done < <(awk -v under="$1/" 'index($2, under) == 1 { print $2 }' /proc/self/mounts)
	as_root rm -rf --one-file-system "$1"
}

# complete_root brings the packages and files that a root lacks into it.
complete_root() {
	local target=$1 missing
	mapfile -t missing < <(missing_packages "$target")
	if ((${#missing[@]})); then
		# The signatures are checked; the dates are not, since the suite's index may
		# be older than it promises to be and this machine's clock may be off.
		local apt=(apt-get -o Acquire::Check-Valid-Until=false -o Acquire::Check-Date=false)
		logged in_root "$target" dpkg --configure -a
		logged in_root "$target" "${apt[@]}" update
		logged in_root "$target" "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
		logged in_root "$target" apt-get clean
		logged in_root "$target" find /var/lib/apt/lists -type f -delete
	fi
	mapfile -t missing < <(missing_mount_points "$target")
	if ((${#missing[@]})); then
		as_root touch "${missing[@]}"
	fi
}

# make_root builds the root beside its final place, so that one at that place is
# always a whole one.
make_root() {
	local new=$root.new mirror
	mirror=$(debian_mirror)
	if [[ -z $mirror ]]; then
		# A machine that never fetched its indexes cannot tell whose they are.
		logged as_root apt-get update
		mirror=$(debian_mirror)
	fi
	[[ -n $mirror ]] || die "apt on this machine has no Debian archive; get Godot from $download_page and set GODOT_BIN."
	remove_root "$new"
	say "1/2 the base system of $suite"
	# An older debootstrap does not know the suite by name: sid's script fits.
	logged as_root env "${proxy[@]}" debootstrap --variant=minbase --include=ca-certificates \
		"$suite" "$new" "$mirror" sid
	say "2/2 Godot and a software renderer"
	complete_root "$new"
	remove_root "$root"
	as_root mv "$new" "$root"
}

install_on_debian() {
	local needed=() proxy=() url why
	mkdir -p "$cache"
	exec 9>"$cache/install.lock"
	flock -n 9 || {
		say "waiting for another install into $cache"
		flock 9
		! whole || return 0
	}
	: >"$log"
	if [[ ! -x $root/usr/bin/godot ]]; then
		[[ $cache != *[[:space:]]* ]] ||
			die "debootstrap cannot work in a folder with a space in its name ($cache): set GODOT_MCP_TEST_CACHE to another"
		say "no Godot $wanted on this machine: installing the one of Debian $suite into"
		say "$root (a Debian root of its own, 0.8 GB on disk, 240 MB to fetch, about a minute)"
		command -v debootstrap >/dev/null || needed+=(debootstrap)
	fi
	command -v bwrap >/dev/null || needed+=(bubblewrap)
	((${#needed[@]} == 0)) || install_here "${needed[@]}"
	why=$(bwrap --bind / / --dev-bind /dev /dev true 2>&1) ||
		die "bubblewrap may not make a mount namespace here (${why##*$'\n'}); in a container allow that, or set GODOT_BIN."
	url=$(apt-config dump --format '%v' Acquire::http::Proxy)
	[[ -z $url ]] || proxy=("http_proxy=$url")

	if [[ -x $root/usr/bin/godot ]]; then
		say "bringing $root up to date"
		complete_root "$root"
	else
		make_root
	fi
	write_wrapper
}

is_debian() {
	# shellcheck source=/dev/null
	[[ $(. /etc/os-release 2>/dev/null && printf %s "${ID:-}") == debian ]] &&
		command -v apt-get >/dev/null && { ((EUID == 0)) || command -v sudo >/dev/null; }
}

main() {
	local bin name version
	if [[ -n ${GODOT_BIN:-} ]]; then
		bin=$(type -P "$GODOT_BIN") || die "GODOT_BIN=$GODOT_BIN is no program"
		case $bin in /*) ;; *) bin=$PWD/$bin ;; esac
		version=$(version_of "$bin")
		accepted "$version" || die "GODOT_BIN=$GODOT_BIN is not a Godot $wanted (its version: ${version:-none})"
		ensure_display
		found "$bin" "$version"
	fi
	for name in godot godot4; do
		bin=$(type -P "$name") || continue
		version=$(version_of "$bin")
		if accepted "$version"; then
			ensure_display
			found "$bin" "$version"
		fi
		say "passing over $bin (version ${version:-none}, not $wanted)"
	done
	if whole; then
		version=$(version_of "$godot")
		! accepted "$version" || found "$godot" "$version"
	fi
	is_debian || die "no Godot $wanted found; get it from $download_page and set GODOT_BIN to it"
	install_on_debian
	version=$(version_of "$godot")
	accepted "$version" || die "Debian $suite now has Godot ${version:-that does not start}, not one $wanted; get one from $download_page and set GODOT_BIN"
	printf '%s\n' "$version" >"$cache/godot-version.new"
	mv "$cache/godot-version.new" "$cache/godot-version"
	found "$godot" "$version"
}

main
