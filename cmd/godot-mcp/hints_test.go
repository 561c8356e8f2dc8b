package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// The next command that an error code or a missing precondition names must be one that can be typed: its
// help is shown, which the parser does only for a command that exists with flags that it has.
func TestNextCommandsOfErrorsCanBeTyped(t *testing.T) {
	next := map[string]string{}
	for _, c := range bridge.Codes {
		next[string(c.Code)] = c.Next
	}
	for _, r := range bridge.Required {
		next[r.Name] = r.Next
	}
	for name, line := range next {
		words := strings.Fields(line)
		var out bytes.Buffer
		code := run(append(words[1:], "--help"), streams{in: strings.NewReader(""), out: &out, err: &out})
		if words[0] != "godot-mcp" || code != 0 || strings.HasPrefix(out.String(), "Drive a live Godot") {
			t.Errorf("%s: %q cannot be typed: exit %d, %s", name, line, code, out.String())
		}
	}
}

// Hints stand in texts, not in comments; what is filled in later cannot be told here.
var textInSource = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")

// Every command that a text of the sources names, the addon's too, is one that can be typed.
func TestCommandsInTextsOfTheSourcesExist(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (strings.HasPrefix(entry.Name(), ".git") || entry.Name() == "testbed") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		isSource := strings.HasSuffix(path, ".gd") || strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
		if entry.IsDir() || !isSource {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, line := range strings.Split(string(text), "\n") {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#") {
				continue
			}
			for _, literal := range textInSource.FindAllString(line, -1) {
				for _, found := range commandInHint.FindAllStringSubmatch(literal, -1) {
					seen++
					if isProse := found[1] == "failed in"; !isProse && !isCommand(found[1]) {
						t.Errorf("%s sends to %q, which is no command", path, found[0])
					}
				}
			}
		}
		return err
	})
	if err != nil || seen < 40 {
		t.Errorf("%d commands seen, %v", seen, err)
	}
}
