package testbed

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
)

// emptyProject is a started editor on a project without any file, that wants more of scripts than the engine
// does by itself.
func emptyProject(t *testing.T) *Editor {
	t.Helper()
	e := ownWorkspace(t, "empty")
	if err := os.Remove(onDisk(e, "res://main.tscn")); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(read(t, e, projectFile), "run/main_scene=\"res://main.tscn\"\n", "", 1) + "\n[debug]\n\ngdscript/warnings/untyped_declaration=1\n"
	for _, warning := range []string{"unsafe_property_access", "unsafe_method_access", "unsafe_cast", "unsafe_call_argument"} {
		text += "gdscript/warnings/" + warning + "=1\n"
	}
	write(t, e, "project.godot", text)
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	return e
}

// contents are the project's files by name with their digests, without times.
func contents(t *testing.T, e *Editor) map[string]string {
	t.Helper()
	found := files(t, e)
	for name, print := range found {
		found[name], _, _ = strings.Cut(print, " ")
	}
	return found
}

// What the games print when testbed/scaffold/*.gd plays them.
var played = map[string]string{
	"2d_platformer": "stands true\ncoins 1\njumps true\nrespawned true\nfinished true\n",
	"3d_fps":        "stands true\npoints 10\nstopped by the wall true\ncleared true\n",
	"top_down_rpg":  "stopped by the elder true\nhears Elder true\nfree again true\ncarries 2\nsees 2 × Potion\n",
	"visual_novel": "nothing kept true\nreads Rain.\ntitle true, kept true\nchoices 2\nwaits for an answer true\n" +
		"reads The street\ntitle true, kept false\n",
}

// TestScaffold makes each game, checks its scripts, opens and saves its scenes, runs and plays it, and takes it
// back, all in one project.
func TestScaffold(t *testing.T) {
	e := emptyProject(t)
	surfaces := []surface{cli(e), mcpSession(t, e)}
	for i, template := range addon.Templates() {
		t.Run(template, func(t *testing.T) {
			s := surfaces[i%2]
			before := contents(t, e)
			a := args{"template": template, "main_scene": "game", "project_name": "My Game", "confirm": true}
			made := previewed(t, e, s, "project scaffold", a)
			made.has(t, map[string]string{"created": "true", "persisted": "true", "undoable": "true", "rescan_pending": "false"})
			after := contents(t, e)
			checkMade(t, e, s, template, made)

			s.call(t, "script check", nil).ok(t).has(t, map[string]string{"ok": "true", "errors": "[]"})
			checkRuns(t, e)
			checkPlays(t, e, template)
			same(t, "running the game", after, contents(t, e))

			s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "project scaffold", "history": "global", "undone": "1"})
			same(t, "scaffold and undo", before, contents(t, e))
			s.call(t, "project info", nil).ok(t).has(t, map[string]string{"main_scene": "null", "autoloads": "[]", "input_actions": "[]", "name": "Empty"})
			s.call(t, "redo", nil).ok(t).has(t, map[string]string{"last_action": "project scaffold"})
			same(t, "redo", after, contents(t, e))
			s.call(t, "file rescan", args{"timeout_ms": 60000}).ok(t).has(t, map[string]string{"scanned": "true"})
			s.call(t, "script check", nil).ok(t).has(t, map[string]string{"ok": "true", "errors": "[]"})

			checkSaves(t, e, s, made)
			s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "project scaffold", "undone": "1"})
			same(t, "saves, and undo", before, contents(t, e))
		})
	}
}

// checkMade compares the files with the templates, and the settings with what was told.
func checkMade(t *testing.T, e *Editor, s surface, template string, made answer) {
	t.Helper()
	texts, _ := addon.Template(template)
	var paths []string
	for name, text := range texts {
		path := strings.Replace("res://"+name, "res://main.", "res://game.", 1)
		paths = append(paths, path)
		want := strings.ReplaceAll(text, "res://main.", "res://game.")
		if got := masked(read(t, e, path)); got != masked(want) {
			t.Errorf("%s holds\n%s\nthe template\n%s", path, got, want)
		}
		uid := s.call(t, "file resolve-uid", args{"value": path}).ok(t).text("uid")
		if !strings.HasPrefix(uid, "uid://") {
			t.Errorf("%s has the uid %s", path, uid)
		}
	}
	slices.Sort(paths)
	if got := made.text("paths_created"); got != asJSON(paths) {
		t.Errorf("it told of %s, made were %s", got, asJSON(paths))
	}
	info := s.call(t, "project info", nil).ok(t).has(t, map[string]string{"main_scene": "res://game.tscn", "name": "My Game"})
	autoloads, _ := made.value("autoloads_registered").([]any)
	for _, name := range autoloads {
		if !strings.Contains(info.text("autoloads"), fmt.Sprintf(`"enabled":true,"name":%q`, name)) {
			t.Errorf("%v is no autoload: %s", name, info.raw)
		}
	}
	changed, _ := made.value("settings_changed").([]any)
	for _, name := range changed {
		s.call(t, "project get-setting", args{"name": name}).ok(t).has(t, map[string]string{"exists": "true"})
	}
	if len(autoloads) == 0 || len(changed) < 5 {
		t.Errorf("it told of %s", made.raw)
	}
}

// checkSaves opens and saves each scene: the engine adds ids and nothing else.
func checkSaves(t *testing.T, e *Editor, s surface, made answer) {
	t.Helper()
	paths, _ := made.value("paths_created").([]any)
	for _, path := range paths {
		scene := path.(string)
		if !strings.HasSuffix(scene, ".tscn") {
			continue
		}
		before := read(t, e, scene)
		s.call(t, "scene open", args{"scene_path": scene}).ok(t).has(t, map[string]string{"opened": "true", "missing": "[]", "warnings": "[]"})
		s.call(t, "scene save", nil).ok(t)
		if got := lineDiff(masked(before), masked(read(t, e, scene))); got != "" {
			t.Errorf("saving %s changed\n%s", scene, got)
		}
		s.call(t, "scene close", args{"scene_path": scene, "confirm": true}).ok(t)
	}
}

var errorLine = regexp.MustCompile(`(?m)^(SCRIPT )?(ERROR|WARNING|USER)\b.*`)

// game runs the project without an editor.
func game(t *testing.T, e *Editor, flags ...string) string {
	t.Helper()
	godot, err := Godot()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), godot, append([]string{"--headless", "--no-header", "--path", e.Project, "--fixed-fps", "60"}, flags...)...)
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil || errorLine.Match(out) {
		t.Errorf("the game %v: %v\n%s", flags, err, out)
	}
	return string(out)
}

func checkRuns(t *testing.T, e *Editor) {
	t.Helper()
	if out := game(t, e, "--quit-after", "60"); strings.TrimSpace(out) != "" {
		t.Errorf("sixty frames of the game print\n%s", out)
	}
}

// checkPlays lets a script press the buttons.
func checkPlays(t *testing.T, e *Editor, template string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root(), "testbed", "scaffold", template+".gd"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, e, "play.gd", string(text))
	if out := game(t, e, "--quit-after", "3600", "--script", "res://play.gd"); out != played[template] {
		t.Errorf("the game printed\n%s\nwant\n%s", out, played[template])
	}
	for _, name := range []string{"play.gd", "play.gd.uid"} {
		if err := os.Remove(onDisk(e, "res://"+name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// TestScaffoldOverwritesNothing: what is there already is named, and what the project says itself stays.
func TestScaffoldOverwritesNothing(t *testing.T) {
	e := emptyProject(t)
	const tool = "project scaffold"
	platformer := args{"template": "2d_platformer", "confirm": true}
	s := cli(e)
	refused := func(a args, required string, words ...string) {
		t.Helper()
		before := state(t, e)
		for _, dry := range []bool{true, false} {
			s.call(t, tool, a.with("dry_run", dry)).fails(t, bridge.ValidationError, required, words...)
		}
		same(t, "a refused scaffold", before, state(t, e))
	}
	write(t, e, "main.tscn", scene2d("Mine"))
	refused(platformer, "main_scene", "res://main.tscn", "nothing is overwritten")
	write(t, e, "player/player.gd", "extends Node\n")
	refused(platformer, "template", "res://main.tscn, res://player/player.gd")
	refused(platformer.with("main_scene", "levels"), "template", "res://player/player.gd")
	for _, path := range []string{"main.tscn", "player/player.gd"} {
		if err := os.Remove(onDisk(e, "res://"+path)); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []string{"../out", "res://.godot/x.tscn", "main.scn", "res://addons/godot_mcp_bridge/x.tscn", "res://", "pickups/coin", "player/Player", "a?b", ".hidden/x", "nul"} {
		refused(platformer.with("main_scene", bad), "main_scene")
	}
	s.call(t, tool, args{"template": "2d_platformer"}).fails(t, bridge.PreconditionFailed, "confirm")
	s.call(t, tool, args{"template": "pong", "confirm": true}).fails(t, bridge.ValidationError, "template", "2d_platformer")

	s.call(t, "script write", args{"script_path": "res://hero.gd", "content": "class_name Player\nextends Node\n"}).ok(t)
	refused(platformer, "template", "res://hero.gd", "Player")
	s.call(t, "script write", args{"script_path": "res://hero.gd", "content": "extends Node\n"}).ok(t)
	s.call(t, "autoload add", args{"name": "Score", "path": "res://hero.gd"}).ok(t)
	refused(platformer, "template", "Score", "autoload list")
	s.call(t, "undo", args{"count": 3}).ok(t)

	s.call(t, "input-map add-action", args{"action": "jump"}).ok(t)
	s.call(t, "project set-setting", setting("layer_names/2d_physics/layer_1", "ground")).ok(t)
	before := contents(t, e)
	made := previewed(t, e, s, tool, platformer.with("main_scene", "levels/start.tscn"))
	for _, kept := range []string{"input/jump", "layer_names/2d_physics/layer_1", "application/config/name"} {
		if strings.Contains(made.text("settings_changed"), `"`+kept+`"`) {
			t.Errorf("%s was the project's own: %s", kept, made.raw)
		}
	}
	s.call(t, "input-map list-events", args{"action": "jump"}).ok(t).has(t, map[string]string{"events": "[]"})
	s.call(t, "project info", nil).ok(t).has(t, map[string]string{"main_scene": "res://levels/start.tscn", "name": "Empty"})
	if text := read(t, e, "res://levels/start.tscn"); !strings.Contains(text, `"res://levels/start.gd"`) {
		t.Errorf("the main scene has no script beside it:\n%s", text)
	}
	s.call(t, "undo", nil).ok(t)
	same(t, "undo", before, contents(t, e))
}

// TestScaffoldInABatch is one step with the others, and is taken back when one of them fails.
func TestScaffoldInABatch(t *testing.T) {
	e := emptyProject(t)
	scaffold := args{"command": "project scaffold", "params": args{"template": "visual_novel", "confirm": true}}
	both(t, e, func(t *testing.T, s surface) {
		before := contents(t, e)
		fails := []args{scaffold, {"command": "project set-setting", "params": setting("no/such", 1)}}
		s.call(t, "batch run", args{"commands": fails, "atomic": true})
		same(t, "a batch that failed", before, contents(t, e))
		good := []args{scaffold, {"command": "project set-setting", "params": setting("application/run/max_fps", 60)}}
		s.call(t, "batch run", args{"commands": good, "atomic": true}).ok(t)
		s.call(t, "project info", nil).ok(t).has(t, map[string]string{"main_scene": "res://main.tscn"})
		s.call(t, "undo", nil).ok(t).has(t, map[string]string{"last_action": "batch run", "undone": "1"})
		same(t, "undo of the batch", before, contents(t, e))
	})
}

// TestScaffoldByItsOlderName takes the older server's parameters and defaults.
func TestScaffoldByItsOlderName(t *testing.T) {
	e := emptyProject(t)
	both(t, e, func(t *testing.T, s surface) {
		before := contents(t, e)
		older := args{"type": "top_down_rpg", "project_name": "", "main_scene": "", "confirm": true}
		s.call(t, "tool call", args{"tool": "godot_project_scaffold", "arguments": older}).ok(t).has(t,
			map[string]string{"created": "true", "autoloads_registered": `["Inventory"]`, "dry_run": "false"})
		s.call(t, "project info", nil).ok(t).has(t, map[string]string{"main_scene": "res://main.tscn", "name": "Empty"})
		s.call(t, "undo", nil).ok(t)
		same(t, "undo", before, contents(t, e))
	})
}
