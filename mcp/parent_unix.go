//go:build unix

package mcp

import "os"

// parent is the process that started this one. The system gives a child whose parent ends another one.
type parent int

func ownParent() parent { return parent(os.Getppid()) }

func (p parent) alive() bool { return os.Getppid() == int(p) }

func (parent) release() {}
