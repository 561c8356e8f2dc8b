package addon

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	resPath   = regexp.MustCompile(`res://([\w/.]+)`)
	className = regexp.MustCompile(`(?m)^class_name (\w+)`)
)

// A template is whole: what its files and settings name is there, and nothing in it is tied to one project.
func TestTemplatesAreWhole(t *testing.T) {
	if len(Templates()) < 4 {
		t.Fatalf("there are only %q", Templates())
	}
	for _, name := range Templates() {
		files, settings := Template(name)
		if files["main.tscn"] == "" || files["main.gd"] == "" || !strings.Contains(settings, `run/main_scene="res://main.tscn"`) {
			t.Errorf("%s has no main scene with a script", name)
		}
		classes := map[string]string{}
		texts := map[string]string{"project.godot": settings}
		for path, text := range files {
			texts[path] = text
			for _, m := range className.FindAllStringSubmatch(text, -1) {
				if other := classes[m[1]]; other != "" {
					t.Errorf("%s: %s and %s are the class %s", name, other, path, m[1])
				}
				classes[m[1]] = path
			}
		}
		for path, text := range texts {
			for _, m := range resPath.FindAllStringSubmatch(text, -1) {
				if _, there := files[m[1]]; !there {
					t.Errorf("%s: %s names %s, which is not there", name, path, m[0])
				}
			}
			for _, word := range []string{"uid://", "unique_id=", "\r", "@tool"} {
				if strings.Contains(text, word) {
					t.Errorf("%s: %s holds %q", name, path, word)
				}
			}
		}
	}
}

func TestTemplateThatIsNone(t *testing.T) {
	if files, settings := Template("pong"); len(files) > 0 || settings != "" {
		t.Errorf("pong has %v and %q", files, settings)
	}
	if slices.Contains(Templates(), "pong") {
		t.Error("pong is a template")
	}
}
