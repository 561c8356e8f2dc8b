//go:build unix

package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// leash holds a process and all that it starts.
type leash struct {
	group int
	held  *os.File
}

// The shell's helper waits for the end of a pipe that this process alone holds open, and ends the group then:
// so nothing outlives us, however we go. The shell itself becomes the engine.
const onLeash = `{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 & exec "$@" 3<&-`

// startOnLeash starts the command in a process group of its own.
func startOnLeash(cmd *exec.Cmd) (*leash, error) {
	// The shell would start all the same and only say so.
	if _, err := exec.LookPath(cmd.Path); err != nil {
		return nil, err
	}
	end, held, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer end.Close()
	cmd.Args = append([]string{"sh", "-c", onLeash, "sh", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	cmd.ExtraFiles = []*os.File{end}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		_ = held.Close()
		return nil, err
	}
	return &leash{cmd.Process.Pid, held}, nil
}

// end ends the process group. The helper keeps its number from being another's by then.
func (l *leash) end() {
	endGroup(l.group)
	_ = l.held.Close()
}

// programOf is the file that a process runs, "" where that is not told or is another file to us.
func programOf(pid int) string {
	link := filepath.Join("/proc", strconv.Itoa(pid), "exe")
	program, err := os.Readlink(link)
	if err != nil {
		return ""
	}
	inside, err := os.Stat(link)
	if err != nil {
		return ""
	}
	if outside, err := os.Stat(program); err != nil || !os.SameFile(inside, outside) {
		return ""
	}
	return program
}
