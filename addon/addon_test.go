package addon

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstallWritesEveryFileOnce(t *testing.T) {
	project := newProject(t, "config_version=5\n")
	change, err := Install(project, Options{})
	if err != nil || len(change.Written) != len(names())+1 {
		t.Fatalf("wrote %d of %d files, error %v", len(change.Written), len(names())+1, err)
	}
	for _, name := range names() {
		have, err := os.ReadFile(filepath.Join(project, filepath.FromSlash(name)))
		if err != nil || string(have) != string(content(name)) {
			t.Errorf("%s is not the binary's, error %v", name, err)
		}
	}
	again, err := Install(project, Options{})
	if err != nil || len(again.Written) != 0 || again.Setting != "" {
		t.Errorf("a second installation wrote %v and %q, error %v", again.Written, again.Setting, err)
	}
}

func TestInstallMendsWhatDiffers(t *testing.T) {
	project := installed(t)
	broken := filepath.Join(project, filepath.FromSlash(Folder), "plugin.gd")
	if err := os.WriteFile(broken, []byte("# old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if state, err := Status(project); err != nil || state.UpToDate || len(state.Stale) != 1 {
		t.Errorf("a changed file goes unseen: %+v, error %v", state, err)
	}
	change, err := Install(project, Options{})
	if err != nil || len(change.Written) != 1 || change.Written[0] != Folder+"/plugin.gd" {
		t.Errorf("wrote %v, error %v", change.Written, err)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	project := newProject(t, "config_version=5\n")
	before := tree(t, project)
	if _, err := Install(project, Options{DryRun: true}); err != nil {
		t.Fatal(err)
	}
	if after := tree(t, project); after != before {
		t.Errorf("a preview of install changed\n%s\nto\n%s", before, after)
	}
	project = installed(t)
	before = tree(t, project)
	if change, err := Uninstall(project, Options{DryRun: true}); err != nil || len(change.Removed) != len(names())+1 {
		t.Errorf("a preview of uninstall names %d files, error %v", len(change.Removed), err)
	}
	if after := tree(t, project); after != before {
		t.Errorf("a preview of uninstall changed\n%s\nto\n%s", before, after)
	}
}

func TestUninstallRemovesSidecarsAndKeepsForeignFiles(t *testing.T) {
	project := installed(t)
	folder := filepath.Join(project, filepath.FromSlash(Folder))
	for _, name := range []string{"plugin.gd.uid", "notes.txt", "notes.txt.uid"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	change, err := Uninstall(project, Options{})
	if err != nil || strings.Join(change.Kept, " ") != Folder+"/notes.txt "+Folder+"/notes.txt.uid" {
		t.Fatalf("kept %v, error %v", change.Kept, err)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 2 {
		t.Errorf("%d files are left, error %v", len(left), err)
	}
	if state, err := Status(project); err != nil || state.Installed || state.Enabled {
		t.Errorf("after uninstall: %+v, error %v", state, err)
	}
}

func TestUninstallRemovesTheFolder(t *testing.T) {
	project := installed(t)
	if _, err := Uninstall(project, Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(project, filepath.FromSlash(Folder))); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	change, err := Uninstall(project, Options{})
	if err != nil || len(change.Removed) != 0 || change.Setting != "" {
		t.Errorf("a second uninstall: %+v, error %v", change, err)
	}
}

func TestSettingsKeepTheirMode(t *testing.T) {
	project := installed(t)
	info, err := os.Stat(filepath.Join(project, "project.godot"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}

func installed(t *testing.T) string {
	t.Helper()
	project := newProject(t, "config_version=5\n")
	if _, err := Install(project, Options{}); err != nil {
		t.Fatal(err)
	}
	return project
}

// tree is every file of the folder with its size and time.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			b.WriteString(path + " " + info.ModTime().String() + " " + info.Mode().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A step that fails in the middle leaves nothing half done.
func TestNothingHalfDone(t *testing.T) {
	for what, inTheWay := range map[string]string{"folder for a file": "wire.gd/sub/x.txt", "file for a folder": "handlers"} {
		project := newProject(t, "config_version=5\n")
		file := filepath.Join(project, filepath.FromSlash(Folder), filepath.FromSlash(inTheWay))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		before := tree(t, project)
		if _, err := Install(project, Options{}); err == nil {
			t.Errorf("%s: no error", what)
		}
		if after := tree(t, project); withoutTimes(after) != withoutTimes(before) {
			t.Errorf("%s: changed\n%s\nto\n%s", what, before, after)
		}
	}
}

// withoutTimes drops the times of tree's lines: what was put back has a new one.
func withoutTimes(tree string) string {
	var b strings.Builder
	for line := range strings.Lines(tree) {
		path, _, _ := strings.Cut(line, " ")
		b.WriteString(path + "\n")
	}
	return b.String()
}

func TestLineEndsAreNoChange(t *testing.T) {
	project := installed(t)
	file := filepath.Join(project, filepath.FromSlash(Folder), "wire.gd")
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "\n", "\r\n")), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if state, err := Status(project); err != nil || state.State != Same || !state.UpToDate {
		t.Errorf("%+v, error %v", state, err)
	}
}

func TestVersionsInOrder(t *testing.T) {
	order := []string{"", "2025.12.31", "2026.01.01", "2026.01.01.1", "2026.01.01.10", "2026.01.02", "2026.10.01"}
	for i, a := range order {
		for j, b := range order {
			if got := CompareVersions(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%q to %q: %d", a, b, got)
			}
		}
	}
}
