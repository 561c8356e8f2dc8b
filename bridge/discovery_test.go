package bridge_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// project makes a folder with a project.godot.
func project(t testing.TB, dir string) string {
	t.Helper()
	write(t, filepath.Join(dir, "project.godot"), "config_version=5\n")
	return dir
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func symlink(t testing.TB, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		if runtime.GOOS == "windows" {
			return
		}
		t.Fatal(err)
	}
}

// parent is the process id of another process of ours that lives.
func parent() int { return os.Getppid() }

func wantEditor(t testing.TB, q bridge.Query, want *bridgetest.Editor) {
	t.Helper()
	got, err := bridge.Find(q)
	if err != nil {
		t.Fatalf("Find(%+v): %v", q, err)
	}
	if got.Port != want.Info().Port || got.Token.Secret() != want.Info().Token.Secret() {
		t.Errorf("Find(%+v): port %d, want %d", q, got.Port, want.Info().Port)
	}
}

func TestFindProjectWalksUpward(t *testing.T) {
	top := project(t, t.TempDir())
	inner := project(t, filepath.Join(top, "demos", "inner"))
	deep := filepath.Join(inner, "a", "b")
	other := filepath.Join(top, "demos", "other")
	for _, dir := range []string{deep, other} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{top: top, inner: inner, deep: inner, other: top} {
		got, err := bridge.FindProject(dir)
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v; want %s", dir, got, err, want)
		}
	}
}

func TestFindProjectFromWorkingDirectory(t *testing.T) {
	top := project(t, t.TempDir())
	t.Chdir(top)
	got, err := bridge.FindProject("")
	if err != nil || !bridge.SameDir(got, top) || !filepath.IsAbs(got) {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestFindProjectOutsideOne(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "project.godot"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := bridge.FindProject(dir)
	wantError(t, err, bridge.PreconditionFailed, "project_dir", "not inside a Godot project", "--project")
}

func TestFindProjectThroughSymlinkIntoProject(t *testing.T) {
	top := project(t, t.TempDir())
	sub := filepath.Join(top, "scenes")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "shortcut")
	symlink(t, sub, link)
	got, err := bridge.FindProject(link)
	if err != nil || !bridge.SameDir(got, top) {
		t.Errorf("got %s, %v; want %s", got, err, top)
	}
}

func TestF8_TwoEditorsCallReachesTheProjectAroundUs(t *testing.T) {
	shared := t.TempDir()
	x := bridgetest.New(t, bridgetest.Runtime(shared))
	y := bridgetest.New(t, bridgetest.Runtime(shared), bridgetest.PID(parent()))
	y.Reply("node.get", `{}`)
	sub := filepath.Join(y.Project, "scenes")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	c := &bridge.Client{Find: finder(bridge.Query{Dir: sub, Registry: y.Registry()})}
	defer func() { _ = c.Close() }()
	if _, err := call(c, "node.get", `{}`); err != nil {
		t.Fatal(err)
	}
	if len(y.Calls()) != 1 || len(x.Calls()) != 0 {
		t.Errorf("x got %d calls, y got %d", len(x.Calls()), len(y.Calls()))
	}
}

func TestF8_SpellingOfTheProjectDoesNotMatter(t *testing.T) {
	shared := t.TempDir()
	bridgetest.New(t, bridgetest.Runtime(shared))
	y := bridgetest.New(t, bridgetest.Runtime(shared), bridgetest.PID(parent()))
	link := filepath.Join(t.TempDir(), "link")
	symlink(t, y.Project, link)
	slash := string(filepath.Separator)
	for _, spelled := range []string{
		y.Project, y.Project + slash, link, link + slash, filepath.Join(y.Project, "project.godot"),
		y.Project + slash + "." + slash + ".." + slash + filepath.Base(y.Project),
	} {
		wantEditor(t, bridge.Query{Project: spelled, Dir: t.TempDir(), Registry: y.Registry()}, y)
	}
	upper := filepath.Join(filepath.Dir(y.Project), strings.ToUpper(filepath.Base(y.Project)))
	if bridge.SameDir(upper, y.Project) { // only on a disk that ignores letter case
		wantEditor(t, bridge.Query{Project: upper, Registry: y.Registry()}, y)
	}
}

func TestF8_NoMatchListsTheOthers(t *testing.T) {
	x := bridgetest.New(t)
	lonely := project(t, t.TempDir())
	_, err := bridge.Find(bridge.Query{Dir: lonely, Registry: x.Registry()})
	e := wantError(t, err, bridge.BridgeDisconnected, "bridge_connected",
		"godot-mcp editor start --project "+lonely, "godot-mcp addon install --project "+lonely,
		"--editor "+strconv.Itoa(x.Info().PID), x.Project)
	if strings.Index(e.Hint, "addon install") > strings.Index(e.Hint, "editor start") {
		t.Errorf("the addon must come first: %s", e.Hint)
	}
	write(t, filepath.Join(lonely, "addons", "godot_mcp_bridge", "plugin.cfg"), "")
	_, err = bridge.Find(bridge.Query{Project: lonely, Registry: x.Registry()})
	e = wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "godot-mcp editor start --project "+lonely)
	if strings.Contains(e.Hint, "addon install") {
		t.Errorf("the addon is there already: %s", e.Hint)
	}
}

func TestF8_StaleFileIsIgnoredAndSaidSo(t *testing.T) {
	e := bridgetest.New(t, bridgetest.PID(endedProcess(t)))
	_, err := bridge.Find(e.Query())
	wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", e.Info().File, "has ended")
	editors, ignored := bridge.Discover(e.Query())
	if len(editors) != 0 || len(ignored) != 1 || ignored[0].File != e.Info().File {
		t.Errorf("got %v, %v", editors, ignored)
	}
}

func TestF8_CopiedProjectDoesNotLeadToTheOriginal(t *testing.T) {
	e := bridgetest.New(t)
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(e.Project)); err != nil {
		t.Fatal(err)
	}
	// CopyFS does not keep modes.
	info := e.Info()
	info.File = strings.Replace(info.File, e.Project, copied, 1)
	if err := os.RemoveAll(filepath.Dir(info.File)); err != nil {
		t.Fatal(err)
	}
	if err := bridgetest.WriteBridgeFile(info); err != nil {
		t.Fatal(err)
	}
	_, err := bridge.Find(bridge.Query{Dir: copied, Registry: filepath.Join(copied, "none")})
	wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "is about another project, "+e.Project)
}

func TestF8_PortTakenBySomethingElseIsSaidSo(t *testing.T) {
	e := bridgetest.New(t, bridgetest.RefuseHandshake(404))
	c := &bridge.Client{Find: finder(e.Query())}
	_, err := call(c, "node.get", `{}`)
	wantError(t, err, bridge.BridgeDisconnected, "bridge_token", "status 404", e.Info().File, "godot-mcp editor list")
}

func TestFindSeveralEditorsOfOneProject(t *testing.T) {
	dir := t.TempDir()
	a := bridgetest.New(t, bridgetest.Project(dir))
	b := bridgetest.New(t, bridgetest.Project(dir), bridgetest.PID(parent()))
	_, err := bridge.Find(a.Query())
	wantError(t, err, bridge.PreconditionFailed, "bridge_connected",
		"2 editors", "--editor "+strconv.Itoa(a.Info().PID)+"  ", "--editor "+strconv.Itoa(b.Info().PID)+"  ")
	q := a.Query()
	q.PID = b.Info().PID
	wantEditor(t, q, b)
}

func TestFindByPIDGoesBeforeProject(t *testing.T) {
	shared := t.TempDir()
	x := bridgetest.New(t, bridgetest.Runtime(shared))
	y := bridgetest.New(t, bridgetest.Runtime(shared), bridgetest.PID(parent()))
	wantEditor(t, bridge.Query{PID: x.Info().PID, Project: y.Project, Registry: x.Registry()}, x)
	wantEditor(t, bridge.Query{PID: x.Info().PID, Project: "not there", Registry: x.Registry()}, x)
	wantEditor(t, bridge.Query{PID: x.Info().PID, Dir: x.Project, Registry: "/nowhere"}, x)
	_, err := bridge.Find(bridge.Query{PID: 1 << 30, Dir: y.Project, Registry: x.Registry()})
	wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "1073741824", x.Project, y.Project, "godot-mcp editor list")
}

func TestFindNamedProjectThatIsNone(t *testing.T) {
	top := project(t, t.TempDir())
	sub := filepath.Join(top, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{t.TempDir(), sub, filepath.Join(top, "missing")} {
		_, err := bridge.Find(bridge.Query{Project: dir, Registry: "/nowhere"})
		wantError(t, err, bridge.PreconditionFailed, "project_dir", dir, "project.godot")
	}
}

func TestFindOutsideAProject(t *testing.T) {
	outside := t.TempDir()
	shared := t.TempDir()
	q := bridge.Query{Dir: outside, Registry: filepath.Join(shared, "godot-mcp", "editors")}
	_, err := bridge.Find(q)
	wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "godot-mcp editor start")
	x := bridgetest.New(t, bridgetest.Runtime(shared))
	wantEditor(t, q, x)
	y := bridgetest.New(t, bridgetest.Runtime(shared), bridgetest.PID(parent()))
	_, err = bridge.Find(q)
	wantError(t, err, bridge.PreconditionFailed, "bridge_connected", x.Project, y.Project)
}

func TestFindBothHiddenFolders(t *testing.T) {
	for _, name := range []string{".godot", "godot"} {
		e := bridgetest.New(t, bridgetest.HiddenFolder(name))
		wantEditor(t, bridge.Query{Dir: e.Project, Registry: "/nowhere"}, e)
	}
}

func TestFindDoesNotReadTheRegistryWhenTheProjectAnswers(t *testing.T) {
	e := bridgetest.New(t)
	// A registry that would be found broken if it were read.
	write(t, filepath.Join(e.Registry(), "99.json"), "rubbish")
	wantEditor(t, e.Query(), e)
	_, ignored := bridge.Discover(e.Query())
	if len(ignored) != 1 {
		t.Errorf("Discover ignored %v, want the broken entry", ignored)
	}
}

func TestRegistryDir(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", dir)
	if got, want := bridge.RegistryDir(), filepath.Join(dir, "godot-mcp", "editors"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, unusable := range []string{"", "relative"} {
		t.Setenv("XDG_RUNTIME_DIR", unusable)
		cache, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := bridge.RegistryDir(), filepath.Join(cache, "godot-mcp", "editors"); got != want {
			t.Errorf("%q: got %s, want %s", unusable, got, want)
		}
	}
}

func TestFindUsesTheEnvironmentsRegistry(t *testing.T) {
	e := bridgetest.New(t)
	e.Setenv(t)
	wantEditor(t, bridge.Query{Dir: t.TempDir()}, e)
}

func TestDiscoverListsEachEditorOnce(t *testing.T) {
	shared := t.TempDir()
	x := bridgetest.New(t, bridgetest.Runtime(shared))
	y := bridgetest.New(t, bridgetest.Runtime(shared), bridgetest.PID(parent()))
	editors, ignored := bridge.Discover(y.Query())
	if len(editors) != 2 || len(ignored) != 0 {
		t.Fatalf("got %d editors, ignored %v", len(editors), ignored)
	}
	if editors[0].PID != y.Info().PID || editors[1].PID != x.Info().PID {
		t.Error("the project's own editor does not come first")
	}
	q := y.Query()
	q.PID = x.Info().PID
	editors, _ = bridge.Discover(q)
	if len(editors) != 1 || editors[0].PID != x.Info().PID {
		t.Errorf("with a process id: %d editors", len(editors))
	}
}

func TestHintsListOnlyAFew(t *testing.T) {
	dir := project(t, t.TempDir())
	for pid := 1; pid <= 20; pid++ {
		write(t, filepath.Join(dir, ".godot", "godot_mcp_bridge", strconv.Itoa(pid)+".json"), "{")
	}
	_, err := bridge.Find(bridge.Query{Dir: dir, Registry: "/nowhere"})
	e := wantError(t, err, bridge.BridgeDisconnected, "bridge_connected", "and 12 more")
	if n := strings.Count(e.Hint, "is not the JSON"); n != 8 {
		t.Errorf("%d reasons are listed", n)
	}
}

func TestPathsAreQuotedForTheShell(t *testing.T) {
	dir := project(t, filepath.Join(t.TempDir(), "my game's"))
	_, err := bridge.Find(bridge.Query{Dir: dir, Registry: "/nowhere"})
	e := wantError(t, err, bridge.BridgeDisconnected, "bridge_connected")
	if runtime.GOOS != "windows" && !strings.Contains(e.Hint, `/my game'\''s'`) {
		t.Errorf("hint %q", e.Hint)
	}
}

func TestHiddenFolder(t *testing.T) {
	dir := project(t, t.TempDir())
	if got, want := bridge.HiddenFolder(dir), filepath.Join(dir, ".godot"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	write(t, filepath.Join(dir, "project.godot"), "[application]\nconfig/use_hidden_project_data_directory=false\n")
	if got, want := bridge.HiddenFolder(dir), filepath.Join(dir, "godot"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
