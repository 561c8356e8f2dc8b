//go:build unix

package xvfb

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// startWait is how long the server may take to have a display.
	startWait = 20 * time.Second
	// leaveWait is how long it may take to go by itself, and again after it was told to.
	leaveWait = time.Second
	// authEnd is what the names of files with a display's secret end with; the process stands in front.
	authEnd = ".xauth"
)

// supervise runs a program on a display of its own and ends that with it.
func supervise(server, folder string, line []string) int {
	forgetOld(folder)
	auth := filepath.Join(folder, strconv.Itoa(os.Getpid())+authEnd)
	if err := writeAuth(auth); err != nil {
		return noDisplay(err)
	}
	defer func() { _ = os.Remove(auth) }()
	x, number, err := startServer(server, auth)
	if err != nil {
		return noDisplay(err)
	}
	defer x.end()
	program := exec.Command(line[0], line[1:]...)
	program.Stdin, program.Stdout, program.Stderr = os.Stdin, os.Stdout, os.Stderr
	program.Env = append(withoutDisplay(os.Environ()), "DISPLAY=:"+number, "XAUTHORITY="+auth)
	told := make(chan os.Signal, 4)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if err := program.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// What would end this process is the program's to hear, for which this one waits.
	go func() {
		for one := range told {
			_ = program.Process.Signal(one)
		}
	}()
	return exitOf(program.Wait())
}

func noDisplay(err error) int {
	fmt.Fprintf(os.Stderr, "no virtual display: %v\n", err)
	return ExitNoDisplay
}

// exitOf is a program's exit status as a shell tells it.
func exitOf(err error) int {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}

// withoutDisplay takes the person's own screen out of an environment.
func withoutDisplay(env []string) []string {
	return slices.DeleteFunc(env, func(one string) bool {
		name, _, _ := strings.Cut(one, "=")
		return name == "DISPLAY" || name == "WAYLAND_DISPLAY" || name == "WAYLAND_SOCKET" || name == "XAUTHORITY"
	})
}

// display is an X server that runs.
type display struct {
	process *os.Process
	gone    chan struct{}
}

// startServer starts the server, which takes a free number by itself. It ends when its last program has left,
// so that it outlives neither this process nor the program when one of them is killed.
func startServer(server, auth string) (x display, number string, err error) {
	told, tell, err := os.Pipe()
	if err != nil {
		return x, "", err
	}
	defer told.Close()
	cmd := exec.Command(server, "-displayfd", "3", "-screen", "0", Screen, "-nolisten", "tcp", "-auth", auth, "-terminate")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.ExtraFiles = []*os.File{tell}
	err = cmd.Start()
	_ = tell.Close()
	if err != nil {
		return x, "", err
	}
	x = display{cmd.Process, make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(x.gone)
	}()
	_ = told.SetReadDeadline(time.Now().Add(startWait))
	number, err = bufio.NewReader(told).ReadString('\n')
	number = strings.TrimSpace(number)
	if _, isNumber := strconv.Atoi(number); err != nil || isNumber != nil {
		x.end()
		return x, "", fmt.Errorf("%s named no display: %w", server, errors.Join(err, isNumber))
	}
	return x, number, nil
}

// end sees to it that the server is gone: by itself, as it is told to when its programs have left, or else.
func (x display) end() {
	for _, how := range []os.Signal{nil, syscall.SIGTERM, syscall.SIGKILL} {
		if how != nil {
			_ = x.process.Signal(how)
		}
		select {
		case <-x.gone:
			return
		case <-time.After(leaveWait):
		}
	}
}

// writeAuth makes the secret that programs of the display show: other users of the machine could look at it
// and type into it otherwise. The format is that of the X library: family, address, number, name and data,
// each with its length in front; this family means any address.
func writeAuth(path string) error {
	const anyAddress = 0xffff
	entry := binary.BigEndian.AppendUint16(nil, anyAddress)
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // never fails
	for _, part := range []string{"", "", "MIT-MAGIC-COOKIE-1", string(secret)} {
		entry = binary.BigEndian.AppendUint16(entry, uint16(len(part)))
		entry = append(entry, part...)
	}
	return os.WriteFile(path, entry, 0o600)
}

// forgetOld removes the secrets of displays whose process was killed.
func forgetOld(folder string) {
	old, _ := filepath.Glob(filepath.Join(escaped(folder), "*"+authEnd))
	for _, path := range old {
		pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(path), authEnd))
		if err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			_ = os.Remove(path)
		}
	}
}

// escaped is a folder's name as a pattern that means it alone.
func escaped(folder string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(folder)
}
