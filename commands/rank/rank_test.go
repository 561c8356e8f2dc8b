package rank

import (
	"slices"
	"testing"
)

var fruits = []Document{
	{Name: "apple pick", Topic: "apple", Mood: "tells", Phrases: []string{"take one off the tree"}},
	{Name: "apple count", Topic: "apple", Mood: "asks", Fields: []Field{{Text: "How many hang there.", Weight: 1}}},
	{Name: "pear pick", Topic: "pear", Mood: "tells"},
	{Name: "wash", Phrases: []string{"clean it", "with water"}},
}

var words2 = Words{
	Synonyms: map[string][]string{"granny smith": {"apple"}, "harvest": {"pick"}, "rinse": {"wash"}, Unknown: {"pear"}},
	Moods:    map[string]string{"how many": "asks", "harvest": "tells"},
}

func TestSearchOrdersByWhatIsMeant(t *testing.T) {
	x := New(fruits, words2)
	for question, want := range map[string]string{
		"apple pick":                      "apple pick",
		"picking apples":                  "apple pick",
		"harvest the Granny Smith":        "apple pick",
		"how many apples":                 "apple count",
		"take one off":                    "apple pick",
		"haverst pears":                   "pear pick", // a slip
		"please rinse it":                 "wash",
		"wsah":                            "wash",
		"zzz":                             "",
		"qqq zzz Xxx":                     "",
		"":                                "",
		"please":                          "",
		"count zzz":                       "apple count",
		"could you clean this with water": "wash",
	} {
		hits := x.Search(question)
		switch {
		case want == "" && len(hits) == 0:
		case len(hits) == 0 || fruits[hits[0].Document].Name != want:
			t.Errorf("%q gave %v, want %s", question, hits, want)
		}
	}
}

func TestStemsOfWhatBelongsTogetherAreTheSame(t *testing.T) {
	for _, group := range [][]string{
		{"save", "saves", "saved", "saving"}, {"run", "runs", "running"}, {"property", "properties"},
		{"node", "nodes"}, {"connect", "connects", "connected", "connecting", "connection"},
		{"copy", "copies", "copied", "copying"}, {"mesh", "meshes"}, {"class", "classes"}, {"stop", "stopped"},
		{"setting", "settings"}, {"file", "files"},
	} {
		for _, w := range group {
			if stem(w) != stem(group[0]) {
				t.Errorf("%s is %s, %s is %s", group[0], stem(group[0]), w, stem(w))
			}
		}
	}
	for _, pair := range [][2]string{{"set", "setting"}, {"string", "str"}, {"this", "thi"}, {"group", "grow"}} {
		if stem(pair[0]) == stem(pair[1]) {
			t.Errorf("%s and %s are both %s", pair[0], pair[1], stem(pair[0]))
		}
	}
}

func TestTextsAndFileNamesAreNoWords(t *testing.T) {
	for question, want := range map[string][]string{
		`write "Game Over" on the Sign`: {"write", "quotedtext", "on", "the", "sign"},
		"delete res://old/main.tscn":    {"delete", "tscn"},
		"it's 100, 200":                 {"its", "0", "0"},
		"add a CharacterBody2D":         {"add", "a", "nodeclass"},
	} {
		plain, _ := readNames(question)
		if got := words(plain); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
	_, names := readNames("Rename the node to Boss")
	if !names["boss"] || names["rename"] || names["node"] {
		t.Errorf("names: %v", names)
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
