package mcp

import (
	"os"

	"golang.org/x/sys/windows"
)

// parent is the process that started this one; 0 when that cannot be watched.
type parent windows.Handle

func ownParent() parent {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(os.Getppid()))
	if err != nil {
		return 0
	}
	return parent(h)
}

func (p parent) alive() bool {
	if p == 0 {
		return true
	}
	state, err := windows.WaitForSingleObject(windows.Handle(p), 0)
	return err != nil || state != windows.WAIT_OBJECT_0
}

func (p parent) release() {
	if p != 0 {
		_ = windows.CloseHandle(windows.Handle(p))
	}
}
