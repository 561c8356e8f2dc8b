//go:build unix

package addon

import "golang.org/x/sys/unix"

// MayWrite is nil when files can be made in the folder; nothing is tried out.
func MayWrite(folder string) error { return unix.Access(folder, unix.W_OK|unix.X_OK) }
