package commands

import (
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// leash holds a process and all that it starts.
type leash struct{ job windows.Handle }

// startOnLeash starts the command in a job whose processes end when the last handle of it is closed, which
// the system does when this process ends, however that comes.
func startOnLeash(cmd *exec.Cmd) (*leash, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	l := &leash{job}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		l.end()
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		l.end()
		return nil, err
	}
	if err := l.take(uint32(cmd.Process.Pid)); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		l.end()
		return nil, err
	}
	return l, nil
}

func (l *leash) take(pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(l.job, process)
}

func (l *leash) end() { _ = windows.CloseHandle(l.job) }

// programOf is the file that a process runs.
func programOf(pid int) string {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(process)
	text := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(text))
	if windows.QueryFullProcessImageName(process, 0, &text[0], &size) != nil {
		return ""
	}
	return windows.UTF16ToString(text[:size])
}
