#!/bin/sh
# Runs the engine of the Debian root that install-godot.sh made, which copies this
# file to bin/godot beside it; called as xvfb-godot it gives the engine a virtual
# display as well, called as Xvfb it runs the root's X server alone.
#
# Everything inside is the machine's own at its own place, only /usr and /etc are
# the root's: paths, process ids, temporary files and the network mean the same on
# both sides, and an editor outlives the shell that started it.
self=$(readlink -f "$0")
root=${self%/bin/*}/godot-root

case ${0##*/} in
xvfb-*) set -- xvfb-run -a -s "-screen 0 1280x800x24" /usr/bin/godot "$@" ;;
Xvfb) set -- --die-with-parent /usr/bin/Xvfb "$@" ;;
*) set -- /usr/bin/godot "$@" ;;
esac

# What the machine knows of its own names and users. install-godot.sh sees to it
# that the root has a file to lay each of them over.
for file in hosts passwd group resolv.conf machine-id; do
	if [ -e "/etc/$file" ] && [ -e "$root/etc/$file" ]; then
		set -- --ro-bind "/etc/$file" "/etc/$file" "$@"
	fi
done

# Links into /usr on today's systems, folders of their own on older ones.
for dir in bin sbin lib lib32 lib64 libx32; do
	if [ -d "/$dir" ] && [ ! -L "/$dir" ] && [ -d "$root/usr/$dir" ]; then
		set -- --ro-bind "$root/usr/$dir" "/$dir" "$@"
	fi
done

# Projects may lie in the source folders below /usr, and libraries that the
# environment names belong to the machine, not to the root.
exec bwrap --bind / / --dev-bind /dev /dev \
	--ro-bind "$root/usr" /usr --ro-bind "$root/etc" /etc \
	--bind-try /usr/src /usr/src --bind-try /usr/local/src /usr/local/src \
	--unsetenv LD_LIBRARY_PATH --unsetenv LD_PRELOAD "$@"
