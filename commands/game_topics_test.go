package commands

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var topicEntry = regexp.MustCompile(`"([a-z-]+\.[a-z-]+)": [a-z_]+[,}]`)

// What a topic of the game answers is a tool, and the topic is one that the game loads.
func TestTopicsOfTheGameAnswerTools(t *testing.T) {
	folder := filepath.Join("..", "addon", "godot_mcp_bridge", "game")
	link, err := os.ReadFile(filepath.Join(folder, "link.gd"))
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.gd"))
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, body, isTopic := strings.Cut(string(text), "func commands()")
		if !isTopic {
			continue
		}
		if !strings.Contains(string(link), `preload("`+filepath.Base(file)+`")`) {
			t.Errorf("link.gd does not load %s", filepath.Base(file))
		}
		body, _, _ = strings.Cut(body, "\n\n\n")
		for _, m := range topicEntry.FindAllStringSubmatch(body, -1) {
			seen++
			if !slices.Contains(handledCommands(t), m[1]) {
				t.Errorf("%s answers %s, which no handler passes on", filepath.Base(file), m[1])
			}
		}
	}
	if seen < 5 {
		t.Errorf("the topics answer %d commands", seen)
	}
}
