package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// heard is the next message in short: its method's end, the resource, the listen that it belongs to.
func (w *wire) heard() string {
	w.t.Helper()
	r := w.next()
	var params struct {
		URI           string
		Notifications struct{ ResourceSubscriptions []string }
		Meta          struct {
			ID json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
		} `json:"_meta"`
	}
	if r.Method == "" {
		return fmt.Sprintf("answer %v %s", r.ID, r.Result)
	}
	if err := json.Unmarshal(r.Params, &params); err != nil {
		w.t.Fatalf("%s %s: %v", r.Method, r.Params, err)
	}
	parts := append([]string{strings.TrimPrefix(r.Method, "notifications/"), params.URI, string(params.Meta.ID)}, params.Notifications.ResourceSubscriptions...)
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

func (w *wire) hears(want ...string) {
	w.t.Helper()
	var got []string
	for range want {
		got = append(got, w.heard())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.t.Fatalf("heard %q, want %q", got, want)
	}
}

func (w *wire) listens(id int, uris ...string) {
	w.t.Helper()
	list, _ := json.Marshal(uris)
	w.send(modernCall(id, "subscriptions/listen", `"notifications":{"resourceSubscriptions":`+string(list)+`}`))
}

func (w *wire) cancels(id int) {
	w.t.Helper()
	w.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
}

// Each listen hears of its own resources, by its own id, and of nothing that was not honoured.
func TestListensHearOfTheirResources(t *testing.T) {
	e := bridgetest.New(t)
	w := plug(t, e.Query())
	w.listens(5, "godot://scene/tree/2", "godot://nowhere", "godot://scene/tree/deep", "godot://scene/current")
	w.hears("subscriptions/acknowledged 5 godot://scene/tree/2 godot://scene/current")
	w.listens(6, "godot://node/selected", "godot://scene/tree/2")
	w.hears("subscriptions/acknowledged 6 godot://node/selected godot://scene/tree/2")
	e.WaitSockets(1)

	e.Emit("selection_changed", nil)
	w.hears("resources/updated godot://node/selected 6")
	e.Emit("scene_saved", nil)
	w.hears("resources/updated godot://scene/current 5")
	e.Emit("scene_changed", nil)
	w.hears("resources/updated godot://node/selected 6", "resources/updated godot://scene/current 5",
		"resources/updated godot://scene/tree/2 5", "resources/updated godot://scene/tree/2 6")
	e.Emit("filesystem_changed", nil) // changes none of them
	w.cancels(5)
	w.asked("modern", 9, "prompts/list", "")
	e.Emit("history_changed", nil)
	w.hears("resources/updated godot://node/selected 6", "resources/updated godot://scene/tree/2 6")
	w.cancels(6)
	e.WaitSockets(0) // the last one takes the link with it
}

// One edit gives several events, a slow reader loses some: each resource is told of once, and none is missed.
func TestChangesAreGathered(t *testing.T) {
	e := bridgetest.New(t)
	w := plug(t, e.Query())
	w.listens(5, "godot://scene/tree", "godot://project/info")
	w.hears("subscriptions/acknowledged 5 godot://scene/tree godot://project/info")
	for range 200 {
		e.Emit("scene_changed", nil)
	}
	e.EmitRaw(`{"event":"dropped","count":7}`)
	told := map[string]int{}
	for told["resources/updated godot://project/info 5"] == 0 || told["resources/updated godot://scene/tree 5"] == 0 {
		told[w.heard()]++
	}
	if n := told["resources/updated godot://scene/tree 5"]; n > 100 {
		t.Errorf("200 events were told of %d times", n)
	}
}

// Without an editor the subscription stays, and what the editor that comes has is told of.
func TestSubscriptionsWaitForAnEditor(t *testing.T) {
	project := emptyProject(t)
	w := plug(t, bridge.Query{Project: project, Registry: t.TempDir()})
	w.listens(5, "godot://scene/tree")
	w.hears("subscriptions/acknowledged 5 godot://scene/tree")
	for range 2 {
		e := bridgetest.New(t, bridgetest.Project(project))
		w.hears("resources/updated godot://scene/tree 5")
		e.Emit("history_changed", nil)
		w.hears("resources/updated godot://scene/tree 5")
		e.Close()
	}
	if _, err := os.Stat(project); err != nil {
		t.Error(err)
	}
}

// Of several editors that could be meant none is chosen, and the subscription waits.
func TestSubscriptionsWaitForOneEditor(t *testing.T) {
	project := emptyProject(t)
	first := bridgetest.New(t, bridgetest.Project(project))
	second := bridgetest.New(t, bridgetest.Project(project), bridgetest.PID(os.Getppid()))
	w := plug(t, bridge.Query{Project: project, Registry: t.TempDir()})
	w.listens(5, "godot://scene/tree")
	w.hears("subscriptions/acknowledged 5 godot://scene/tree")
	second.Close()
	w.hears("resources/updated godot://scene/tree 5")
	first.Emit("history_changed", nil)
	w.hears("resources/updated godot://scene/tree 5")
}

func TestOlderClientsSubscribeByThemselves(t *testing.T) {
	e := bridgetest.New(t)
	w := plug(t, e.Query())
	w.begin("2025-06-18")
	subscribe := func(method, uri string) reply {
		t.Helper()
		return w.asked("older", 4, method, fmt.Sprintf(`"uri":%q`, uri))
	}
	for range 2 { // the second time is the same
		if r := subscribe("resources/subscribe", "godot://scene/tree"); r.Error != nil {
			t.Fatalf("%+v", r.Error)
		}
	}
	subscribe("resources/subscribe", "godot://node/selected")
	for _, uri := range []string{"godot://nowhere", "godot://scene/tree/deep"} {
		if r := subscribe("resources/subscribe", uri); r.Error == nil || r.Error.Code != -32002 {
			t.Errorf("%s got %s %+v", uri, r.Result, r.Error)
		}
	}
	e.Emit("history_changed", nil)
	w.hears("resources/updated godot://node/selected", "resources/updated godot://scene/tree")
	subscribe("resources/unsubscribe", "godot://node/selected")
	e.Emit("history_changed", nil)
	w.hears("resources/updated godot://scene/tree")
	e.WaitSockets(1)
	// A client that leaves without a word takes the link with it.
	_ = w.in.Close()
	if err := <-w.done; err != nil {
		t.Error(err)
	}
	e.WaitSockets(0)
}

// Nobody hears of a resource who did not ask, in either era.
func TestNothingUnsolicitedAboutResources(t *testing.T) {
	e := bridgetest.New(t)
	w := plug(t, e.Query())
	w.begin("2025-06-18")
	w.listens(5, "godot://scene/tree")
	w.hears("subscriptions/acknowledged 5 godot://scene/tree")
	e.Emit("scene_changed", nil)
	w.hears("resources/updated godot://scene/tree 5")
	w.cancels(5)
	e.WaitSockets(0)
	w.answered(6)
}

// The policy is asked about the tool behind a resource.
func TestPolicyCutsSubscriptions(t *testing.T) {
	w := alone(t)
	w.server.dispatcher.Policy = denying(t, "read_only")
	w.listens(5, "godot://scene/tree")
	w.hears("subscriptions/acknowledged 5")
	if got := w.heard(); !strings.HasPrefix(got, "answer 5") {
		t.Errorf("a listen to nothing got %s", got)
	}
}
