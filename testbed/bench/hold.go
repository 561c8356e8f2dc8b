package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// held are files that are locked in memory.
type held [][]byte

// hold locks the programs and all files that the process has mapped. A machine that takes back the pages
// which nobody touched for some seconds reads them again at the first call after a pause; with -hold that
// is left out. Needs the right to lock them (ulimit -l). Linux only, like /proc.
func hold(pid int, programs ...string) (h held, err error) {
	defer func() {
		if err != nil {
			h.release()
		}
	}()
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(maps) {
		if at := bytes.IndexByte(line, '/'); at > 0 {
			programs = append(programs, string(bytes.TrimSpace(line[at:])))
		}
	}
	seen := map[string]bool{}
	for _, name := range programs {
		info, err := os.Stat(name)
		if seen[name] || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		seen[name] = true
		pages, err := lock(name, int(info.Size()))
		if err != nil {
			return h, fmt.Errorf("locking %s in memory: %w", name, err)
		}
		h = append(h, pages)
	}
	return h, nil
}

func lock(name string, size int) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	pages, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	if err := syscall.Mlock(pages); err != nil {
		_ = syscall.Munmap(pages)
		return nil, err
	}
	return pages, nil
}

func (h held) release() {
	for _, pages := range h {
		_ = syscall.Munmap(pages)
	}
}

// reads is how often a process has had to wait for a page of a file that was no longer in memory.
func reads(pid int) (int, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields, err := statFields(stat)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(fields[9]))
}
