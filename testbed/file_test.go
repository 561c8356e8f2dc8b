package testbed

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

// put writes bytes as another program would.
func put(t *testing.T, e *Editor, res, text string) string {
	t.Helper()
	return write(t, e, strings.TrimPrefix(res, "res://"), text)
}

func rescan(t *testing.T, s surface) {
	t.Helper()
	s.call(t, "file rescan", args{"timeout_ms": 20000}).ok(t).has(t, map[string]string{"scanned": "true", "scanning": "false"})
}

func TestFileRead(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		text := "one\r\ntwo\r\nthrée"
		path := put(t, e, folderOf(t)+"/notes with space #1.txt", "\xef\xbb\xbf"+text)
		whole := s.call(t, "file read", args{"path": path}).ok(t)
		whole.has(t, map[string]string{"path": path, "content": text, "lines": "3", "truncated": "false",
			"bytes": fmt.Sprint(len(text) + 3), "sha256": fmt.Sprintf("%x", sha256.Sum256([]byte("\xef\xbb\xbf"+text)))})
		s.call(t, "file read", args{"path": path, "offset": 1, "limit": 1}).ok(t).has(t, map[string]string{
			"content": "two\r\n", "truncated": "true", "next_offset": "2", "sha256": whole.text("sha256")})
		s.call(t, "file read", args{"path": path, "offset": 2, "limit": 5}).ok(t).has(t, map[string]string{
			"content": "thrée", "truncated": "false"})
		s.call(t, "file read", args{"path": path, "offset": 4}).fails(t, "VALIDATION_ERROR", "offset")
		empty := put(t, e, folderOf(t)+"/empty.txt", "")
		s.call(t, "file read", args{"path": empty}).ok(t).has(t, map[string]string{"content": "", "bytes": "0", "lines": "0"})
		binary := put(t, e, folderOf(t)+"/data.bin", "a\x00b")
		s.call(t, "file read", args{"path": binary}).fails(t, "VALIDATION_ERROR", "path", "3 bytes")
		latin := put(t, e, folderOf(t)+"/latin.txt", "caf\xe9")
		s.call(t, "file read", args{"path": latin}).fails(t, "VALIDATION_ERROR", "path", "no UTF-8")
		s.call(t, "file read", args{"path": "res://" + folderOf(t)}).fails(t, "VALIDATION_ERROR", "path", "file tree")
		s.call(t, "file read", args{"path": "res://no_such.txt"}).fails(t, "RESOURCE_NOT_FOUND", "path", "file search")
	})
}

func TestFileTreeAndSearch(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		folder := "res://" + folderOf(t)
		put(t, e, folder+"/a.txt", "alpha needle\nbeta\nneedle needle\n")
		put(t, e, folder+"/deep/b.TXT", "nothing\n")
		put(t, e, folder+"/deep/c.gd", "extends Node\n# needle\n")
		put(t, e, folder+"/ignored/.gdignore", "")
		put(t, e, folder+"/ignored/d.txt", "needle")
		put(t, e, folder+"/.hidden/e.txt", "needle")
		put(t, e, folder+"/data.bin", "needle\x00")
		rescan(t, s)

		tree := s.call(t, "file tree", args{"directory": folder}).ok(t)
		tree.has(t, map[string]string{"tree.type": "directory", "tree.path": folder, "truncated": "false", "total": "7",
			"tree.children.0.path": folder + "/deep", "tree.children.0.children.1.type": "GDScript"})
		for _, hidden := range []string{"ignored", ".hidden"} {
			if strings.Contains(string(tree.raw), folder+"/"+hidden) {
				t.Errorf("the tree shows %s: %s", hidden, tree.raw)
			}
		}
		top := s.call(t, "file tree", args{"directory": folder, "max_depth": 1}).ok(t)
		if top.has(t, map[string]string{"total": "4"}); strings.Contains(string(top.raw), "c.gd") {
			t.Errorf("max_depth 1 shows %s", top.raw)
		}
		s.call(t, "file tree", args{"directory": folder + "/a.txt"}).fails(t, "VALIDATION_ERROR", "directory", "file read")
		s.call(t, "file tree", args{"directory": folder + "/none"}).fails(t, "RESOURCE_NOT_FOUND", "directory")

		s.call(t, "file search", args{"directory": folder, "content": "needle"}).ok(t).has(t, map[string]string{
			"matches":   `[{"line":1,"path":"` + folder + `/a.txt","text":"alpha needle"},{"line":3,"path":"` + folder + `/a.txt","text":"needle needle"},{"line":2,"path":"` + folder + `/deep/c.gd","text":"# needle"}]`,
			"truncated": "false"})
		s.call(t, "file search", args{"directory": folder, "content": "needle", "limit": 2}).ok(t).has(t, map[string]string{
			"matches.1.line": "3", "truncated": "true"})
		s.call(t, "file search", args{"directory": folder, "name_glob": "*.txt"}).ok(t).has(t, map[string]string{
			"matches": `[{"path":"` + folder + `/a.txt"},{"path":"` + folder + `/deep/b.TXT"}]`, "truncated": "false"})
		s.call(t, "file search", args{"directory": folder, "name_glob": "deep/*"}).ok(t).has(t, map[string]string{
			"matches.0.path": folder + "/deep/b.TXT", "matches.1.path": folder + "/deep/c.gd"})
		s.call(t, "file search", args{"directory": folder, "name_glob": "*.txt", "limit": 2}).ok(t).has(t, map[string]string{"truncated": "false"})
		s.call(t, "file search", args{"limit": 0}).fails(t, "VALIDATION_ERROR", "limit")
	})
}

func TestFileResolveUID(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		uid := strings.TrimSpace(read(t, e, "res://player.gd.uid"))
		want := map[string]string{"uid": uid, "path": "res://player.gd"}
		s.call(t, "file resolve-uid", args{"value": "res://player.gd"}).ok(t).has(t, want)
		s.call(t, "file resolve-uid", args{"value": "player.gd"}).ok(t).has(t, want)
		s.call(t, "file resolve-uid", args{"value": uid}).ok(t).has(t, want)
		s.call(t, "file resolve-uid", args{"value": "uid://c000000000000"}).ok(t).has(t, map[string]string{"path": "null"})
		plain := put(t, e, folderOf(t)+"/plain.txt", "x")
		s.call(t, "file resolve-uid", args{"value": plain}).ok(t).has(t, map[string]string{"uid": "null", "path": plain})
		s.call(t, "file resolve-uid", args{"value": "res://none.gd"}).fails(t, "RESOURCE_NOT_FOUND", "value")
	})
}

func TestFileRescan(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		put(t, e, folderOf(t)+"/new.tscn", "[gd_scene format=3 uid=\"uid://b"+fmt.Sprintf("%x", sha256.Sum256([]byte(folderOf(t))))[:6]+"\"]\n\n[node name=\"A\" type=\"Node\"]\n")
		rescan(t, s)
		tree := s.call(t, "file tree", args{"directory": "res://" + folderOf(t)}).ok(t)
		tree.has(t, map[string]string{"tree.children.0.type": "PackedScene"})
		s.call(t, "file rescan", args{"wait": false}).ok(t).has(t, map[string]string{"scanned": "false"})
		rescan(t, s)
		s.call(t, "file rescan", args{"timeout_ms": -1}).fails(t, "VALIDATION_ERROR", "timeout_ms")
	})
}
