package testbed

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// call calls a method of the stage without waiting for what becomes of the game.
func callStage(t *testing.T, s surface, method string, given ...any) answer {
	t.Helper()
	return s.call(t, "game call", args{"node_path": "/root/Stage", "method": method, "args": append([]any{}, given...)})
}

func hits(t *testing.T, s surface) answer {
	t.Helper()
	return s.call(t, "game get-property", args{"node_path": "/root/Stage", "property": "hits"})
}

// A game at a breakpoint, or stopped by an error, answers at once with the place; it can be stopped.
func TestGameInTheDebugger(t *testing.T) {
	_, s := gameEditor(t)
	for _, c := range []struct{ method, line, words string }{
		{"fail", "30", "error"},
		{"stop_here", "34", "breakpoint"},
	} {
		playStage(t, s)
		place := "res://game/node.gd:" + c.line
		callStage(t, s, c.method).fails(t, bridge.PreconditionFailed, "game_not_breaked", place, c.words)
		hits(t, s).fails(t, bridge.PreconditionFailed, "game_not_breaked", place, "game stop")
		s.call(t, "game status", nil).ok(t).has(t, map[string]string{
			"playing": "true", "breaked": "true", "break.script": "res://game/node.gd", "break.line": c.line,
			"break.stack": fmt.Sprintf(`["res://game/node.gd:%s in %s"]`, c.line, c.method),
		})
		if c.method == "fail" {
			failed := entry(t, s.call(t, "game output", nil).ok(t), "name")
			if failed["kind"] != "error" || fmt.Sprint(failed["line"]) != c.line {
				t.Errorf("the error that stopped the game is told of as %v", failed)
			}
		}
		pid, _ := s.call(t, "game status", nil).ok(t).number("pid")
		s.call(t, "game stop", nil).ok(t)
		if bridge.Alive(pid) {
			t.Errorf("the game %d is still there after %s", pid, c.method)
		}
	}
}

// An endless loop is told as such, and ended.
func TestGameThatHangs(t *testing.T) {
	e, s := gameEditor(t)
	playStage(t, s)
	pid, _ := s.call(t, "game status", nil).ok(t).number("pid")
	short := commandLine{e}.run(t, "game call", "", "game", "call", ".", "hang", "--timeout", "700ms")
	short.fails(t, bridge.Timeout, "")
	s.call(t, "game stop", nil).ok(t).has(t, map[string]string{"playing": "false", "stopped": "true"})
	if bridge.Alive(pid) {
		t.Errorf("the game %d is still there", pid)
	}
}

// F32: run, question, stop, twelve times, with a crash, a breakpoint, a scene change, and a game that ends by
// itself in between: each question is answered, or refused with the cause.
func TestF32_ManyRunsOneAfterTheOther(t *testing.T) {
	_, s := gameEditor(t)
	for run := range 12 {
		playStage(t, s)
		hits(t, s).ok(t).has(t, map[string]string{"value": "0"})
		callStage(t, s, "hit", run+1).ok(t)
		hits(t, s).ok(t).has(t, map[string]string{"value": fmt.Sprint(run + 1)})
		switch run {
		case 3:
			callStage(t, s, "bang").fails(t, bridge.PreconditionFailed, "play_session")
			hits(t, s).fails(t, bridge.PreconditionFailed, "play_session", "game play")
			s.call(t, "game status", nil).ok(t).has(t, map[string]string{"playing": "false", "connected": "false"})
			entry(t, s.call(t, "game output", nil).ok(t), "hit by nobody")
		case 5:
			callStage(t, s, "stop_here").fails(t, bridge.PreconditionFailed, "game_not_breaked")
		case 7:
			callStage(t, s, "go", "res://game/other.tscn").ok(t)
			awaitGame(t, s, "the other scene", args{"node_path": "/root/Other", "property": "name"})
			s.call(t, "game get-property", args{"node_path": "Only", "property": "name"}).ok(t).has(t, map[string]string{"node_path": "/root/Other/Only"})
			hits(t, s).fails(t, bridge.ResourceNotFound, "node_path")
		case 9:
			callStage(t, s, "leave")
			awaitEnd(t, s)
			hits(t, s).fails(t, bridge.PreconditionFailed, "play_session")
		}
		s.call(t, "game stop", nil).ok(t).has(t, map[string]string{"playing": "false"})
	}
}

func awaitGame(t *testing.T, s surface, what string, question args) {
	t.Helper()
	await(t, what, func() bool { return s.call(t, "game get-property", question).err == nil })
}

func awaitEnd(t *testing.T, s surface) {
	t.Helper()
	await(t, "the game to end", func() bool { return s.call(t, "game status", nil).ok(t).text("playing") == "false" })
}

// What goes wrong at the start comes back from game play itself.
func TestGameThatDoesNotStart(t *testing.T) {
	e, s := gameEditor(t)
	play := func(scene string) answer { return s.call(t, "game play", args{"scene_path": scene}) }
	play("res://game/nowhere.tscn").fails(t, bridge.ResourceNotFound, "scene_path", "scene list")
	play("res://game/node.gd").fails(t, bridge.ResourceNotFound, "scene_path")

	// An editor that starts in this project later would complain of it too.
	t.Cleanup(func() { _ = os.Remove(onDisk(e, "res://game/wrong.gd")) })
	write(t, e, "game/wrong.gd", "extends Node\n\nfunc _ready() -> void:\n\tnothing_there()\n")
	write(t, e, "game/wrong.tscn", strings.NewReplacer("node.gd", "wrong.gd", "Node2D\"]\nscript", "Node\"]\nscript").Replace(gameScene))
	wrong := play("res://game/wrong.tscn").has(t, map[string]string{"errors.0.script": "res://game/wrong.gd", "errors.0.line": "4"})
	if !strings.Contains(wrong.text("errors.0.text"), "nothing_there") {
		t.Errorf("the parse error is told as %s", wrong.raw)
	}
	s.call(t, "game stop", nil).ok(t)

	write(t, e, "game/missing.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://game/gone.tscn\" id=\"1\"]\n\n[node name=\"A\" instance=ExtResource(\"1\")]\n")
	missing := play("res://game/missing.tscn")
	missing.has(t, map[string]string{"playing": "false", "connected": "false"})
	if !strings.Contains(missing.text("errors"), "gone.tscn") || missing.text("hint") == "null" {
		t.Errorf("the missing scene is told as %s", missing.raw)
	}

	write(t, e, "game/ready.gd", "extends Node\n\nfunc _ready() -> void:\n\tvar nothing: Node = null\n\tnothing.name = \"x\"\n")
	write(t, e, "game/ready.tscn", strings.NewReplacer("node.gd", "ready.gd", "Node2D\"]\nscript", "Node\"]\nscript").Replace(gameScene))
	stopped := play("res://game/ready.tscn").ok(t).has(t, map[string]string{
		"playing": "true", "breaked.script": "res://game/ready.gd", "breaked.line": "5", "errors.0.line": "5",
	})
	if !strings.Contains(stopped.text("hint"), "game stop") {
		t.Errorf("the hint is %s", stopped.text("hint"))
	}
}

func TestGamePlayOptions(t *testing.T) {
	e, s := gameEditor(t)
	random := func(a answer) string {
		text := fmt.Sprint(entry(t, a, "ready")["text"])
		return text[strings.LastIndex(text, " ")+1:]
	}
	seeded := stage.with("seed", 42).with("args", []string{"--level", "two words"})
	s.call(t, "game play", seeded).ok(t)
	first := s.call(t, "game output", nil).ok(t)
	if text := fmt.Sprint(entry(t, first, "ready")["text"]); !strings.Contains(text, `["--level", "two words"]`) {
		t.Errorf("the game was given %s", text)
	}
	next, _ := first.number("next_seq")
	// Again, without a stop: the first game ends.
	pid, _ := s.call(t, "game status", nil).ok(t).number("pid")
	s.call(t, "game play", seeded).ok(t).has(t, map[string]string{"restarted": "true", "playing": "true"})
	if bridge.Alive(pid) {
		t.Errorf("the first game %d is still there", pid)
	}
	second := s.call(t, "game output", args{"since_seq": next}).ok(t)
	if a, b := random(first), random(second); a != b {
		t.Errorf("the same seed gave %s and %s", a, b)
	}

	s.call(t, "game play", stage.with("paused", true)).ok(t)
	s.call(t, "game status", nil).ok(t).has(t, map[string]string{"paused": "true"})
	s.call(t, "game get-property", args{"node_path": ".", "property": "frames"}).ok(t).has(t, map[string]string{"value": "0"})
	s.call(t, "game stop", nil).ok(t)

	s.call(t, "game play", stage.with("wait", false)).ok(t).has(t, map[string]string{"playing": "true"})
	hits(t, s).ok(t).has(t, map[string]string{"value": "0"})

	// Unsaved scenes stay so, unless asked.
	text := read(t, e, "res://game/stage.tscn")
	open(t, e, "res://game/stage.tscn")
	s.call(t, "node add", args{"node_type": "Node2D", "node_name": "Fresh"}).ok(t)
	told := s.call(t, "game play", stage).ok(t).has(t, map[string]string{"saved": "[]"})
	if !strings.Contains(told.text("hint"), "--save") || read(t, e, "res://game/stage.tscn") != text {
		t.Errorf("an unsaved scene: %s", told.raw)
	}
	s.call(t, "game play", args{"scene_path": "current", "save": true}).ok(t).has(t, map[string]string{
		"saved": `["res://game/stage.tscn"]`, "scene": "res://game/stage.tscn",
	})
	s.call(t, "game get-property", args{"node_path": "Fresh", "property": "name"}).ok(t).has(t, map[string]string{"value": "Fresh"})
	closeTab(t, e, "res://game/stage.tscn")
}

// More lines than are kept: those that are missing are counted.
func TestGameOutputOfAChattyGame(t *testing.T) {
	_, s := gameEditor(t)
	playStage(t, s)
	begin, _ := s.call(t, "game output", nil).ok(t).number("next_seq")
	const lines = 12000
	callStage(t, s, "chatter", lines).ok(t)
	var out answer
	await(t, "the last line", func() bool {
		out = s.call(t, "game output", args{"since_seq": begin}).ok(t)
		next, _ := out.number("next_seq")
		return next >= begin+lines
	})
	entries, _ := out.fields["entries"].([]any)
	dropped, _ := out.number("dropped")
	if len(entries)+dropped != lines || dropped == 0 {
		t.Errorf("%d entries and %d dropped of %d lines", len(entries), dropped, lines)
	}
	last, _ := entries[len(entries)-1].(map[string]any)
	if last["text"] != fmt.Sprintf("line %d", lines-1) {
		t.Errorf("the last line is %v", last)
	}
}

// A project with a main loop of its own keeps it; one that no script can extend plays without the probe.
func TestGameWithItsOwnMainLoop(t *testing.T) {
	e := ownWorkspace(t, "empty")
	write(t, e, "loop.gd", "class_name OwnLoop\nextends SceneTree\n\nvar begun: int = 0\n\n\nfunc _initialize() -> void:\n\tbegun += 1\n\tprint(\"own loop \", begun)\n")
	write(t, e, "bare.gd", "class_name BareLoop\nextends MainLoop\n\n\nfunc _process(_delta: float) -> bool:\n\treturn false\n")
	settings := read(t, e, "res://project.godot")
	use := func(loop string) {
		write(t, e, "project.godot", settings+"\n[application]\n\nrun/main_loop_type=\""+loop+"\"\n")
	}
	use("OwnLoop")
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	s := cli(e)
	main := args{"scene_path": "res://main.tscn"}
	s.call(t, "game play", main).ok(t).has(t, map[string]string{"connected": "true"})
	entry(t, s.call(t, "game output", nil).ok(t), "own loop 1")
	s.call(t, "game get-property", args{"node_path": "/root", "property": "name"}).ok(t)
	s.call(t, "game stop", nil).ok(t)

	s.call(t, "project set-setting", args{"name": "application/run/main_loop_type", "value": "BareLoop"}).ok(t)
	s.call(t, "game play", main).ok(t).has(t, map[string]string{"connected": "false", "playing": "true"})
	s.call(t, "game get-property", args{"node_path": ".", "property": "name"}).fails(t, bridge.PreconditionFailed, "runtime_probe", "main_loop_type")
	s.call(t, "game status", nil).ok(t).has(t, map[string]string{"connected": "false", "playing": "true"})
	s.call(t, "game stop", nil).ok(t).has(t, map[string]string{"playing": "false"})
}

// Editors that are killed leave no game behind: one that runs ends itself, one that hangs is ended by the next
// editor.
func TestGamesEndWithTheirEditor(t *testing.T) {
	e := ownWorkspace(t, "empty")
	write(t, e, "game/node.gd", gameScript)
	write(t, e, "game/stage.tscn", gameScene)
	for _, does := range []string{"run", "stop_here", "hang"} {
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		s := cli(e)
		s.call(t, "game play", stage).ok(t)
		pid, _ := s.call(t, "game status", nil).ok(t).number("pid")
		switch does {
		case "stop_here":
			callStage(t, s, does).fails(t, bridge.PreconditionFailed, "game_not_breaked")
		case "hang":
			commandLine{e}.run(t, "game call", "", "game", "call", ".", "hang", "--timeout", "500ms").fails(t, bridge.Timeout, "")
		}
		editor, err := os.FindProcess(e.PID)
		if err == nil {
			err = editor.Kill()
		}
		if err != nil {
			t.Fatal(err)
		}
		await(t, "the editor to be gone", func() bool { return !bridge.Alive(e.PID) })
		if does == "hang" {
			if err := e.Start(); err != nil {
				t.Fatal(err)
			}
			if bridge.Alive(pid) {
				t.Errorf("the game %d that hangs is still there", pid)
			}
			continue
		}
		await(t, "the game that did "+does+" to end itself", func() bool { return !bridge.Alive(pid) })
	}
	// A regular end takes the game along.
	s := cli(e)
	s.call(t, "game play", stage).ok(t)
	pid, _ := s.call(t, "game status", nil).ok(t).number("pid")
	s.call(t, "editor stop", nil).ok(t)
	await(t, "the game to end with its editor", func() bool { return !bridge.Alive(pid) })
}

// Nothing of the addon is in what is exported.
func TestExportHoldsNothingOfTheAddon(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	write(t, e, "export_presets.cfg", "[preset.0]\n\nname=\"Pack\"\nplatform=\"Linux\"\nrunnable=true\nexport_filter=\"all_resources\"\ninclude_filter=\"*\"\nexclude_filter=\"\"\nexport_path=\"\"\n\n[preset.0.options]\n")
	pack := filepath.Join(filepath.Dir(e.Project), "game.zip")
	exported := runEngine(t, e, "--headless", "--path", e.Project, "--export-pack", "Pack", pack)
	text, err := os.ReadFile(pack)
	if err != nil {
		t.Fatalf("%v: %s", err, exported)
	}
	names := zipNames(t, text)
	if len(names) == 0 || !strings.Contains(strings.Join(names, "\n"), "player.gd") {
		t.Fatalf("the pack holds %v", names)
	}
	for _, name := range names {
		if strings.Contains(name, "godot_mcp_bridge") {
			t.Errorf("the pack holds %s", name)
		}
	}
}

// runEngine runs the engine itself in the environment of the editor.
func runEngine(t *testing.T, e *Editor, words ...string) string {
	t.Helper()
	godot, err := Godot()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, godot, words...)
	cmd.Dir, cmd.Env = e.Project, e.Env
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("godot %v: %v: %s", words, err, said)
	}
	return string(said)
}

func zipNames(t *testing.T, data []byte) []string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range archive.File {
		names = append(names, file.Name)
	}
	return names
}
