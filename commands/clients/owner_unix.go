//go:build unix

package clients

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of the one that it replaces, as far as this user may.
func keepOwner(file *os.File, was fs.FileInfo) error {
	if was == nil || os.Geteuid() != 0 {
		return nil
	}
	stat, ok := was.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return file.Chown(int(stat.Uid), int(stat.Gid))
}
