package testbed

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// graceTime is kept for ending the editor when the tests take too long.
const graceTime = 10 * time.Second

// One editor lives at a time. Most tests share it, each with scene files of its own; a test that needs
// one to itself takes ownEditor, and the next test that shares starts a new one. The tests of the sample
// odd share another.
var shared, odd sharing

// sharing is an editor that several tests use, with its project.
type sharing struct {
	dir     string
	editor  *Editor
	running bool
}

func TestMain(m *testing.M) {
	flag.Parse()
	// The testing package ends an overdue process without a word to the editor.
	if limit := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration); limit > graceTime {
		time.AfterFunc(limit-graceTime, func() { _ = stopShared() })
	}
	code := m.Run()
	if err := stopShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if code == 0 && flag.Lookup("test.run").Value.String() == "" {
		code = checkAllCalled()
	}
	for _, s := range []sharing{shared, odd} {
		if s.dir != "" {
			_ = os.RemoveAll(s.dir)
		}
	}
	RemoveBinary()
	os.Exit(code)
}

// called holds the tools that were called on the real engine, by name.
var called sync.Map

// checkAllCalled fails a whole run in which some tool of the table never met the engine.
func checkAllCalled() int {
	code := 0
	for _, tool := range commands.All().Tools {
		if _, ok := called.Load(tool.Name); !ok {
			fmt.Fprintf(os.Stderr, "no test on the real engine calls %s\n", tool.Name)
			code = 1
		}
	}
	return code
}

// sharedEditor is the editor on a project made of the samples platformer2d and level3d, the person at the
// editor (testbed/user) and what the test itself adds.
func sharedEditor(t *testing.T) *Editor {
	t.Helper()
	return shared.start(t, sharedProject)
}

// start gives the running editor, or ends another one and starts this.
func (s *sharing) start(t *testing.T, project func(t *testing.T, to string) string) *Editor {
	t.Helper()
	if s.running {
		return s.editor
	}
	if err := stopShared(); err != nil {
		t.Fatal(err)
	}
	if s.editor == nil {
		dir, err := os.MkdirTemp("", "godot-mcp-shared-")
		if err == nil {
			dir, err = filepath.EvalSymlinks(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.dir = dir
		s.editor, err = Workspace(project(t, filepath.Join(dir, "project")), dir)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.editor.Start(); err != nil {
		t.Fatal(err)
	}
	s.running = true
	checkLog(t, s.editor)
	return s.editor
}

func sharedProject(t *testing.T, to string) string {
	t.Helper()
	level := filepath.Join(to, "level3d")
	for _, part := range []struct{ to, from string }{{to, "platformer2d"}, {level, "level3d"}} {
		if err := copyTree(part.to, filepath.Join(Root(), "testbed", "projects", part.from)); err != nil {
			t.Fatal(err)
		}
	}
	// The second project's files refer to each other from the top folder.
	for _, name := range []string{"crate.tscn", "gold_crate.tscn", "level.tscn", "ground.tres"} {
		if err := os.Rename(filepath.Join(level, name), filepath.Join(to, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(level); err != nil {
		t.Fatal(err)
	}
	addUser(t, to)
	return to
}

// addUser puts the person at the editor into a project.
func addUser(t *testing.T, project string) {
	t.Helper()
	if err := copyTree(filepath.Join(project, "addons", "user"), filepath.Join(Root(), "testbed", "user")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(project, "project.godot")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	more := "\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/user/plugin.cfg\")\n"
	if err := os.WriteFile(file, append(text, more...), 0o644); err != nil {
		t.Fatal(err)
	}
}

func stopShared() error {
	return errors.Join(shared.stop(), odd.stop())
}

func (s *sharing) stop() error {
	if !s.running {
		return nil
	}
	s.running = false
	return end(s.editor)
}

// end stops an editor, by its process when it does not listen to us.
func end(e *Editor) error {
	followRestart(e)
	if !bridge.Alive(e.PID) {
		return nil
	}
	err := e.Stop()
	if err == nil || !bridge.Alive(e.PID) {
		return err
	}
	process, found := os.FindProcess(e.PID)
	if found != nil {
		return errors.Join(err, found)
	}
	return errors.Join(err, process.Kill())
}

// followRestart finds the process that an editor went on in after a call had restarted it.
func followRestart(e *Editor) {
	if bridge.Alive(e.PID) {
		return
	}
	editors, _ := bridge.Discover(bridge.Query{Project: e.Project})
	for _, ed := range editors {
		if bridge.SameDir(ed.ProjectPath, e.Project) {
			e.PID = ed.PID
		}
	}
}

// ownWorkspace is a copy of a sample project for a test that starts and stops editors itself. The shared
// editor is ended first.
func ownWorkspace(t *testing.T, name string) *Editor {
	t.Helper()
	if err := stopShared(); err != nil {
		t.Fatal(err)
	}
	project := CopyProject(t, name)
	addUser(t, project)
	e, err := Workspace(project, filepath.Dir(project))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if log, err := os.ReadFile(filepath.Join(e.Project, ".godot", "godot_mcp_bridge", "editor.log")); err == nil && t.Failed() {
			t.Logf("the editor said:\n%s", log[max(0, len(log)-3000):])
		}
		if e.PID == 0 {
			return
		}
		if err := end(e); err != nil {
			t.Error(err)
		}
	})
	return e
}

// ownEditor is a started editor of the test's own.
func ownEditor(t *testing.T, name string) *Editor {
	t.Helper()
	e := ownWorkspace(t, name)
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	checkLog(t, e)
	return e
}

// checkLog fails when the addon's scripts do not compile as strictly as the project asks, which the engine
// only prints.
func checkLog(t *testing.T, e *Editor) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(e.Project, ".godot", "godot_mcp_bridge", "editor.log"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(log), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "SCRIPT ERROR") {
			t.Errorf("%s %s", line, strings.TrimSpace(lines[min(i+1, len(lines)-1)]))
		}
	}
}

// seen is what the person at the editor reports.
type seen struct {
	Active      string
	Description string
	Open        []string
	Roots       int
	SleepUsec   int `json:"sleep_usec"`
	// Script is what the script editor shows.
	Script struct {
		Text    string
		Unsaved bool
		Dialogs []string
	}
	// Shader is what the shader editor showed when it was last looked at.
	Shader string
}

// user has the person at the editor do something and returns what is seen afterwards.
func user(t *testing.T, e *Editor, do, text string) seen {
	t.Helper()
	folder := filepath.Join(e.Project, ".godot", "user")
	answer := filepath.Join(folder, "answer.json")
	order, err := json.Marshal(map[string]string{"do": do, "text": text})
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "order.new"), order, 0o644)
	}
	if err == nil {
		err = os.Rename(filepath.Join(folder, "order.new"), filepath.Join(folder, "order.json"))
	}
	if err != nil {
		t.Fatal(err)
	}
	var found seen
	await(t, "the person at the editor to "+do, func() bool {
		text, err := os.ReadFile(answer)
		if err != nil {
			return false
		}
		if err := json.Unmarshal(text, &found); err != nil {
			t.Fatal(err)
		}
		return true
	})
	if err := os.Remove(answer); err != nil {
		t.Fatal(err)
	}
	return found
}

// await looks for something that no event tells of, such as a file of another process.
func await(t *testing.T, what string, there func() bool) {
	t.Helper()
	awaitEvery(t, 2*time.Millisecond, what, there)
}

// awaitEvery is await for what costs something to look at.
func awaitEvery(t *testing.T, pause time.Duration, what string, there func() bool) {
	t.Helper()
	limit := time.After(time.Minute)
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for !there() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// write puts a file of the test's own into the editor's project and returns its res:// path.
func write(t *testing.T, e *Editor, name, text string) string {
	t.Helper()
	file := filepath.Join(e.Project, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return "res://" + name
}

// read returns the text of a res:// file.
func read(t *testing.T, e *Editor, res string) string {
	t.Helper()
	text, err := os.ReadFile(onDisk(e, res))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func onDisk(e *Editor, res string) string {
	return filepath.Join(e.Project, filepath.FromSlash(strings.TrimPrefix(res, "res://")))
}

// open opens a scene of the test's own, which is closed with the test.
func open(t *testing.T, e *Editor, res string) string {
	t.Helper()
	if answer := cli(e).call(t, "scene open", args{"scene_path": res}).ok(t); answer.text("opened") != "true" {
		t.Fatalf("%s was not opened: %s", res, answer.raw)
	}
	t.Cleanup(func() { closeTab(t, e, res) })
	return res
}

// openScene writes a scene of the test's own and opens it.
func openScene(t *testing.T, e *Editor, name, text string) string {
	t.Helper()
	return open(t, e, write(t, e, name, text))
}

// openLarge is openScene for a scene that is slow to look at: when the test is done its tab is closed, so that
// the tests after it do not look at it again and again as the scene that is in front.
func openLarge(t *testing.T, e *Editor, name, text string) string {
	t.Helper()
	scene := openScene(t, e, name, text)
	t.Cleanup(func() { closeTab(t, e, scene) })
	return scene
}

// closeTab takes an open scene out of the editor, without saving.
func closeTab(t *testing.T, e *Editor, res string) {
	t.Helper()
	if front := user(t, e, "tab", res); front.Active != res {
		t.Fatalf("%s is not to be had in front of %v, %q is", res, front.Open, front.Active)
	}
	if left := user(t, e, "close", ""); strings.Contains(strings.Join(left.Open, " "), res) {
		t.Fatalf("%s is still open: %v", res, left.Open)
	}
}
