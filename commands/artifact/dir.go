package artifact

import (
	"os"
	"path/filepath"
	"runtime"
)

// stateDir is where programs keep what is worth keeping for a while.
func stateDir() string {
	switch runtime.GOOS {
	case "windows":
		return os.Getenv("LocalAppData")
	case "darwin":
		dir, _ := os.UserConfigDir()
		return dir
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "state")
}
