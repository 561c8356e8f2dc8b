package mcp

import (
	"context"
	"net/http"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// visits are the ways in which a client comes and goes.
var visits = []func(*web){
	func(w *web) { // a call
		if r := w.read(w.do(w.call("godot_scene_list", ""))); r.Result == nil {
			w.t.Errorf("%+v", r.Error)
		}
	},
	func(w *web) { // a call that nobody waits for
		ctx, leave := context.WithCancel(w.t.Context())
		defer leave()
		w.events(w.do(w.progressing("godot_scene_tree").WithContext(ctx))).must()
	},
	func(w *web) { // a listen that is left
		ctx, leave := context.WithCancel(w.t.Context())
		defer leave()
		body := modernCall(5, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`)
		w.events(w.do(w.asks("POST", body, newer("subscriptions/listen", "")).WithContext(ctx))).must()
	},
	func(w *web) { // an older session that ends
		h := w.begin("2025-06-18")
		w.drop(w.do(w.asks("POST", olderCall(2, "godot_scene_list", ""), h)))
		w.do(w.asks("DELETE", "", h))
	},
	func(w *web) { // an older session that is left, with its stream
		ctx, leave := context.WithCancel(w.t.Context())
		defer leave()
		w.events(w.do(w.asks("GET", "", w.begin("2025-11-25")).WithContext(ctx))).must()
	},
	func(w *web) { // a stranger
		w.drop(w.do(w.asks("POST", "{", headers{"Host": "evil.example"})))
	},
	func(w *web) { // half a request
		w.drop(w.do(w.asks("POST", "{", newer("tools/list", ""))))
	},
}

// drop gives the answer back unread.
func (w *web) drop(response *http.Response) { _ = response.Body.Close() }

// openFiles are what this process has open, sockets included; 0 where that cannot be told.
func openFiles() int {
	all, _ := os.ReadDir("/proc/self/fd")
	return len(all)
}

// A thousand clients that come and go leave no goroutine, file, socket or session behind.
func TestHTTPThousandClients(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("scene.list", `{"scenes":[],"main_scene":null}`)
	editor.Park("scene.tree", func(ctx context.Context, call *bridgetest.Parked) (any, error) {
		call.Progress(1, 0, "")
		<-ctx.Done()
		return nil, ctx.Err()
	})
	w := webTo(t, editor.Query())
	come := func(n int) {
		for i := range n {
			visits[i%len(visits)](w)
			w.client.CloseIdleConnections()
		}
	}
	come(2 * len(visits)) // what is made once is there
	settled := func(least func() bool) bool {
		for range 2000 {
			// Sessions whose clients have gone, as far as the server has noticed that.
			w.http.sessions.closeIdle(time.Now().Add(sessionIdle + time.Minute))
			if least() {
				return true
			}
			time.Sleep(5 * time.Millisecond)
		}
		return false
	}
	connected := func() int { return len(slices.Collect(w.server.server.Sessions())) }
	if !settled(func() bool { return connected() == 0 }) {
		t.Fatalf("%d sessions of the SDK are open", connected())
	}
	goroutines, files := runtime.NumGoroutine(), openFiles()
	come(1000)
	if !settled(func() bool {
		return runtime.NumGoroutine() <= goroutines && openFiles() <= files && connected() == 0 && w.http.sessions.count() == 0
	}) {
		stacks := make([]byte, 1<<16)
		t.Errorf("goroutines %d to %d, files %d to %d, %d sessions of the SDK, %d of ours\n%s", goroutines, runtime.NumGoroutine(),
			files, openFiles(), connected(), w.http.sessions.count(), stacks[:runtime.Stack(stacks, true)])
	}
	if n := len(editor.Hellos()); n != 1 {
		t.Errorf("the editor was dialled %d times", n)
	}
}
