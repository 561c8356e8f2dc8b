// Package xvfb runs a program on a virtual display: an X server that draws into memory, where nobody looks. A
// process of this program stands between, so that the display ends with the program, however that ends.
package xvfb

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
)

// Screen is what the display has, in pixels and bits of colour.
const Screen = "1920x1080x24"

// Reasons why no virtual display can be had.
var (
	ErrMissing = errors.New("a virtual display needs Xvfb, which is not on PATH: install it (package xvfb on Debian and Ubuntu, xorg-x11-server-Xvfb on Fedora, xorg-server-xvfb on Arch)")
	ErrSystem  = errors.New("a virtual display needs Xvfb, which the engine draws on only in Linux and BSD")
)

// workerFlag is the first argument of the process that stands between. It is no command of the binary.
const workerFlag = "__virtual_display"

// ExitNoDisplay is how that process ends when there is no display to run the program on.
const ExitNoDisplay = 70

// Find is the X server.
func Find() (string, error) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return "", ErrSystem
	}
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return "", ErrMissing
	}
	return path, nil
}

// Command runs a command line on a display of this server. What only the display's own programs may read is put
// into folder, which must be private. The main function of this program must call [Worker] first.
func Command(server, folder string, line []string) (*exec.Cmd, error) {
	program := "/proc/self/exe" // stays this program when an update has replaced its file
	if _, err := os.Stat(program); err != nil {
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(program, append([]string{workerFlag, server, folder}, line...)...)
	cmd.Args[0] = os.Args[0]
	return cmd, nil
}

// Worker ends the process after it has done what [Command] is for; in any other process it does nothing.
func Worker() {
	if len(os.Args) > 4 && os.Args[1] == workerFlag {
		os.Exit(supervise(os.Args[2], os.Args[3], os.Args[4:]))
	}
}
