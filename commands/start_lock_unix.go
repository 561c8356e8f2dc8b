//go:build unix

package commands

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock of the open file without waiting; errLocked when another has it.
func tryLock(file *os.File) error {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return errLocked
	}
	return err
}

// endGroup ends a process that leads a session of its own, with all that is in it.
func endGroup(pid int) {
	_ = unix.Kill(-pid, unix.SIGKILL)
}
