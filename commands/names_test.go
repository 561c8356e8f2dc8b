package commands

import "testing"

func TestNearestOffersWhatIsSpelledAlike(t *testing.T) {
	names := []string{"node add", "node get", "node set-property", "scene tree", "undo"}
	for typed, want := range map[string]string{
		"node ad":           "node add",
		"nodes add":         "node add",
		"NODE ADD":          "node add",
		"node set-proprety": "node set-property",
		"scene tre":         "scene tree",
		"udno":              "undo",
		"undoo":             "undo",
		"xyzzy":             "",
		"":                  "",
	} {
		if got := nearest(typed, names); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

func TestNearestToolTakesOtherSpellings(t *testing.T) {
	for typed, want := range map[string]string{
		"godot_node_ad":    "node add",
		"node.set-propert": "node set-property",
		"node_get":         "node get",
		"tree":             "scene tree",
		"create_node":      "node add",
		"node create":      "node add",
		"node make-tea":    "",
		"file brew":        "",
		"foo":              "",
		"zzzz":             "",
		"xyzzy set":        "",
		"":                 "",
	} {
		if got := All().Nearest(typed); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}
