package jq

import "syscall"

// limit has the kernel refuse what a busy machine may give the watch no time to see.
func limit() {
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: 2 * MaxMemory, Max: 2 * MaxMemory})
}
