//go:build unix

package bridge

import (
	"errors"
	"syscall"
)

// signalZero asks the system whether a process is there and may be signalled
// by us, which it may when it is ours.
func signalZero(pid int) (process, bool) {
	if pid <= 0 {
		return process{}, false
	}
	err := syscall.Kill(pid, 0)
	if errors.Is(err, syscall.EPERM) {
		return process{}, true
	}
	return process{ours: true}, err == nil
}
