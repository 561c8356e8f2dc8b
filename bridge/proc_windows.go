package bridge

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

// stillActive is the exit code of a process that has none yet.
const stillActive = 259

func lookup(pid int) (process, bool) {
	if pid <= 0 {
		return process{}, false
	}
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return process{}, errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var code uint32
	if windows.GetExitCodeProcess(h, &code) == nil && code != stillActive {
		return process{}, false
	}
	p := process{ours: isOurs(h)}
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &created, &exited, &kernel, &user) == nil {
		p.started = time.Unix(0, created.Nanoseconds())
	}
	return p, true
}

// isOurs compares the user of a process with ours.
func isOurs(h windows.Handle) bool {
	var token windows.Token
	if windows.OpenProcessToken(h, windows.TOKEN_QUERY, &token) != nil {
		return false
	}
	defer func() { _ = token.Close() }()
	theirs, err := token.GetTokenUser()
	if err != nil {
		return false
	}
	mine, err := windows.GetCurrentProcessToken().GetTokenUser()
	return err == nil && theirs.User.Sid.Equals(mine.User.Sid)
}
