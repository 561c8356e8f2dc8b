package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDerivedFilesAreFresh(t *testing.T) {
	for _, f := range derived() {
		have, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(f.path)))
		if err != nil {
			t.Errorf("%v\nrun: go generate ./...", err)
			continue
		}
		want, err := f.make(string(have))
		if err != nil {
			t.Errorf("%s: %v", f.path, err)
			continue
		}
		if want != string(have) {
			t.Errorf("%s is stale; run: go generate ./...", f.path)
		}
	}
}

func TestBetweenNeedsBothMarkers(t *testing.T) {
	replace := between("x", "new\n")
	got, err := replace("a\n<!-- x -->\nold\n<!-- /x -->\nb\n")
	if err != nil || got != "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n" {
		t.Errorf("got %q, %v", got, err)
	}
	for _, text := range []string{"", "<!-- x -->\nold\n", "<!-- /x -->"} {
		if _, err := replace(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestNoPageIsOfAGroupThatIsGone(t *testing.T) {
	known := map[string]bool{}
	for _, f := range derived() {
		known[filepath.Base(f.path)] = true
	}
	pages, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(toolPages), "*"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range pages {
		if !known[filepath.Base(page)] {
			t.Errorf("%s is of no group; delete it", page)
		}
	}
}
