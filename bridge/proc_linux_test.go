package bridge_test

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// A killed editor that its parent has not collected yet is dead.
func TestAliveDoesNotCountZombies(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 1024)
	for err == nil {
		_, err = out.Read(buf) // the pipe's end is closed as the process ends
	}
	for bridge.Alive(cmd.Process.Pid) {
		if t.Context().Err() != nil {
			t.Fatal("still alive")
		}
		runtime.Gosched()
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
