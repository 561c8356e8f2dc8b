package testbed

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// Binary builds godot-mcp once for the process, as the Makefile builds it, and returns its path. The file
// stays in a temporary folder of its own until RemoveBinary.
var Binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "godot-mcp-bin-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "godot-mcp")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X main.version=2026.01.02", "-o", bin, "./cmd/godot-mcp")
	cmd.Dir = Root()
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building godot-mcp: %w\n%s", err, out)
	}
	return bin, nil
})

// RemoveBinary removes what Binary built; for the end of TestMain.
func RemoveBinary() {
	if bin, err := Binary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(bin))
	}
}
