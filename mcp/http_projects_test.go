package mcp

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// webToMany serves the project of one editor as its own, and those that URLs name.
func webToMany(t *testing.T, own *bridgetest.Editor) *web {
	t.Helper()
	return serveWeb(t, serverFor(t, own.Query()), "", func(h *HTTP) {
		h.Projects = Projects{
			Folder: func(named string) (string, error) {
				folder, err := bridge.OwnProject(named)
				if err == nil && bridge.SameDir(folder, own.Project) {
					return "", nil
				}
				return folder, err
			},
			Open: func(folder string) (*Server, error) {
				return serverFor(t, bridge.Query{Project: folder, Registry: filepath.Join(folder, "no-registry")}), nil
			},
		}
	})
}

// of is a request that goes to the project in a folder.
func of(folder string, r *http.Request) *http.Request {
	r.URL.RawQuery = url.Values{projectParam: {folder}}.Encode()
	return r
}

// sceneEditor answers with a scene of this name.
func sceneEditor(t *testing.T, name string) *bridgetest.Editor {
	t.Helper()
	ed := bridgetest.New(t)
	ed.Reply("scene.list", fmt.Sprintf(`{"scenes":[%q],"main_scene":null}`, "res://"+name+".tscn"))
	return ed
}

// beginIn begins an older session of the project in a folder.
func (w *web) beginIn(folder string) headers {
	w.t.Helper()
	response := w.do(of(folder, w.asks("POST", fmt.Sprintf(initialize, "2025-11-25"), nil)))
	if r := w.read(response); r.Error != nil {
		w.t.Fatalf("initialize: %+v", r.Error)
	}
	return headers{headerSession: response.Header.Get(headerSession), headerRevision: "2025-11-25"}
}

func (t *httpProjects) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.all)
}

// Each URL's project is answered by its own editor, over one link, in each era.
func TestHTTPProjectsHaveTheirOwnEditors(t *testing.T) {
	own, a, b := sceneEditor(t, "own"), sceneEditor(t, "a"), sceneEditor(t, "b")
	w := webToMany(t, own)
	link := filepath.Join(t.TempDir(), "a game & more")
	if err := os.Symlink(a.Project, link); err != nil {
		t.Fatal(err)
	}
	for folder, scene := range map[string]string{own.Project: "own", a.Project: "a", link: "a", b.Project: "b"} {
		h := w.beginIn(folder)
		for era, response := range map[string]*http.Response{
			"newer": w.do(of(folder, w.call("godot_scene_list", ""))),
			"older": w.do(of(folder, w.asks("POST", olderCall(2, "godot_scene_list", ""), h))),
		} {
			if r := w.read(response); !strings.Contains(string(r.Result), "res://"+scene+".tscn") {
				t.Errorf("%s, %s: %s %+v", scene, era, r.Result, r.Error)
			}
		}
	}
	if r := w.read(w.do(w.call("godot_scene_list", ""))); !strings.Contains(string(r.Result), "res://own.tscn") {
		t.Errorf("without a project: %s %+v", r.Result, r.Error)
	}
	for _, ed := range []*bridgetest.Editor{own, a, b} {
		if n := len(ed.Hellos()); n != 1 {
			t.Errorf("an editor was dialled %d times", n)
		}
	}
	if n := w.http.projects.count(); n != 2 {
		t.Errorf("%d projects are open", n)
	}
}

// A session is of the project that it began with. The server's own is the same by either URL.
func TestHTTPSessionStaysWithItsProject(t *testing.T) {
	own, a, b := sceneEditor(t, "own"), sceneEditor(t, "a"), sceneEditor(t, "b")
	w := webToMany(t, own)
	h := w.beginIn(a.Project)
	for _, method := range []string{"POST", "GET", "DELETE"} {
		for _, r := range []*http.Request{
			w.asks(method, olderCall(2, "godot_scene_list", ""), h), of(b.Project, w.asks(method, olderCall(2, "godot_scene_list", ""), h)),
		} {
			if response := w.do(r); response.StatusCode != http.StatusNotFound {
				t.Errorf("%s %s got %d", method, r.URL, response.StatusCode)
			}
		}
	}
	if response := w.do(of(a.Project, w.asks("DELETE", "", h))); response.StatusCode != http.StatusNoContent {
		t.Errorf("its own DELETE got %d", response.StatusCode)
	}
	h = w.beginIn(own.Project)
	if r := w.read(w.do(w.asks("POST", olderCall(2, "godot_scene_list", ""), h))); !strings.Contains(string(r.Result), "res://own.tscn") {
		t.Errorf("%s %+v", r.Result, r.Error)
	}
}

// What a URL may not name is refused with the protocol's error, which says what to do.
func TestHTTPProjectsThatAreRefused(t *testing.T) {
	own := sceneEditor(t, "own")
	w := webToMany(t, own)
	empty := t.TempDir()
	for query, status := range map[string]int{
		"project=":                                   400,
		"project=game":                               400,
		"project=%zz":                                400,
		"project=/a&project=/b":                      400,
		"project=" + url.QueryEscape(empty):          404,
		"project=" + url.QueryEscape(empty+"/no"):    404,
		"project=" + url.QueryEscape(empty+"/\x00/"): 404,
	} {
		for _, r := range []*http.Request{w.call("godot_scene_list", ""), w.asks("GET", "", nil)} {
			r.URL.RawQuery = query
			response := w.do(r)
			answer := w.read(response)
			if response.StatusCode != status || answer.Error == nil || answer.Error.Code != -32602 || !strings.Contains(answer.Error.Message, "godot-mcp editor list") {
				t.Errorf("%s %s: %d %+v", r.Method, query, response.StatusCode, answer.Error)
			}
		}
	}
	if n := w.http.projects.count() + len(own.Hellos()); n != 0 {
		t.Errorf("%d projects and links are left", n)
	}
	alone := webTo(t, own.Query())
	if response := alone.do(of(own.Project, alone.call("godot_scene_list", ""))); response.StatusCode != http.StatusNotFound {
		t.Errorf("a server with one project answered %d", response.StatusCode)
	}
}

// projectFolders are new projects without an editor.
func projectFolders(t *testing.T, n int) []string {
	t.Helper()
	folders := make([]string, n)
	for i := range folders {
		folders[i] = t.TempDir()
		if err := os.WriteFile(filepath.Join(folders[i], "project.godot"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folders
}

// The project that was idle for longest makes way for another, with its sessions and its link.
func TestHTTPProjectsAreBounded(t *testing.T) {
	own, first := sceneEditor(t, "own"), sceneEditor(t, "first")
	w := webToMany(t, own)
	h := w.beginIn(first.Project)
	if r := w.read(w.do(of(first.Project, w.call("godot_scene_list", "")))); r.Result == nil {
		t.Fatalf("%+v", r.Error)
	}
	first.WaitOpen(1)
	for _, folder := range projectFolders(t, maxProjects) {
		w.beginIn(folder)
	}
	first.WaitOpen(0)
	if n := w.http.projects.count(); n != maxProjects {
		t.Errorf("%d projects are open", n)
	}
	if response := w.do(of(first.Project, w.asks("POST", olderCall(2, "godot_scene_list", ""), h))); response.StatusCode != http.StatusNotFound {
		t.Errorf("its session got %d", response.StatusCode)
	}
	if r := w.read(w.do(of(first.Project, w.call("godot_scene_list", "")))); !strings.Contains(string(r.Result), "res://first.tscn") {
		t.Errorf("opened again: %s %+v", r.Result, r.Error)
	}
}

// One that has a request at work makes no way, neither for another nor for idleness.
func TestHTTPProjectsAtWorkStay(t *testing.T) {
	own := sceneEditor(t, "own")
	w := webToMany(t, own)
	var streams []*events
	for _, folder := range projectFolders(t, maxProjects) {
		h := w.beginIn(folder)
		stream := w.events(w.do(of(folder, w.asks("GET", "", h))))
		stream.must()
		streams = append(streams, stream)
	}
	another := projectFolders(t, 1)[0]
	response := w.do(of(another, w.call("godot_scene_list", "")))
	if r := w.read(response); response.StatusCode != http.StatusServiceUnavailable || r.Error == nil || r.Error.Code != -32603 {
		t.Errorf("got %d %+v", response.StatusCode, r.Error)
	}
	if idle := w.http.projects.takeIdle(time.Now().Add(2 * projectIdle)); len(idle) != 0 {
		t.Errorf("%d were taken for idle", len(idle))
	}
	if response := w.do(w.call("godot_scene_list", "")); response.StatusCode != http.StatusOK {
		t.Errorf("the server's own project got %d", response.StatusCode)
	}
	w.stop()
	for _, stream := range streams {
		for ok := true; ok; _, ok = stream.next() {
		}
	}
}

// One that is idle for long is closed, and its link with it.
func TestHTTPIdleProjectsAreClosed(t *testing.T) {
	own, a := sceneEditor(t, "own"), sceneEditor(t, "a")
	w := webToMany(t, own)
	if r := w.read(w.do(of(a.Project, w.call("godot_scene_list", "")))); r.Result == nil {
		t.Fatalf("%+v", r.Error)
	}
	if soon := w.http.projects.takeIdle(time.Now().Add(projectIdle / 2)); len(soon) > 0 {
		t.Error("it was idle too early")
	}
	// The answer is there before its request has ended.
	for w.http.projects.count() > 0 && t.Context().Err() == nil {
		w.http.closeProjects(w.http.projects.takeIdle(time.Now().Add(2 * projectIdle)))
		runtime.Gosched()
	}
	a.WaitOpen(0)
}

// Two requests that come first open one server.
func TestHTTPProjectIsOpenedOnce(t *testing.T) {
	var projects httpProjects
	folder, opened := projectFolders(t, 1)[0], 0
	open := func(string) (*Server, error) {
		opened++ // under the lock of projects
		return serverFor(t, nowhere(t)), nil
	}
	begun, stop := context.WithCancel(t.Context())
	failed := make(chan error, 8)
	for range cap(failed) {
		go func() {
			<-begun.Done()
			_, _, err := projects.begin(folder, open)
			failed <- err
		}()
	}
	stop()
	for range cap(failed) {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	if opened != 1 || projects.count() != 1 {
		t.Errorf("opened %d times, %d are open", opened, projects.count())
	}
}
