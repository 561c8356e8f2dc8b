package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// asked sends a request in the given era and returns what came, in which no notification is expected.
func (w *wire) asked(era string, id int, method, params string) reply {
	w.t.Helper()
	if era == "modern" {
		w.send(modernCall(id, method, params))
	} else {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, id, method, params))
	}
	r := w.next()
	if r.ID != float64(id) {
		w.t.Fatalf("%s got %+v", method, r)
	}
	return r
}

// eachEra runs a test with a client of each era.
func eachEra(t *testing.T, editor func(t *testing.T) *wire, test func(t *testing.T, w *wire, era string)) {
	for _, era := range []string{"modern", "older"} {
		t.Run(era, func(t *testing.T) {
			w := editor(t)
			if era == "older" {
				w.begin("2025-06-18")
			}
			test(t, w, era)
		})
	}
}

func alone(t *testing.T) *wire { return plug(t, nowhere(t)) }

func TestResourceListsAreThoseOfTheTable(t *testing.T) {
	eachEra(t, alone, func(t *testing.T, w *wire, era string) {
		var listed []string
		for _, method := range []string{"resources/list", "resources/templates/list"} {
			r := w.asked(era, 2, method, "")
			var list struct{ Resources, ResourceTemplates []listedResource }
			if err := json.Unmarshal(r.Result, &list); err != nil {
				t.Fatalf("%s: %v", r.Result, err)
			}
			for _, one := range append(list.Resources, list.ResourceTemplates...) {
				if one.Name == "" || one.Description == "" || one.MIMEType != "application/json" && one.Name != "artifact" {
					t.Errorf("%+v", one)
				}
				listed = append(listed, one.URI+one.URITemplate)
			}
			if aged := strings.Contains(string(r.Result), `"ttlMs":300000,"cacheScope":"private"`); aged != (era == "modern") {
				t.Errorf("%s", r.Result)
			}
			if again := w.asked(era, 3, method, ""); string(again.Result) != string(r.Result) {
				t.Errorf("two lists differ")
			}
		}
		if want := "godot://node/selected godot://project/info godot://scene/current godot://scene/tree godot://artifact/{id} godot://scene/tree/{max_depth}"; strings.Join(listed, " ") != want {
			t.Errorf("listed %q", listed)
		}
	})
}

func TestReadingAResourceIsTheToolBehindIt(t *testing.T) {
	const tree = `{"tree":{"name":"Größe","type":"Node2D","path":".","child_count":0},"truncated":false,"total":1,"scene_path":"res://main.tscn"}`
	editor := func(t *testing.T) *wire {
		e := bridgetest.New(t)
		e.Reply("scene.tree", tree)
		t.Cleanup(func() {
			for _, call := range e.Calls() {
				if !strings.Contains(string(call.Params), `"max_depth":2`) {
					t.Errorf("called with %s", call.Params)
				}
			}
		})
		return plug(t, e.Query())
	}
	eachEra(t, editor, func(t *testing.T, w *wire, era string) {
		r := w.asked(era, 2, "resources/read", `"uri":"godot://scene/tree/2"`)
		var read struct {
			Contents []struct {
				URI, MIMEType, Text string
				Meta                map[string]any `json:"_meta"`
			}
			Meta map[string]any `json:"_meta"`
		}
		if err := json.Unmarshal(r.Result, &read); err != nil || len(read.Contents) != 1 {
			t.Fatalf("%s %+v: %v", r.Result, r.Error, err)
		}
		one := read.Contents[0]
		if one.URI != "godot://scene/tree/2" || one.MIMEType != "application/json" || one.Text != tree {
			t.Errorf("got %+v", one)
		}
		if one.Meta[metaProjectText] != true || read.Meta[metaProjectText] != true {
			t.Errorf("the text is not marked: %s", r.Result)
		}
		if aged := strings.Contains(string(r.Result), `"ttlMs":0,"cacheScope":"private"`); aged != (era == "modern") {
			t.Errorf("%s", r.Result)
		}
	})
}

func TestResourcesThatCannotBeRead(t *testing.T) {
	eachEra(t, alone, func(t *testing.T, w *wire, era string) {
		missing := -32602
		if era == "older" {
			missing = -32002
		}
		for uri, want := range map[string]struct {
			code int
			text string
		}{
			"godot://scene/three":        {missing, "did you mean godot://scene/tree?"},
			"godot://scene/tree/":        {missing, "there is no resource"},
			"godot://scene/tree/1/2":     {missing, "there is no resource"},
			"godot://scene/tree/%zz":     {missing, "there is no resource"},
			"godot://artifact/1":         {missing, "godot_artifact_list"},
			"godot://artefact/1":         {missing, "godot_get_server_info"},
			"file:///etc/passwd":         {missing, "there is no resource"},
			"godot://scene/tree/deep":    {-32602, "max_depth"},
			"godot://project/info":       {-32603, "BRIDGE_DISCONNECTED"},
			"godot://scene/tree/{depth}": {-32602, "max_depth"},
		} {
			r := w.asked(era, 2, "resources/read", fmt.Sprintf(`"uri":%q`, uri))
			if r.Error == nil || r.Error.Code != want.code || !strings.Contains(r.Error.Message, want.text) {
				t.Errorf("%s got %s %+v, want %d with %q", uri, r.Result, r.Error, want.code, want.text)
				continue
			}
			var data struct{ Error, Hint, Required string }
			if err := json.Unmarshal(r.Error.Data, &data); err != nil || data.Error == "" || data.Hint == "" || data.Required == "" {
				t.Errorf("%s: data is %s", uri, r.Error.Data)
			}
		}
	})
}

// F15: a tree that is cut says in the resource, too, what is missing and how to go on.
func TestF15_ALongTreeAsAResourceSaysHowToGoOn(t *testing.T) {
	var tree strings.Builder
	tree.WriteString(`{"tree":{"name":"Top","type":"Node2D","path":".","child_count":900,"children":[`)
	for i := range 900 {
		if i > 0 {
			tree.WriteByte(',')
		}
		fmt.Fprintf(&tree, `{"name":"Item%d","type":"Node2D","path":"Item%d","child_count":0}`, i, i)
	}
	tree.WriteString(`]},"truncated":false,"total":901,"scene_path":"res://main.tscn"}`)
	e := bridgetest.New(t)
	e.Reply("scene.tree", tree.String())
	w := plug(t, e.Query())
	for uri, depth := range map[string]string{"godot://scene/tree": "", "godot://scene/tree/5": "5"} {
		r := w.asked("modern", 2, "resources/read", fmt.Sprintf(`"uri":%q`, uri))
		var read struct{ Contents []struct{ Text string } }
		if err := json.Unmarshal(r.Result, &read); err != nil || len(read.Contents) != 1 {
			t.Fatalf("%s %+v", r.Result, r.Error)
		}
		var cut struct {
			Truncated bool
			Total     int
			LeftOut   []struct{ Count int } `json:"left_out"`
			Next      map[string]any
			Hint      string
			Tree      struct {
				Omitted int `json:"children_omitted"`
			}
		}
		text := read.Contents[0].Text
		if err := json.Unmarshal([]byte(text), &cut); err != nil {
			t.Fatal(err)
		}
		if len(text) > commands.DefaultMaxChars || !cut.Truncated || cut.Total != 901 || cut.Tree.Omitted == 0 || len(cut.LeftOut) != 1 {
			t.Errorf("%d characters, %+v", len(text), cut)
		}
		if cut.Next["offset"] == nil || fmt.Sprint(cut.Next["max_depth"]) != depth && depth != "" || !strings.Contains(cut.Hint, "godot_scene_tree with the arguments in next") {
			t.Errorf("%s goes on with %v: %s", uri, cut.Next, cut.Hint)
		}
		call, _ := json.Marshal(cut.Next)
		tool, _ := commands.All().Lookup("scene tree")
		if _, err := tool.Validate(call, false); err != nil {
			t.Errorf("%s is no call: %v", call, err)
		}
	}
	w.send(strings.Replace(modernCall(4, "resources/read", `"uri":"godot://scene/tree"`), `"_meta":{`, `"_meta":{"dev.godot-mcp/max_chars":0,`, 1))
	if r := w.next(); strings.Contains(string(r.Result), "left_out") || !strings.Contains(string(r.Result), "Item899") {
		t.Errorf("without a limit: %.200s %+v", r.Result, r.Error)
	}
}

func TestPolicyCutsResources(t *testing.T) {
	w := alone(t)
	w.server.dispatcher.Policy = denying(t, "scene tree", "project")
	for method, want := range map[string]string{"resources/list": "godot://node/selected godot://scene/current", "resources/templates/list": "godot://artifact/"} {
		r := w.asked("modern", 2, method, "")
		if found := regexp.MustCompile(`godot://[a-z/]+`).FindAllString(string(r.Result), -1); strings.Join(found, " ") != want {
			t.Errorf("%s lists %s", method, r.Result)
		}
	}
	r := w.asked("modern", 4, "tools/call", `"name":"godot_get_server_info"`)
	if !strings.Contains(string(r.Result), `"resources":["godot://artifact/{id}","godot://node/selected","godot://scene/current"]`) {
		t.Errorf("get-server-info says %.600s", r.Result)
	}
	r = w.asked("modern", 3, "resources/read", `"uri":"godot://scene/tree"`)
	if r.Error == nil || r.Error.Code != -32603 || !strings.HasSuffix(r.Error.Message, "[required=policy]") {
		t.Errorf("got %s %+v", r.Result, r.Error)
	}
}
