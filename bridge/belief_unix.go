//go:build unix

package bridge

import (
	"fmt"
	"os"
	"syscall"
)

// openNoFollow does not follow a link and does not wait for the other end of a
// pipe.
func openNoFollow(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
}

// distrustOwner says why a file or folder may have been written or read by
// someone else.
func distrustOwner(path string, info os.FileInfo) string {
	if reason := otherOwner(path, info); reason != "" {
		return reason
	}
	if perm := info.Mode().Perm(); perm&0o077 != 0 {
		return fmt.Sprintf("is open to other users (mode %04o)", perm)
	}
	return ""
}

// otherOwner is "" for what is the user's own.
func otherOwner(_ string, info os.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return "belongs to another user"
	}
	return ""
}
