package testbed

import (
	"os"
	"path/filepath"
	"testing"
)

// outsidePaths are spellings that leave the project or enter what is hidden, for reading and for writing.
func outsidePaths(t *testing.T, e *Editor) []string {
	t.Helper()
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "secret.txt"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := onDisk(e, "res://"+folderOf(t))
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(link) })
	return []string{
		"res://../secret.txt", "res://a/../../secret.txt", "res:///etc/passwd", "/etc/passwd", "user://secret.txt",
		`res://a\..\..\secret.txt`, "res://%2e%2e/secret.txt", "res://%2E%2E%2Fsecret.txt", `C:\secret.txt`,
		"res://" + folderOf(t) + "/secret.txt", "res://.godot/editor/secret.txt", "res://.GODOT/secret.txt",
	}
}

// TestF27ReadsOutsideTheProject: whatever the spelling, nothing outside the project or in the engine's own folder
// is read.
func TestF27ReadsOutsideTheProject(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		for _, path := range outsidePaths(t, e) {
			for tool, parameter := range map[string]string{"file read": "path", "file tree": "directory", "file search": "directory", "file resolve-uid": "value"} {
				s.call(t, tool, args{parameter: path}).fails(t, "VALIDATION_ERROR", parameter)
			}
		}
	})
}
