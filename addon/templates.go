package addon

import (
	"embed"
	"io/fs"
	"strings"
)

// Each folder in templates is a small project that the engine can open as it is.
//
//go:embed templates
var templates embed.FS

// Templates are the names of the game skeletons that this binary carries, sorted.
func Templates() []string {
	var names []string
	entries, _ := templates.ReadDir("templates") // embedded
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// Template holds the text of a skeleton's files by their path in a project, and what its project.godot says.
// A name that Templates does not have gives no files.
func Template(name string) (files map[string]string, settings string) {
	files = map[string]string{}
	root := "templates/" + name
	_ = fs.WalkDir(templates, root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := templates.ReadFile(path)
		if short := strings.TrimPrefix(path, root+"/"); short == "project.godot" {
			settings = string(text)
		} else {
			files[short] = string(text)
		}
		return err
	})
	return files, settings
}
