package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Two servers may have one port, at two addresses: the first to end leaves the file to the other.
func TestHTTPFileOfAnotherServerStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "9090.json")
	if err := os.WriteFile(file, []byte(`{"url":"http://[::1]:9090/mcp","token":"theirs"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	removeHTTPFile(file, "ours")
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	removeHTTPFile(file, "theirs")
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}
