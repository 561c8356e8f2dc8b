package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tick is the kernel's unit of the times in /proc on every platform that Go runs on.
const tick = time.Second / 100

// cpuTime is what a process has used so far, user and system together.
func cpuTime(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	return parseCPU(stat)
}

// statFields are those of /proc/PID/stat behind the name in brackets, which may hold anything.
func statFields(stat []byte) ([][]byte, error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return nil, fmt.Errorf("/proc: %q is no stat line", stat)
	}
	return fields, nil
}

func parseCPU(stat []byte) (time.Duration, error) {
	fields, err := statFields(stat)
	if err != nil {
		return 0, err
	}
	user, err := strconv.Atoi(string(fields[11]))
	if err != nil {
		return 0, err
	}
	system, err := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * tick, err
}

// wakeups is how often the main thread of a process has gone to sleep by itself: once a frame in an idle
// editor, which shows how long its frames really sleep.
func wakeups(pid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/status", pid, pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := bytes.Cut(status, []byte("\nvoluntary_ctxt_switches:"))
	if !found {
		return 0, fmt.Errorf("/proc tells no voluntary_ctxt_switches")
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return strconv.Atoi(string(bytes.TrimSpace(line)))
}

// engineOf follows a wrapper to the process at its end, which is the engine.
func engineOf(pid int) int {
	for {
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		fields := bytes.Fields(children)
		if err != nil || len(fields) == 0 {
			return pid
		}
		child, err := strconv.Atoi(string(fields[0]))
		if err != nil {
			return pid
		}
		pid = child
	}
}

// cpuShare is the percentage of one core that a process uses over a while, work running meanwhile.
func (b *bench) cpuShare(pid int, over time.Duration) (float64, error) {
	before, err := cpuTime(pid)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	b.sleep(over)
	after, err := cpuTime(pid)
	return 100 * float64(after-before) / float64(time.Since(begun)), err
}

// cpuShares repeats cpuShare.
func (b *bench) cpuShares(pid int) ([]float64, error) {
	var shares []float64
	for range b.pick(3, 1) {
		share, err := b.cpuShare(pid, b.window())
		if err != nil {
			return nil, err
		}
		shares = append(shares, share)
	}
	return shares, nil
}
