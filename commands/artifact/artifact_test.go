package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func storeIn(t *testing.T) *Store {
	t.Helper()
	return &Store{Dir: filepath.Join(t.TempDir(), "state", "artifacts")}
}

func put(t *testing.T, s *Store, content string) Artifact {
	t.Helper()
	a, err := s.Put(Artifact{Kind: "log", MIME: "text/plain", Tool: "a test", Project: "/game"}, []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func ids(s *Store) string {
	var out []string
	for _, a := range s.List() {
		out = append(out, a.ID)
	}
	return strings.Join(out, " ")
}

func TestWhatWasPutComesBack(t *testing.T) {
	s := storeIn(t)
	a := put(t, s, "hello")
	got, content, err := s.Get(a.ID)
	if err != nil || string(content) != "hello" || got != a {
		t.Errorf("%+v %q %v, put was %+v", got, content, err, a)
	}
	if a.Bytes != 5 || a.SHA256 != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" || a.Tool != "a test" || time.Since(a.Created) > time.Minute {
		t.Errorf("%+v", a)
	}
	if again := put(t, s, "hello"); again.ID == a.ID || !idForm.MatchString(again.ID) {
		t.Errorf("two have the ids %s and %s", a.ID, again.ID)
	}
}

func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there the user's folder is private as a whole
	}
	s := storeIn(t)
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, s, "hello")
	for _, path := range append(glob(t, s, "*"), s.Dir) {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has %v, %v", path, info.Mode(), err)
		}
	}
}

func glob(t *testing.T, s *Store, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.Dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestNoIDLeadsElsewhere(t *testing.T) {
	s := storeIn(t)
	a := put(t, s, "hello")
	outside := filepath.Join(filepath.Dir(s.Dir), "secret.json")
	if err := os.WriteFile(outside, fmt.Appendf(nil, `{"artifact_id":"../secret","bytes":0}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", ".", "..", "../secret", "../artifacts/" + a.ID, a.ID + "/", a.ID + ".json", strings.ToUpper(a.ID), "/etc/passwd", a.ID[:25], a.ID + "a", "%2e%2e"} {
		if got, _, err := s.Get(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q gave %+v, %v", id, got, err)
		}
	}
}

func TestALinkIsNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // making links takes rights there
	}
	s := storeIn(t)
	a := put(t, s, "hello")
	outside := filepath.Join(t.TempDir(), "secret")
	path := filepath.Join(s.Dir, a.ID+bytesEnd)
	if err := errors.Join(os.WriteFile(outside, []byte("hello"), 0o600), os.Remove(path), os.Symlink(outside, path)); err != nil {
		t.Fatal(err)
	}
	if _, content, err := s.Get(a.ID); !errors.Is(err, ErrDamaged) {
		t.Errorf("%q, %v", content, err)
	}
}

func TestDamageIsFound(t *testing.T) {
	s := storeIn(t)
	for name, spoil := range map[string]func(path string) error{
		"other bytes": func(path string) error { return os.WriteFile(path+bytesEnd, []byte("hellO"), 0o600) },
		"cut":         func(path string) error { return os.Truncate(path+bytesEnd, 2) },
		"longer":      func(path string) error { return os.WriteFile(path+bytesEnd, []byte("hello and more"), 0o600) },
		"no JSON":     func(path string) error { return os.WriteFile(path+infoEnd, []byte("{"), 0o600) },
		"another's":   func(path string) error { return os.WriteFile(path+infoEnd, []byte(`{"artifact_id":"x"}`), 0o600) },
	} {
		a := put(t, s, "hello")
		if err := spoil(filepath.Join(s.Dir, a.ID)); err != nil {
			t.Fatal(err)
		}
		if _, content, err := s.Get(a.ID); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %q, %v", name, content, err)
		}
	}
	a := put(t, s, "hello")
	if err := os.Remove(filepath.Join(s.Dir, a.ID+bytesEnd)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Get(a.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("without its bytes: %v", err)
	}
}

func TestOldOnesGo(t *testing.T) {
	s := storeIn(t)
	s.MaxAge = time.Hour
	now := time.Now()
	s.now = func() time.Time { return now }
	old := put(t, s, "old")
	now = now.Add(time.Hour + time.Second)
	if _, _, err := s.Get(old.ID); !errors.Is(err, ErrNotFound) || ids(s) != "" {
		t.Errorf("%v, listed %q", err, ids(s))
	}
	young := put(t, s, "young")
	if ids(s) != young.ID || len(glob(t, s, "*")) != 2 {
		t.Errorf("listed %q, files %q", ids(s), glob(t, s, "*"))
	}
}

func TestTheOldestMakeRoom(t *testing.T) {
	s := storeIn(t)
	s.MaxBytes = 10
	now := time.Now()
	s.now = func() time.Time { now = now.Add(time.Second); return now }
	first, second, third := put(t, s, "aaaa"), put(t, s, "bbbb"), put(t, s, "cccc")
	if want := third.ID + " " + second.ID; ids(s) != want {
		t.Errorf("kept %q, want %q of which %q is the oldest", ids(s), want, first.ID)
	}
	if _, err := s.Put(Artifact{}, []byte("more than ten")); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if want := third.ID + " " + second.ID; ids(s) != want {
		t.Errorf("what was refused took others along: %q", ids(s))
	}
}

func TestLeftoversGo(t *testing.T) {
	s := storeIn(t)
	put(t, s, "hello")
	left := filepath.Join(s.Dir, newID()+bytesEnd)
	fresh := filepath.Join(s.Dir, newID()+infoEnd+newEnd)
	foreign := filepath.Join(s.Dir, "notes.txt")
	for _, path := range []string{left, fresh, foreign} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * unfinished)
	if err := errors.Join(os.Chtimes(left, long, long), os.Chtimes(foreign, long, long)); err != nil {
		t.Fatal(err)
	}
	put(t, s, "again")
	for path, want := range map[string]bool{left: false, fresh: true, foreign: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestManyWriteAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "artifacts")
	const writers, each = 8, 20
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			s := &Store{Dir: dir, MaxBytes: 40 << 10} // as a process of its own
			for i := range each {
				content := bytes.Repeat([]byte{byte(w), byte(i)}, 512)
				a, err := s.Put(Artifact{Kind: "log"}, content)
				if err != nil {
					t.Error(err)
					return
				}
				// Others may have needed the room by now; what is there is whole.
				if _, got, err := s.Get(a.ID); err == nil && !bytes.Equal(got, content) || err != nil && !errors.Is(err, ErrNotFound) {
					t.Errorf("%v", err)
				}
			}
		})
	}
	all.Wait()
	s := &Store{Dir: dir}
	kept := s.List()
	for _, a := range kept {
		if _, _, err := s.Get(a.ID); err != nil {
			t.Errorf("%s: %v", a.ID, err)
		}
	}
	if len(kept) < 20 || len(kept) > 40+writers {
		t.Errorf("%d are kept, there is room for 40", len(kept))
	}
}

func TestNoFolderKeepsNothing(t *testing.T) {
	for _, s := range []*Store{nil, {}} {
		if _, err := s.Put(Artifact{}, nil); err == nil {
			t.Error("something was kept")
		}
		if _, _, err := s.Get(newID()); !errors.Is(err, ErrNotFound) || len(s.List()) > 0 {
			t.Errorf("%v", err)
		}
	}
}

func TestTheFolderIsTheUsersOwn(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // the variables are this system's
	}
	t.Setenv("XDG_STATE_HOME", "/state")
	t.Setenv("HOME", "/home/me")
	if Dir() != "/state/godot-mcp/artifacts" {
		t.Error(Dir())
	}
	t.Setenv("XDG_STATE_HOME", "relative")
	if Dir() != "/home/me/.local/state/godot-mcp/artifacts" {
		t.Error(Dir())
	}
}
