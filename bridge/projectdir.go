package bridge

import (
	"os"
	"path/filepath"
	"strings"
)

// SameDir reports whether both paths lead to one folder on the disk, however
// they are spelled: symbolic links, a slash at the end, letter case and short
// names do not matter. A path that leads nowhere is the same as none.
func SameDir(a, b string) bool {
	ai, err := os.Stat(a)
	if err != nil {
		return false
	}
	bi, err := os.Stat(b)
	return err == nil && os.SameFile(ai, bi)
}

// HiddenFolder returns the folder in which the engine keeps a project's data:
// .godot in it, or godot when the project's settings say so.
func HiddenFolder(project string) string {
	const setting = "config/use_hidden_project_data_directory=false"
	text, err := os.ReadFile(filepath.Join(project, projectFile))
	if err == nil && strings.Contains(string(text), setting) {
		return filepath.Join(project, "godot")
	}
	return filepath.Join(project, ".godot")
}
