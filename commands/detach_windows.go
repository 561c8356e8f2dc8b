package commands

import (
	"os/exec"
	"syscall"
)

// DETACHED_PROCESS and CREATE_NEW_PROCESS_GROUP, from the Windows process creation flags.
const detachedFlags = 0x00000008 | 0x00000200

// detach puts the process into a group of its own: no console, no signals of ours.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detachedFlags}
}
