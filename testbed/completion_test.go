package testbed

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// completed is what a shell is offered for the last of the words.
func completed(t *testing.T, e *Editor, words ...string) []string {
	t.Helper()
	out := e.Run(append([]string{"__complete_for", "zsh"}, words...)...)
	if out.Exit != 0 || out.Stderr != "" {
		t.Fatalf("%q: exit %d, stderr %s", words, out.Exit, out.Stderr)
	}
	var texts []string
	for _, line := range strings.Split(strings.TrimSuffix(out.Stdout, "\n"), "\n")[1:] {
		text, _, _ := strings.Cut(line, "\t")
		texts = append(texts, text)
	}
	return texts
}

// Names as the engine has them: each that is offered is a node, each node is offered, but for names with
// control characters.
func TestCompletionFromTheLiveEditor(t *testing.T) {
	e := sharedEditor(t)
	names := []string{"a b$(touch x)", "it's", "`touch x`", "; touch x", "-dash", "Größe 玩家", `back\\slash`, `tab\there`, `line\nbreak`}
	text := "[gd_scene format=3]\n\n[node name=\"Top\" type=\"Node2D\"]\n"
	for _, name := range names {
		text += fmt.Sprintf("\n[node name=\"%s\" type=\"Label\" parent=\".\" groups=[\"of_completion\"]]\n", name)
	}
	behind := openScene(t, e, "complete/hostile.tscn", text)
	front := openScene(t, e, "complete/front.tscn", scene2d("Front"))
	before := state(t, e)

	got := completed(t, e, "node", "get", "--scene-path", behind, "")
	want := []string{".", "a b$(touch x)", "it's", "`touch x`", "; touch x", "./-dash", "Größe 玩家", `back\slash`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, path := range want {
		if found := completed(t, e, "node", "set-property", "--scene-path", behind, path, "tooltip_t"); path != "." && !slices.Equal(found, []string{"tooltip_text"}) {
			t.Errorf("properties of %s: %q", path, found)
		}
	}
	for line, want := range map[string]string{
		"node|get|Pl": "Player|Player/Label", "node|add|AnimatedSprite": "AnimatedSprite2D|AnimatedSprite3D", "scene|create|CharacterBody": "CharacterBody2D|CharacterBody3D",
		"scene|open|res://complete/fr": front, "node|add-to-group|Player|of_c": "of_completion",
		"signal|connect|Player|visibility": "visibility_changed",
	} {
		if got := strings.Join(completed(t, e, strings.Split(line, "|")...), "|"); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	same(t, "completion", before, state(t, e))
	// What is offered in place of a name that looks like a flag is taken.
	if got := typed(t, e, "node", "get", "--scene-path", behind, "./-dash").ok(t); got.text("node_path") != "-dash" {
		t.Errorf("got %s", got.raw)
	}
}

// Without an editor the files tell, and none is started.
func TestCompletionFromTheFiles(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	if got := completed(t, e, "node", "get", "--scene-path", "res://main.tscn", "Pl"); len(got) == 0 || got[0] != "Player" {
		t.Errorf("got %q", got)
	}
	if got := typed(t, e, "editor", "list").ok(t); got.text("editors") != "[]" {
		t.Errorf("there are editors: %s", got.raw)
	}
}
