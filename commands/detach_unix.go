//go:build unix

package commands

import (
	"os/exec"
	"syscall"
)

// detach puts the process into a session of its own: no terminal, no signals of ours.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
