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
		"zzzz":             "",
	} {
		if got := All().Nearest(typed); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1},
		{"abc", "ab", 1}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2},
		{"txet", "text", 1}, {"ab", "ba", 1},
	} {
		if got := Distance(c.a, c.b); got != c.want || Distance(c.b, c.a) != got {
			t.Errorf("%q %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
