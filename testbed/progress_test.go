package testbed

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// request is one command of the bridge.
func request(command string, params args) bridge.Request {
	return bridge.Request{Command: command, Params: json.RawMessage(asJSON(params))}
}

// looked is what a command that was given up must leave as it was: the tree, the histories, the file, what is
// unsaved, and the files that would have been made.
func looked(t *testing.T, e *Editor, scene string, files ...string) map[string]string {
	t.Helper()
	s := cli(e)
	seen := map[string]string{
		"tree":    string(s.call(t, "scene tree", nil).ok(t).raw),
		"history": string(s.call(t, "history list", nil).ok(t).raw),
		"unsaved": s.call(t, "scene list-open", nil).ok(t).text("scenes"),
		"file":    read(t, e, scene),
	}
	for _, file := range files {
		seen[file] = s.call(t, "file search", args{"name_glob": file}).ok(t).text("matches")
	}
	return seen
}

// TestLongWorkTellsHowFarItIs in a scene of ten thousand nodes: numbers that grow for walks of our own, and a
// word before a call of the engine that cannot be interrupted.
func TestLongWorkTellsHowFarItIs(t *testing.T) {
	e := sharedEditor(t)
	text, _ := levelScene()
	scene := openLarge(t, e, "large/told.tscn", text)
	c := direct(t, e, &bridge.Client{})
	for _, call := range []struct {
		bridge.Request
		message string
	}{
		{request("node.snapshot", args{}), "nodes read"},
		{request("node.rename", args{"node_path": "Big", "new_name": "Bigger", "dry_run": true}), "nodes searched"},
		{request("node.change-type", args{"node_path": "Big", "node_type": "Node", "dry_run": true}), "nodes searched"},
		{request("node.duplicate", args{"node_path": "Big", "dry_run": true}), "copying the branch"},
		{request("node.set-property", args{"node_path": "Big", "property": "z_index", "value": 1}), ""},
		{request("scene.save", args{}), "saving " + scene},
		{request("scene.reload", args{"scene_path": scene}), "reading " + scene},
	} {
		t.Run(call.Command, func(t *testing.T) {
			var told []bridge.Progress
			call.OnProgress = func(p bridge.Progress) { told = append(told, p) }
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			if _, err := c.Call(ctx, call.Request); err != nil {
				t.Fatal(err)
			}
			if call.message == "" {
				return
			}
			last, found := -1.0, false
			for _, p := range told {
				found = found || strings.Contains(p.Message, call.message)
				if p.Progress < last || p.Total > 0 && p.Progress > p.Total {
					t.Errorf("%+v came after %v", p, last)
				}
				last = p.Progress
			}
			if !found {
				t.Errorf("nothing was told of %q: %+v", call.message, told)
			}
		})
	}
}

// TestLongWorkThatIsGivenUp leaves nothing behind, wherever it was.
func TestLongWorkThatIsGivenUp(t *testing.T) {
	e := sharedEditor(t)
	text, _ := levelScene()
	scene := openLarge(t, e, "large/given_up.tscn", text)
	cli(e).call(t, "node set-property", args{"node_path": "Big", "property": "z_index", "value": 1}).ok(t)
	before := looked(t, e, scene, "given_up_branch.tscn")
	c := direct(t, e, &bridge.Client{})
	for _, call := range []bridge.Request{
		request("node.rename", args{"node_path": "Big", "new_name": "Bigger"}),
		request("node.move", args{"node_path": "Big/Group100", "new_parent_path": "."}),
		request("node.duplicate", args{"node_path": "Big"}),
		request("node.change-type", args{"node_path": "Big", "node_type": "Node"}),
		request("scene.extract", args{"node_path": "Big", "new_scene_path": "res://large/given_up_branch.tscn", "replace_with_instance": true}),
		request("batch.set-property", args{"node_type": "Node2D", "property": "position", "value": []int{1, 2}}),
	} {
		t.Run(call.Command, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			call.OnProgress = func(bridge.Progress) { cancel() }
			if _, err := c.Call(ctx, call); bridge.AsError(err) == nil || bridge.AsError(err).Code != bridge.Timeout {
				t.Errorf("the call was answered with %v", err)
			}
			same(t, call.Command+" that was given up", before, looked(t, e, scene, "given_up_branch.tscn"))
		})
	}
}

// TestCancelBeforeTheEngineBegins: what cannot be interrupted is not begun when the cancel came before, while
// the editor was at something else.
func TestCancelBeforeTheEngineBegins(t *testing.T) {
	e := sharedEditor(t)
	text, _ := levelScene()
	scene := openLarge(t, e, "large/cancelled.tscn", text)
	cli(e).call(t, "node set-property", args{"node_path": "Big", "property": "z_index", "value": 1}).ok(t)
	before := looked(t, e, scene)
	c := direct(t, e, &bridge.Client{})
	at := make(chan struct{}, 1000)
	busy := request("node.snapshot", args{})
	busy.OnProgress = func(bridge.Progress) { at <- struct{}{} }
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for _, call := range []bridge.Request{
		request("scene.save", args{}),
		request("scene.save-all", args{}),
		request("scene.reload", args{"scene_path": scene, "confirm": true}),
		request("node.delete", args{"node_path": "Big", "confirm": true}),
	} {
		t.Run(call.Command, func(t *testing.T) {
			first := c.Start(ctx, busy)
			<-at
			own, giveUp := context.WithCancel(ctx)
			defer giveUp()
			second := c.Start(own, call)
			await(t, "the request to be sent", second.Sent)
			giveUp()
			if _, err := second.Wait(own); err == nil {
				t.Error("it was not given up")
			}
			if _, err := first.Wait(ctx); err != nil {
				t.Fatal(err)
			}
			for len(at) > 0 {
				<-at
			}
			same(t, call.Command+" that was cancelled before", before, looked(t, e, scene))
		})
	}
}

// TestManySceneFilesInSlices: looking at scenes of ten thousand nodes that are not open leaves the editor to
// others, tells how far it is, and can be given up with all files as they were; inside an atomic batch, which
// must not wait, a long search is done all the same.
func TestManySceneFilesInSlices(t *testing.T) {
	e := sharedEditor(t)
	text, _ := levelScene()
	const many = 4
	var scenes []string
	for i := range many {
		scenes = append(scenes, write(t, e, fmt.Sprintf("large/slices/level%d.tscn", i), text))
	}
	c, other := direct(t, e, &bridge.Client{}), direct(t, e, &bridge.Client{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := make(chan bridge.Progress, 1000)
	call := request("batch.set-property-in-scenes", args{"scenes": scenes, "node_type": "Sprite2D", "property": "z_index", "value": 2})
	call.OnProgress = func(p bridge.Progress) { told <- p }
	pending := c.Start(ctx, call)
	if _, err := send(t, other, request("get-server-info", args{})); err != nil {
		t.Fatal(err)
	}
	select {
	case <-pending.Done():
		t.Fatal("it was done before another client's short call")
	case p := <-told:
		if p.Total != many || p.Progress <= 0 || p.Progress >= many || p.Message == "" {
			t.Errorf("it told %+v", p)
		}
	}
	cancel()
	if _, err := pending.Wait(ctx); err == nil {
		t.Fatal("it was not given up")
	}
	if _, err := send(t, other, request("get-server-info", args{})); err != nil {
		t.Fatal(err)
	}
	for _, scene := range scenes {
		if read(t, e, scene) != text {
			t.Errorf("%s was changed", scene)
		}
	}
	batchScene(t, e, "Top")
	list := batchOf(does("node add", args{"node_name": "New"}), does("file search", args{"directory": "res://large/slices", "content": "Item9999\""}))
	cli(e).call(t, "batch run", list.with("atomic", true)).ok(t).has(t, map[string]string{"ok_all": "true", "results.1.result.truncated": "false"})
}
