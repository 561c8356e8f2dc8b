//go:build unix

package bridge

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOwnProject(t *testing.T) {
	real, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file, link := filepath.Join(real, projectFile), filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(real, link), os.Mkdir(filepath.Join(real, "sub"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, named := range []string{real, real + "/", link, real + "/sub/.."} {
		if got, err := OwnProject(named); got != real || err != nil {
			t.Errorf("%s: %q, %v", named, got, err)
		}
	}
	for named, code := range map[string]Code{
		"": ValidationError, ".": ValidationError, "sub/game": ValidationError,
		real + "/sub": ResourceNotFound, real + "/none": ResourceNotFound, file: ResourceNotFound, "/a\x00b": ResourceNotFound,
	} {
		var e *Error
		if got, err := OwnProject(named); !errors.As(err, &e) || e.Code != code || e.Required != "project_dir" {
			t.Errorf("%q: %q, %v", named, got, err)
		}
	}
	if os.Geteuid() != 0 {
		return // nobody else can give a file away
	}
	if err := os.Chown(file, 65534, -1); err != nil {
		t.Fatal(err)
	}
	if got, err := OwnProject(real); got != "" || err == nil {
		t.Errorf("another user's: %q, %v", got, err)
	}
}
