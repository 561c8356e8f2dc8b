package bridge

import (
	"os"
	"path/filepath"
	"strings"
)

// SameDir is true when both paths lead to one folder on the disk, however they are spelled.
func SameDir(a, b string) bool { return sameDir(a, b) }

// HiddenFolder is the folder in which the engine keeps a project's data: .godot, or godot when the
// project's settings say so.
func HiddenFolder(project string) string {
	const setting = "config/use_hidden_project_data_directory=false"
	text, err := os.ReadFile(filepath.Join(project, projectFile))
	if err == nil && strings.Contains(string(text), setting) {
		return filepath.Join(project, "godot")
	}
	return filepath.Join(project, ".godot")
}
