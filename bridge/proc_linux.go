package bridge

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ticks is the kernel's unit for times in /proc, the same on all platforms that
// Go runs on.
const ticks = time.Second / 100

func lookup(pid int) (process, bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		if _, noProc := os.Stat("/proc/self"); errors.Is(noProc, fs.ErrNotExist) {
			return signalZero(pid)
		}
		return process{}, false
	}
	info, err := os.Stat(dir)
	if err != nil {
		return process{}, false
	}
	state, started := parseStat(stat)
	if state == 'Z' || state == 'X' {
		return process{}, false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	return process{ours: ok && int(owner.Uid) == os.Geteuid(), started: started, stopped: state == 'T' || state == 't'}, true
}

// parseStat reads state and start time from /proc/<pid>/stat. The name in
// brackets may hold anything, so the fields are counted from its end.
func parseStat(stat []byte) (state byte, started time.Time) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return 0, time.Time{}
	}
	after, err := strconv.ParseInt(string(fields[19]), 10, 64)
	if err != nil {
		return fields[0][0], time.Time{}
	}
	var up unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) != nil {
		return fields[0][0], time.Time{}
	}
	age := time.Duration(up.Nano()) - time.Duration(after)*ticks
	return fields[0][0], time.Now().Add(-age)
}
