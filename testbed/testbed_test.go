package testbed

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fakeGodot writes a program that answers --version and returns its path.
func fakeGodot(t *testing.T, dir, name, version string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	script := "#!/bin/sh\necho '" + version + "'\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// isolate hides this machine's own engines: it makes an empty folder the whole
// PATH, and another one the cache.
func isolate(t *testing.T) (bin, cache string) {
	t.Helper()
	bin, cache = t.TempDir(), t.TempDir()
	t.Setenv("GODOT_BIN", "")
	t.Setenv("GODOT_MCP_TEST_CACHE", cache)
	t.Setenv("PATH", bin)
	return bin, cache
}

func TestAccepted(t *testing.T) {
	for version, want := range map[string]bool{
		"4.5.stable.official.876b29033":  true,
		"4.6.3.stable.debian4.6.3+ds-2":  true,
		"4.10.stable":                    true,
		"4.5":                            true,
		"4.4.1.stable":                   false,
		"4.stable":                       false,
		"3.6.stable":                     false,
		"5.0.dev1":                       false,
		"14.5":                           false,
		"":                               false,
		"Godot Engine v4.6.stable - ...": false,
	} {
		if got := accepted(version); got != want {
			t.Errorf("accepted(%q) = %v, want %v", version, got, want)
		}
	}
}

func TestGodotOrder(t *testing.T) {
	bin, cache := isolate(t)
	if got, err := Godot(); err == nil || !strings.Contains(err.Error(), "make test") {
		t.Fatalf("with no engine: %q, %v; want an error that tells the way", got, err)
	}

	cached := fakeGodot(t, filepath.Join(cache, "bin"), "godot", "4.6.3.stable")
	wantGodot(t, cached)

	old := fakeGodot(t, bin, "godot", "3.6.stable")
	wantGodot(t, cached)

	onPath := fakeGodot(t, bin, "godot4", "4.5.stable")
	wantGodot(t, onPath)

	t.Setenv("GODOT_BIN", old)
	wantGodot(t, old)

	t.Setenv("GODOT_BIN", filepath.Join(bin, "absent"))
	if got, err := Godot(); err == nil {
		t.Errorf("with a GODOT_BIN that is not there: %q, want an error", got)
	}
}

func wantGodot(t *testing.T, want string) {
	t.Helper()
	if got, err := Godot(); err != nil || got != want {
		t.Errorf("Godot() = %q, %v; want %q", got, err, want)
	}
}

func TestRootThroughALink(t *testing.T) {
	root := Root()
	if _, err := os.Stat(filepath.Join(root, "testbed", "testbed.go")); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(root, "testbed", "projects"), link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(link)
	if got := Root(); got != root {
		t.Errorf("Root() = %q below a link, want %q", got, root)
	}
}

func TestRootPanicsOutside(t *testing.T) {
	t.Chdir(t.TempDir())
	defer func() {
		if recover() == nil {
			t.Error("Root() found a module where there is none")
		}
	}()
	Root()
}

func TestCopyProject(t *testing.T) {
	project := CopyProject(t, "platformer2d")
	for _, name := range []string{"project.godot", "main.tscn", "player.gd", ".gitignore"} {
		want, err := os.ReadFile(filepath.Join(Root(), "testbed", "projects", "platformer2d", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(project, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: differs from the original (%v)", name, err)
		}
	}
	if resolved, err := filepath.EvalSymlinks(project); err != nil || resolved != project {
		t.Errorf("%s resolves to %s, %v", project, resolved, err)
	}
}

func TestCopyTreeLeavesTheEnginesCacheBehind(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	if err := os.MkdirAll(filepath.Join(from, ".godot", "editor"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(from, "a.txt"), []byte("a"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := copyTree(to, from); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(to, ".godot")); err == nil {
		t.Error(".godot was copied")
	}
	if err := os.WriteFile(filepath.Join(to, "a.txt"), []byte("b"), 0); err != nil {
		t.Errorf("the copy of a read-only file cannot be written: %v", err)
	}
}

var (
	resPath = regexp.MustCompile(`"\*?(res://[^":]+)"`)
	extUID  = regexp.MustCompile(`^\[ext_resource .*uid="(uid://[a-y0-8]+)" path="res://([^"]+)"`)
	headUID = regexp.MustCompile(`^\[gd_(?:scene|resource) .*uid="(uid://[a-y0-8]+)"\]`)
)

// TestProjectsAreWhole looks for slips that the engine would mend or only warn of:
// a file that is named but absent, and a uid that two files have or that is not
// the named file's own.
func TestProjectsAreWhole(t *testing.T) {
	projects, err := filepath.Glob(filepath.Join(Root(), "testbed", "projects", "*", "project.godot"))
	if err != nil || len(projects) < 5 {
		t.Fatalf("sample projects: %v, %v", projects, err)
	}
	for _, file := range projects {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			uids := projectUIDs(t, dir)
			for name, text := range projectTexts(t, dir) {
				for _, m := range resPath.FindAllStringSubmatch(text, -1) {
					if _, err := os.Stat(filepath.Join(dir, strings.TrimPrefix(m[1], "res://"))); err != nil {
						t.Errorf("%s names %s, which is absent", name, m[1])
					}
				}
				for line := range strings.Lines(text) {
					if m := extUID.FindStringSubmatch(line); m != nil && uids[m[1]] != m[2] {
						t.Errorf("%s: %s is the uid of %q, not of %q", name, m[1], uids[m[1]], m[2])
					}
				}
			}
		})
	}
}

// projectTexts returns the text files of a project by name.
func projectTexts(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.godot", "*.tscn", "*.tres", "*.gd", "*.uid"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.Base(file)] = string(data)
		}
	}
	return texts
}

// projectUIDs returns which file has which uid.
func projectUIDs(t *testing.T, dir string) map[string]string {
	t.Helper()
	uids := map[string]string{}
	for name, text := range projectTexts(t, dir) {
		uid := ""
		if script, ok := strings.CutSuffix(name, ".uid"); ok {
			uid, name = strings.TrimSpace(text), script
		} else if m := headUID.FindStringSubmatch(text); m != nil {
			uid = m[1]
		}
		if uid == "" {
			continue
		}
		if other, taken := uids[uid]; taken {
			t.Errorf("%s and %s share %s", name, other, uid)
		}
		uids[uid] = name
	}
	return uids
}

// install runs install-godot.sh and returns what it wrote to each stream.
func install(t *testing.T, env ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.Command(filepath.Join(Root(), "testbed", "install-godot.sh"))
	cmd.Env = append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func TestInstallerPrintsOnlyThePath(t *testing.T) {
	bin := fakeGodot(t, t.TempDir(), "my godot", "4.5.1.stable")
	stdout, stderr, err := install(t, "GODOT_BIN="+bin)
	if err != nil || stdout != bin+"\n" {
		t.Errorf("stdout %q, %v; want the path alone", stdout, err)
	}
	if !strings.Contains(stderr, "4.5.1.stable") {
		t.Errorf("stderr %q does not tell the version", stderr)
	}
}

func TestInstallerTakesTheOneOnPath(t *testing.T) {
	dir := t.TempDir()
	fakeGodot(t, dir, "godot", "3.6.stable")
	bin := fakeGodot(t, dir, "godot4", "4.6.stable")
	stdout, stderr, err := install(t, "GODOT_BIN=", "PATH="+dir+":"+os.Getenv("PATH"))
	if err != nil || stdout != bin+"\n" {
		t.Errorf("stdout %q, %v; want %s", stdout, err, bin)
	}
	if !strings.Contains(stderr, "passing over "+filepath.Join(dir, "godot")) {
		t.Errorf("stderr %q does not tell of the old one", stderr)
	}
}

func TestInstallerRefusesAnotherEngine(t *testing.T) {
	dir := t.TempDir()
	for name, bin := range map[string]string{
		"too old": fakeGodot(t, dir, "old", "4.4.1.stable"),
		"too new": fakeGodot(t, dir, "new", "5.0.stable"),
		"absent":  filepath.Join(dir, "absent"),
	} {
		stdout, stderr, err := install(t, "GODOT_BIN="+bin)
		if err == nil || stdout != "" || !strings.Contains(stderr, "GODOT_BIN") {
			t.Errorf("%s: stdout %q, stderr %q, %v; want a refusal", name, stdout, stderr, err)
		}
	}
}
