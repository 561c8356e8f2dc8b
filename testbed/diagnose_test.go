package testbed

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// A scene whose script does what the name of its root says.
const actor = `extends Node


func _ready() -> void:
	match str(name):
		"Quit":
			get_tree().quit(3)
		"Crash":
			OS.crash("on purpose")
		"Loop":
			while true:
				pass
		"Noise":
			print("hello ", Engine.get_main_loop().get_class())
			printerr("aside")
			push_warning("careful")
			push_error("oh no")
			get_tree().quit()
			var nobody: Node = null
			nobody.queue_free()
		"Calm":
			get_tree().create_timer(0.2).timeout.connect(get_tree().quit)
`

func addActor(t *testing.T, e *Editor) {
	t.Helper()
	write(t, e, "actor/actor.gd", actor)
	for _, name := range []string{"Quit", "Crash", "Loop", "Noise", "Calm", "Stay"} {
		write(t, e, "actor/"+strings.ToLower(name)+".tscn", `[gd_scene format=3]

[ext_resource type="Script" path="res://actor/actor.gd" id="1"]

[node name="`+name+`" type="Node"]
script = ExtResource("1")
`)
	}
}

// A run is judged by its exit code, its time and what the engine complained of, with an editor at work on the
// same project or without, and leaves neither a process nor a changed file.
func TestRunHeadless(t *testing.T) {
	e := sharedEditor(t)
	addActor(t, e)
	cli(e).call(t, "file rescan", args{"wait": true, "timeout_ms": 60000}).ok(t)
	both(t, e, func(t *testing.T, s surface) {
		before := files(t, e)
		run := func(scene string, seconds float64) answer {
			t.Helper()
			return s.call(t, "game run-headless", args{"scene_path": "res://actor/" + scene + ".tscn", "timeout_seconds": seconds})
		}
		calm := run("calm", 60).ok(t)
		calm.has(t, map[string]string{"ran": "true", "passed": "true", "exit_code": "0", "timed_out": "false", "hung": "null", "errors": "[]", "warnings": "[]", "left_out": "0"})
		quit := run("quit", 60)
		quit.has(t, map[string]string{"ran": "true", "passed": "false", "exit_code": "3", "timed_out": "false", "errors": "[]"})
		noise := run("noise", 60)
		noise.has(t, map[string]string{
			"passed": "false", "exit_code": "0", "timed_out": "false", "hung": "null",
			"warnings.0.type": "user", "warnings.0.message": "careful", "warnings.0.source": "res://actor/actor.gd", "warnings.0.line": "16",
			"errors.0.type": "user", "errors.0.message": "oh no", "errors.0.line": "17", "errors.0.stack.0.function": "_ready",
			"errors.1.type": "script", "errors.1.message": "Cannot call method 'queue_free' on a null value.", "errors.1.source": "res://actor/actor.gd", "errors.1.line": "20",
			"errors.2": "null",
		})
		if output := noise.text("output"); !strings.Contains(output, `"hello SceneTree"`) || !strings.Contains(output, `"aside"`) || strings.Contains(output, "@@") {
			t.Errorf("the output is %s", output)
		}
		crash := run("crash", 60)
		crash.has(t, map[string]string{"passed": "false", "timed_out": "false"})
		if code, _ := crash.number("exit_code"); code == 0 || runtime.GOOS != "windows" && code < 128 {
			t.Errorf("a crash has the exit code %d", code)
		}
		if !strings.Contains(crash.text("errors"), "on purpose") || !strings.Contains(crash.text("errors"), `"crash"`) {
			t.Errorf("the crash has the errors %s", crash.text("errors"))
		}
		s.call(t, "game run-headless", args{"scene_path": "res://actor/none.tscn"}).fails(t, bridge.ResourceNotFound, "scene_path", "scene list")
		run("calm", 0).fails(t, bridge.ValidationError, "timeout_seconds", "above 0")
		same(t, "runs", before, files(t, e))
	})
	s := cli(e)
	run := func(scene string, seconds float64, expected bool) answer {
		t.Helper()
		return s.call(t, "game run-headless", args{"scene_path": "res://actor/" + scene + ".tscn", "timeout_seconds": seconds, "expected_timeout": expected})
	}
	run("stay", 6, true).ok(t).has(t, map[string]string{"passed": "true", "timed_out": "true", "exit_code": "null", "hung": "false"})
	run("stay", 1, false).has(t, map[string]string{"passed": "false", "timed_out": "true"})
	run("loop", 4, true).has(t, map[string]string{"passed": "false", "timed_out": "true", "hung": "true"})
	before := engineFiles(t, e)
	run("quit", 60, false)
	if after := engineFiles(t, e); after != before {
		t.Errorf("the engine's own files were\n%s\nand are after a run\n%s", before, after)
	}
	if left := enginesOf(t, e.Project, "--scene"); left != "" {
		t.Errorf("still at work: %s", left)
	}
	if got := run("quit", 60, false).exit; got != 10 {
		t.Errorf("a run that did not pass has the exit code %d", got)
	}
	older := e.Run("tool", "call", "runtime_run_and_capture", "--arguments", `{"scene":"res://actor/quit.tscn","timeout_seconds":60}`)
	if older.Exit != 10 || !strings.Contains(older.Stdout, `"exit_code":3`) || !strings.Contains(older.Stdout, `"ran":true`) {
		t.Errorf("by its older name: exit %d, %s %s", older.Exit, older.Stdout, older.Stderr)
	}
}

// engineFiles are the caches and imports that the editor keeps of the project, with their times.
func engineFiles(t *testing.T, e *Editor) string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"*.bin", "*.cfg", "imported/*"} {
		names, err := filepath.Glob(filepath.Join(e.Project, ".godot", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, fmt.Sprintf("%s %d %v", name, info.Size(), info.ModTime()))
		}
	}
	return strings.Join(found, "\n")
}

// enginesOf are the processes with the project and the word on their command line, where the system tells.
func enginesOf(t *testing.T, project, word string) string {
	t.Helper()
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var found []string
	for _, file := range all {
		text, _ := os.ReadFile(file)
		if line := strings.ReplaceAll(string(text), "\x00", " "); strings.Contains(line, project) && strings.Contains(line, " "+word+" ") && !strings.Contains(line, "sh -c") {
			found = append(found, line)
		}
	}
	return strings.Join(found, "\n")
}

// Of a project with one fault of each kind each is found once, with the command that leads on.
func TestDiagnoseFindsWhatIsBroken(t *testing.T) {
	e := ownWorkspace(t, "platformer2d")
	addActor(t, e)
	write(t, e, "broken.gd", "extends Node\n\n\nfunc f() -> void:\n\tnot_there()\n")
	write(t, e, "odd level.tscn", `[gd_scene format=3]

[ext_resource type="Texture2D" path="res://nope.png" id="1"]

[node name="Odd" type="Sprite2D"]
texture = ExtResource("1")
`)
	write(t, e, "newer.tscn", "[gd_scene format=3]\n\n[node name=\"Newer\" type=\"NoSuchClass\"]\n")
	write(t, e, "picture.png", "no picture")
	write(t, e, "dot.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle cx="4" cy="4" r="3"/></svg>`)
	write(t, e, "torn.tscn", "[gd_scene format=3]\n\n[node name=\"Torn\" type=\"Node\"]\nprocess_mode = Vector2(\n")
	write(t, e, "addons/gone/plugin.cfg", "[plugin]\n\nname=\"Gone\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1\"\nscript=\"gone.gd\"\n")
	write(t, e, "addons/gone/gone.gd", "@tool\nextends EditorPlugin\n")
	write(t, e, "deaf.tscn", "[gd_scene format=3]\n\n[node name=\"Deaf\" type=\"Node\"]\n\n[connection signal=\"nothing\" from=\".\" to=\".\" method=\"_on_gone\"]\n")
	file := filepath.Join(e.Project, "project.godot")
	settings, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(`"res://main.tscn"`, `"res://gone.tscn"`, `"res://addons/user/plugin.cfg"`, `"res://addons/user/plugin.cfg", "res://addons/gone/plugin.cfg"`).Replace(string(settings)) + "\n[autoload]\n\nGame=\"*res://lost.gd\"\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}

	without := cli(e).call(t, "project diagnose", args{"scene_path": "res://actor/quit.tscn"})
	without.has(t, map[string]string{"ok": "false", "bridge.bridge_connected": "false", "parse.ok": "null", "scene_tree": "null", "run.exit_code": "3"})
	wantFindings(t, e, without, map[string]string{
		"run_error res://lost.gd":         "game run-headless res://actor/quit.tscn",
		"exit_code res://actor/quit.tscn": "game run-headless res://actor/quit.tscn",
		"bridge ":                         "editor start",
	})

	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	cli(e).call(t, "editor wait", args{"for": "idle", "timeout_ms": 60000}).ok(t)
	made, err := filepath.Glob(filepath.Join(e.Project, ".godot", "imported", "dot.svg-*.ctex"))
	if err != nil || len(made) != 1 {
		t.Fatalf("the import of dot.svg made %q, %v", made, err)
	}
	for _, file := range []string{made[0], filepath.Join(e.Project, "addons", "gone", "plugin.cfg")} {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	open(t, e, "res://deaf.tscn")
	want := map[string]string{
		"not_imported res://dot.svg":                  "file rescan",
		"unreadable_scene res://torn.tscn":            "file read res://torn.tscn",
		"lost_connection res://deaf.tscn":             "scene reload res://deaf.tscn --dry-run",
		"missing_plugin res://addons/gone/plugin.cfg": "plugin list",
		"script_error res://broken.gd":                "script read res://broken.gd --start-line=1 --end-line=10",
		"missing_dependency res://odd level.tscn":     "resource list-dependencies 'res://odd level.tscn'",
		"missing_class res://newer.tscn":              "scene reload res://newer.tscn --dry-run",
		"import_failed res://picture.png":             "editor log --level=error",
		"missing_main_scene res://gone.tscn":          "project set-setting application/run/main_scene res://main.tscn",
		"missing_autoload res://lost.gd":              "autoload remove Game",
		"exit_code res://actor/quit.tscn":             "game run-headless res://actor/quit.tscn",
	}
	both(t, e, func(t *testing.T, s surface) {
		before := state(t, e)
		a := s.call(t, "project diagnose", args{"scene_path": "res://actor/quit.tscn", "timeout_seconds": 60})
		a.has(t, map[string]string{"ok": "false", "parse.ok": "false", "parse.skipped_reason": "null", "parse.errors.0.source": "res://broken.gd", "parse.errors.0.line": "5", "bridge.bridge_connected": "true", "run.exit_code": "3"})
		wantFindings(t, e, a, want)
		same(t, "diagnose", before, state(t, e))
	})
	s := cli(e)
	with := func(scene string, seconds float64, kind, path, fix string) {
		t.Helper()
		more := map[string]string{}
		for name, command := range want {
			more[name] = command
		}
		delete(more, "exit_code res://actor/quit.tscn")
		more[kind+" "+path] = fix
		wantFindings(t, e, s.call(t, "project diagnose", args{"scene_path": "res://actor/" + scene + ".tscn", "timeout_seconds": seconds}), more)
	}
	whole := map[string]string{}
	for name, command := range want {
		if !strings.HasPrefix(name, "exit_code") {
			whole[name] = command
		}
	}
	wantFindings(t, e, s.call(t, "project diagnose", args{"timeout_seconds": 60}), whole)
	with("loop", 4, "hang", "res://actor/loop.tscn", "game run-headless res://actor/loop.tscn --timeout-seconds=30")
	with("stay", 6, "timed_out", "res://actor/stay.tscn", "project diagnose res://actor/stay.tscn --expected-timeout")
	crash := s.call(t, "project diagnose", args{"scene_path": "res://actor/crash.tscn", "timeout_seconds": 60})
	if found := crash.text("findings"); strings.Count(found, `"crash"`) != 1 {
		t.Errorf("the crash is told as %s", found)
	}
	s.call(t, "project diagnose", args{"scene_path": "res://none.tscn"}).fails(t, bridge.ResourceNotFound, "scene_path", "scene list")
	older := e.Run("tool", "call", "debug_workflow", "--arguments", `{"scene":"res://actor/quit.tscn"}`)
	if !strings.Contains(older.Stdout, `"error: it needs res://nope.png, which is not there (res://odd level.tscn)"`) {
		t.Errorf("by its older name: exit %d, %s %s", older.Exit, older.Stdout, older.Stderr)
	}
}

// wantFindings checks what was found, as "kind path", and what to type; each command can be typed.
func wantFindings(t *testing.T, e *Editor, a answer, want map[string]string) {
	t.Helper()
	if a.err != nil {
		t.Fatal(a.err)
	}
	found := map[string]string{}
	for i := range a.value("findings").([]any) {
		at := fmt.Sprintf("findings.%d.", i)
		name, fix := a.text(at+"kind")+" "+a.text(at+"path"), a.text(at+"fix")
		if found[name] != "" && name != "run_error res://lost.gd" {
			t.Errorf("%s was found twice: %s", name, a.text("findings"))
		}
		found[name] = fix
		help := exec.Command("sh", "-c", strings.Replace(fix, "godot-mcp ", e.Bin+" ", 1)+" --help")
		help.Env = e.Env
		if out, err := help.CombinedOutput(); err != nil || strings.HasPrefix(string(out), "Drive a live Godot") {
			t.Errorf("%q cannot be typed: %v, %.200s", fix, err, out)
		}
		if !strings.Contains(a.text("suggestions"), asJSON(fix)) {
			t.Errorf("%s is not among the suggestions %s", fix, a.text("suggestions"))
		}
	}
	for _, name := range sortedKeys(want) {
		if !strings.HasPrefix(found[name], "godot-mcp "+want[name]) {
			t.Errorf("%s: the next command is %q, want %q", name, found[name], want[name])
		}
		delete(found, name)
	}
	if len(found) > 0 {
		t.Errorf("found besides: %v in %s", found, a.text("findings"))
	}
}

// A project of its own main loop runs as it is: no script of ours takes its place.
func TestRunHeadlessKeepsTheProjectsMainLoop(t *testing.T) {
	e := ownWorkspace(t, "empty")
	write(t, e, "loop.gd", "class_name OwnLoop\nextends SceneTree\n\n\nfunc _initialize() -> void:\n\tprint(\"own loop\")\n\tquit(0)\n")
	write(t, e, "override.cfg", "[application]\n\nrun/main_loop_type=\"OwnLoop\"\n")
	write(t, e, ".godot/global_script_class_cache.cfg", `list=[{"base":&"SceneTree","class":&"OwnLoop","icon":"","is_abstract":false,"is_tool":false,"language":&"GDScript","path":"res://loop.gd"}]`)
	a := cli(e).call(t, "game run-headless", nil).ok(t)
	if !strings.Contains(a.text("output"), `"own loop"`) || strings.Contains(a.text("command"), "--script") {
		t.Errorf("printed %s by %s", a.text("output"), a.text("command"))
	}
}
