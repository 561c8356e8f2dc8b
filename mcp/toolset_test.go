package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// names are those of the tools in a tools/list result.
func (r reply) names(t *testing.T) []string {
	t.Helper()
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(r.Result, &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func TestToolsetEnableChangesAndAnnouncesTheListOfAnOlderClient(t *testing.T) {
	w := speak(t, bridge.Query{Project: emptyProject(t), Registry: t.TempDir()})
	const tool = "godot_class_list"
	for id, c := range []struct {
		call   string
		listed bool
	}{{"godot_toolset_enable", true}, {"godot_toolset_disable", false}} {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"toolset":"class"}}}`, 10+id, c.call))
		announced, answered := false, false
		for !announced || !answered {
			r := w.next()
			announced = announced || r.Method == "notifications/tools/list_changed"
			if r.ID == float64(10+id) {
				answered = true
				if !strings.Contains(string(r.Result), fmt.Sprintf(`"enabled":%t`, c.listed)) {
					t.Errorf("%s answered %s", c.call, r.Result)
				}
			}
		}
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, 20+id))
		if names := w.next().names(t); slices.Contains(names, tool) != c.listed {
			t.Errorf("after %s the list is %v", c.call, names)
		}
	}
}

func TestToolsetEnableLeavesTheListOfAModernClient(t *testing.T) {
	w := plug(t, bridge.Query{Project: emptyProject(t), Registry: t.TempDir()})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	list := func(id int) []string {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s}}`, id, meta))
		return w.next().names(t)
	}
	before := list(1)
	w.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"godot_toolset_enable","arguments":{"toolset":"class"},` + meta + `}}`)
	if r := w.next(); !strings.Contains(string(r.Result), `"hint":"the list of this client stays`) || !strings.Contains(string(r.Result), `"godot_class_list"`) {
		t.Errorf("answered %s %+v", r.Result, r.Error)
	}
	if after := list(3); !slices.Equal(before, after) {
		t.Errorf("the list was %v and is %v", before, after)
	}
}

func TestUnknownToolsetIsRefusedWithTheNearest(t *testing.T) {
	session := connect(t, setup{})
	refused(t, call(t, session, "godot_toolset_enable", `{"toolset":"clas"}`), bridge.ValidationError, "toolset", "did you mean class?")
}

// The list is made once: the same bytes for every client, until toolsets change.
func TestTheListIsTheSameBytesEachTime(t *testing.T) {
	var lists []string
	for range 2 {
		w := speak(t, bridge.Query{Project: emptyProject(t), Registry: t.TempDir()})
		for range 2 {
			w.send(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
			lists = append(lists, string(w.next().Result))
		}
	}
	for _, list := range lists[1:] {
		if list != lists[0] {
			t.Error("two lists differ")
		}
	}
}
