//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// A client that is killed while another process holds its end of the pipe leaves no server behind.
func TestAServerEndsAfterItsParent(t *testing.T) {
	ed := bridgetest.New(t)
	server := command(t, ed, "mcp")
	// The shell stands for the client; our end of the pipe stays open.
	client := exec.Command("sh", append([]string{"-c", `"$@" <&3 & wait`, "sh"}, server.Args...)...)
	client.Dir, client.Env = server.Dir, server.Env
	in, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	client.ExtraFiles = []*os.File{in}
	theirs, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	client.Stdout = out
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	_ = out.Close()
	if _, err := io.WriteString(ours, strings.SplitAfterN(mcpSession, "\n", 2)[0]); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(theirs)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = client.Process.Kill()
	_ = client.Wait()
	// The output ends with the process.
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}
