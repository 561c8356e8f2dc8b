package bridge

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// SSTOP and SZOMB of <sys/proc.h>.
const (
	stopped = 4
	zombie  = 5
)

func lookup(pid int) (process, bool) {
	if pid <= 0 {
		return process{}, false
	}
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return signalZero(pid)
	}
	if int(info.Proc.P_pid) != pid || info.Proc.P_stat == zombie {
		return process{}, false
	}
	start := info.Proc.P_starttime
	return process{
		ours:    int(info.Eproc.Ucred.Uid) == os.Geteuid(),
		started: time.Unix(start.Sec, int64(start.Usec)*1000),
		stopped: info.Proc.P_stat == stopped,
	}, true
}
