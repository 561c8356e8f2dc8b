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

// OwnProject checks a project that another program names: the whole path of a
// folder with a project.godot, both the user's own. It returns the real path.
// Errors: VALIDATION_ERROR, RESOURCE_NOT_FOUND; required project_dir.
func OwnProject(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", Errorf(ValidationError, "project_dir", "%s is not the whole path of a folder; see the projects of the editors that run: godot-mcp editor list", quote(dir))
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || !isProject(real) {
		return "", Errorf(ResourceNotFound, "project_dir", "%s is not a Godot project: it has no project.godot; see the projects of the editors that run: godot-mcp editor list", quote(dir))
	}
	for _, path := range []string{real, filepath.Join(real, projectFile)} {
		info, err := os.Stat(path)
		if err != nil {
			return "", Errorf(ResourceNotFound, "project_dir", "%s cannot be read: %w; see the projects of the editors that run: godot-mcp editor list", quote(path), err)
		}
		if reason := otherOwner(path, info); reason != "" {
			return "", Errorf(ResourceNotFound, "project_dir", "%s is not served: it %s; see the projects of the editors that run: godot-mcp editor list", quote(path), reason)
		}
	}
	return real, nil
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
