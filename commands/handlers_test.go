package commands

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var handlerEntry = regexp.MustCompile(`"([a-z]+(?:[.-][a-z-]+)*)": (?:_context\.on_\w+\()?[a-z_]+[,})]`)

// handledCommands are the names that the addon's handlers register.
func handledCommands(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "addon", "godot_mcp_bridge", "handlers", "*.gd"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no handlers: %v", err)
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(text), "func commands()")
		body, _, _ = strings.Cut(body, "\n\n\n")
		for _, m := range handlerEntry.FindAllStringSubmatch(body, -1) {
			names = append(names, m[1])
		}
	}
	return names
}
