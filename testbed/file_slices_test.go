package testbed

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// manyFiles puts texts into a folder of the project that take a while to be looked through, all written long ago.
func manyFiles(t *testing.T, e *Editor, folder, text string) {
	t.Helper()
	long := time.Now().Add(-time.Hour)
	if err := os.MkdirAll(onDisk(e, folder), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 6000 {
		path := onDisk(e, fmt.Sprintf("%s/f%04d.cfg", folder, i))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFilesAreLookedAtInSlices: a move, a copy and a delete leave the editor to others while they look through the
// files, can be given up then with nothing changed, and see what changes meanwhile.
func TestFilesAreLookedAtInSlices(t *testing.T) {
	e := ownEditor(t, "platformer2d")
	s := cli(e)
	const f = "res://slices"
	writeScript(t, s, f+"/a.gd", "extends Node\n")
	writeScript(t, s, f+"/b.gd", "extends Node\n\nconst A: GDScript = preload(\"a.gd\")\n")
	manyFiles(t, e, f+"/many", strings.Repeat("[section]\n\nkey=\"value\"\nuser=\"res://slices/b.gd\"\n", 20))
	rescan(t, s)
	c, other := direct(t, e, &bridge.Client{}), direct(t, e, &bridge.Client{})
	for _, call := range []bridge.Request{
		request("file.move", args{"path": f + "/a.gd", "new_path": f + "/c.gd"}),
		request("file.copy", args{"path": f + "/many", "new_path": f + "/more"}),
		request("file.delete", args{"path": f + "/a.gd", "confirm": true}),
	} {
		t.Run("given up "+call.Command, func(t *testing.T) {
			before := contents(t, e)
			history := s.call(t, "history list", nil).ok(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			pending := c.Start(ctx, call)
			await(t, "the request to be sent", pending.Sent)
			if _, err := send(t, other, request("get-server-info", args{})); err != nil {
				t.Fatal(err)
			}
			select {
			case <-pending.Done():
				t.Fatal("it was done before another client's short call")
			default:
			}
			cancel()
			if _, err := pending.Wait(ctx); bridge.AsError(err) == nil || bridge.AsError(err).Code != bridge.Timeout {
				t.Errorf("it was answered with %v", err)
			}
			same(t, "files", before, contents(t, e))
			if now := s.call(t, "history list", nil).ok(t); string(now.raw) != string(history.raw) {
				t.Errorf("the history was\n%s\nand is\n%s", history.raw, now.raw)
			}
		})
	}
	t.Run("what came meanwhile", func(t *testing.T) {
		before := contents(t, e)
		pending := c.Start(t.Context(), request("file.move", args{"path": f + "/a.gd", "new_path": f + "/c.gd"}))
		await(t, "the request to be sent", pending.Sent)
		if _, err := send(t, other, request("get-server-info", args{})); err != nil {
			t.Fatal(err)
		}
		put(t, e, "res://late.cfg", "user=\""+f+"/a.gd\"\n")
		select {
		case <-pending.Done():
			t.Fatal("it was done before another client's short call")
		default:
		}
		if _, err := pending.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := read(t, e, "res://late.cfg"); got != "user=\""+f+"/c.gd\"\n" {
			t.Errorf("the late file holds %q", got)
		}
		if got := read(t, e, f+"/b.gd"); !strings.Contains(got, "c.gd") {
			t.Errorf("b.gd holds %q", got)
		}
		s.call(t, "undo", nil).ok(t)
		if err := os.Remove(onDisk(e, "res://late.cfg")); err != nil {
			t.Fatal(err)
		}
		same(t, "an undone move", before, contents(t, e))
	})
	t.Run("in batches", func(t *testing.T) {
		before := contents(t, e)
		for _, atomic := range []bool{true, false} {
			list := batchOf(does("file move", args{"path": f + "/a.gd", "new_path": f + "/c.gd"}), does("file copy", args{"path": f + "/c.gd", "new_path": f + "/d.gd"}))
			s.call(t, "batch run", list.with("atomic", atomic)).ok(t).has(t, map[string]string{"ok_all": "true", "undoable": "true", "results.0.result.moved": "true"})
			areGone(t, e, f+"/a.gd")
			read(t, e, f+"/d.gd")
			for range 2 {
				if _, err := os.Stat(onDisk(e, f+"/a.gd")); err != nil {
					s.call(t, "undo", nil).ok(t)
				}
			}
			rescan(t, s)
			same(t, "an undone batch", before, contents(t, e))
		}
	})
}
