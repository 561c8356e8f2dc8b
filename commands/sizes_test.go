package commands

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func toolNamed(t *testing.T, name string) *Tool {
	t.Helper()
	tool, _ := All().Lookup(name)
	if tool == nil {
		t.Fatalf("there is no %s", name)
	}
	return tool
}

// cutWell cuts, and checks what holds for every cut.
func cutWell(t *testing.T, tool *Tool, result, args string, max int) map[string]any {
	t.Helper()
	cut, err := tool.Cut(json.RawMessage(result), json.RawMessage(args), max)
	if err != nil {
		t.Fatal(err)
	}
	if chars(cut) > max {
		t.Errorf("%d characters, at most %d are wanted", chars(cut), max)
	}
	var fields map[string]any
	if err := json.Unmarshal(cut, &fields); err != nil {
		t.Fatalf("%s: %v", cut, err)
	}
	if hint, _ := fields["hint"].(string); fields["truncated"] != true || fields["left_out"] == nil || !strings.Contains(hint, "max_chars") {
		t.Errorf("a cut that does not say so: %s", cut)
	}
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(tool.OutputSchema(), schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(fields); err != nil {
		t.Errorf("the cut is not of the output schema: %v", err)
	}
	return fields
}

func TestWhatIsShortEnoughStaysAsItIs(t *testing.T) {
	result := json.RawMessage(`{"tree":null,"truncated":false,"total":0,"scene_path":"ä"}`)
	for _, max := range []int{0, -1, chars(result), len(result)} {
		cut, err := toolNamed(t, "scene tree").Cut(result, json.RawMessage(`{}`), max)
		if err != nil || string(cut) != string(result) {
			t.Errorf("%d: %s, %v", max, cut, err)
		}
	}
}

// sampleTree is a scene of groups of a hundred nodes, as the editor writes it.
func sampleTree(offset, nodes int) (string, int) {
	var b strings.Builder
	index := 0
	in := func() bool { return index >= offset }
	b.WriteString(`{"tree":{"name":"Größe","type":"Node2D","path":".","child_count":` + fmt.Sprint(nodes/100) + `,"children":[`)
	index++
	first := true
	for g := range nodes / 100 {
		if index+100 < offset {
			index += 101
			continue
		}
		if !first {
			b.WriteString(",")
		}
		first = false
		fmt.Fprintf(&b, `{"name":"Group%d","type":"Node2D","path":"Group%d","child_count":100,"children":[`, g, g)
		index++
		inner := true
		for i := range 100 {
			if in() {
				if !inner {
					b.WriteString(",")
				}
				inner = false
				fmt.Fprintf(&b, `{"name":"Item%d","type":"Sprite2D","path":"Group%d/Item%d","child_count":0}`, i, g, i)
			}
			index++
		}
		b.WriteString("]}")
	}
	fmt.Fprintf(&b, `]},"truncated":false,"total":%d,"scene_path":"res://main.tscn"}`, index)
	return b.String(), index
}

// nodesOf lists the paths of a tree, and what it says to be missing.
func nodesOf(node map[string]any) (paths []string, omitted int) {
	paths = []string{node["path"].(string)}
	if n, ok := node["children_omitted"].(float64); ok {
		omitted = int(n)
	}
	children, _ := node["children"].([]any)
	for _, child := range children {
		below, missing := nodesOf(child.(map[string]any))
		paths, omitted = append(paths, below...), omitted+missing
	}
	return paths, omitted
}

// F15: a cut tree says so, node by node, and the pages together are the whole.
func TestF15_PagesOfACutTreeAreTheWhole(t *testing.T) {
	tool := toolNamed(t, "scene tree")
	whole, total := sampleTree(0, 3000)
	var all map[string]any
	if err := json.Unmarshal([]byte(whole), &all); err != nil {
		t.Fatal(err)
	}
	want, _ := nodesOf(all["tree"].(map[string]any))
	seen := map[string]bool{}
	offset, pages := 0, 0
	for offset >= 0 {
		page, _ := sampleTree(offset, 3000)
		var fields map[string]any
		if len(page) > 25000 {
			fields = cutWell(t, tool, page, fmt.Sprintf(`{"offset":%d}`, offset), 25000)
			paths, omitted := nodesOf(fields["tree"].(map[string]any))
			if omitted == 0 {
				t.Error("no node says that children are missing")
			}
			if pages == 0 && len(paths) != int(fields["next_offset"].(float64)) {
				t.Errorf("%d nodes, next_offset %v", len(paths), fields["next_offset"])
			}
		} else if err := json.Unmarshal([]byte(page), &fields); err != nil {
			t.Fatal(err)
		}
		if int(fields["total"].(float64)) != total {
			t.Errorf("total is %v, want %d", fields["total"], total)
		}
		paths, _ := nodesOf(fields["tree"].(map[string]any))
		for _, path := range paths {
			seen[path] = true
		}
		offset = -1
		if next, ok := fields["next_offset"].(float64); ok {
			offset = int(next)
		}
		if pages++; pages > 100 {
			t.Fatal("the pages do not end")
		}
	}
	if len(seen) != len(want) {
		t.Errorf("%d pages held %d of %d nodes", pages, len(seen), len(want))
	}
}

func TestAListIsCutToAPage(t *testing.T) {
	var nodes []string
	for i := range 500 {
		nodes = append(nodes, fmt.Sprintf(`{"path":"Level/Enemy%d","type":"Node2D","name":"Enemy%d"}`, i, i))
	}
	result := `{"nodes":[` + strings.Join(nodes, ",") + `],"count":500,"total":900,"truncated":true,"next_offset":600,"scene_path":"res://main.tscn"}`
	fields := cutWell(t, toolNamed(t, "node find"), result, `{"offset":100,"limit":500}`, 10000)
	kept := len(fields["nodes"].([]any))
	next := fields["next"].(map[string]any)
	if kept < 100 || int(fields["next_offset"].(float64)) != 100+kept || next["offset"] != fields["next_offset"] || fields["total"] != 900.0 {
		t.Errorf("%d nodes, next_offset %v, next %v, total %v", kept, fields["next_offset"], next, fields["total"])
	}
}

func TestOneLongValueDoesNotHideTheOthers(t *testing.T) {
	result := `{"node_path":".","type":"Polygon2D","properties":{"color":"red","polygon":[` + strings.Repeat("1.5,", 20000) + `2],"visible":true},"children":["A"],"scene_path":""}`
	fields := cutWell(t, toolNamed(t, "node get"), result, `{"node_path":"."}`, 5000)
	properties := fields["properties"].(map[string]any)
	if properties["color"] != "red" || properties["visible"] != true || properties["polygon"] != nil {
		t.Errorf("got %v", properties)
	}
	text, _ := json.Marshal(fields["left_out"])
	if string(text) != `[{"count":1,"entries":["polygon"],"field":"properties","total":3}]` {
		t.Errorf("left out: %s", text)
	}
	if hint := fields["hint"].(string); !strings.Contains(hint, "include or changed_only") {
		t.Errorf("the hint is %q", hint)
	}
}

func TestSeveralListsShareTheRoom(t *testing.T) {
	list := func(n int, element string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
	}
	result := `{"class_name":"X","inherits":"","inherits_chain":[],"can_instantiate":true,"properties":` + list(5, `{"name":"p","type":"int","default":1}`) +
		`,"methods":` + list(900, `{"name":"m","args":[],"return_type":"void"}`) + `,"signals":[],"constants":` +
		list(900, `{"name":"c","value":1,"enum":""}`) + `,"enums":[]}`
	fields := cutWell(t, toolNamed(t, "class describe"), result, `{"class_name":"X"}`, 8000)
	if got := len(fields["properties"].([]any)); got != 5 {
		t.Errorf("%d properties, the short list was to stay", got)
	}
	if len(fields["methods"].([]any)) < 50 || len(fields["constants"].([]any)) < 50 {
		t.Error("one list was cut for the other")
	}
	if fields["total"] != 1800.0 {
		t.Errorf("total %v", fields["total"])
	}
}

type readParams struct {
	ScriptPath string `json:"script_path" p:"required" kind:"project" doc:"Script"`
	StartLine  int    `json:"start_line" default:"1" doc:"First line"`
}

type readBytesParams struct {
	Path   string `json:"path" p:"required" kind:"project" doc:"File"`
	Offset int    `json:"offset" default:"0" doc:"Bytes to skip"`
}

type readResult struct {
	Content string `json:"content"`
}

func TestTextIsCutAtALineOrACharacter(t *testing.T) {
	byLine := New(Spec[readParams, readResult]{Name: "script read", Class: ReadOnly})
	content, _ := json.Marshal(strings.Repeat("\tprint(\"ä\")\n", 1000))
	fields := cutWell(t, byLine, `{"content":`+string(content)+`}`, `{"script_path":"res://a.gd","start_line":11}`, 2000)
	kept := fields["content"].(string)
	lines := strings.Count(kept, "\n")
	if !strings.HasSuffix(kept, "\n") || lines < 50 || fields["total"] != 1000.0 || fields["next"].(map[string]any)["start_line"] != float64(11+lines) {
		t.Errorf("%d lines, total %v, next %v", lines, fields["total"], fields["next"])
	}
	byByte := New(Spec[readBytesParams, readResult]{Name: "file read", Class: ReadOnly})
	fields = cutWell(t, byByte, `{"content":"`+strings.Repeat("ä", 3000)+`"}`, `{"path":"res://a","offset":10}`, 2000)
	kept = fields["content"].(string)
	if fields["next_offset"] != float64(10+len(kept)) || strings.Trim(kept, "ä") != "" {
		t.Errorf("%d bytes, next_offset %v", len(kept), fields["next_offset"])
	}
	if _, err := byLine.Cut(json.RawMessage(`{"content":"`+strings.Repeat("x", 5000)+`"}`), json.RawMessage(`{}`), 2000); err == nil {
		t.Error("one line of 5000 characters was cut")
	}
}

func TestWhatCannotBeCutIsAnErrorWithItsSize(t *testing.T) {
	result := `{"node_path":".","property":"polygon","value":[` + strings.Repeat("1.5,", 10000) + `2],"exists":true,"type":"PackedVector2Array","scene_path":""}`
	_, err := toolNamed(t, "node get-property").Cut(json.RawMessage(result), json.RawMessage(`{}`), 25000)
	e := bridge.AsError(err)
	if e.Code != bridge.ValidationError || e.Required != "max_chars" || !strings.Contains(e.Hint, fmt.Sprint(len(result))) || !strings.Contains(e.Hint, "narrow it by property") {
		t.Errorf("got %v", err)
	}
}

// A change that was made is not answered with an error.
func TestAChangeIsAnsweredWhateverItsSize(t *testing.T) {
	value := `[` + strings.Repeat("1.5,", 10000) + `2]`
	result := `{"node_path":".","property":"polygon","value":` + value + `,"previous":[],"set":true,"dry_run":false,"persisted":true,"undoable":true,"scene_path":""}`
	fields := cutWell(t, toolNamed(t, "node set-property"), result, `{}`, 25000)
	if fields["value"] != nil || fields["set"] != true || fields["persisted"] != true {
		t.Errorf("got %v", fields)
	}
	long := `{"node_path":"` + strings.Repeat("x", 30000) + `","old_name":"a","new_name":"b","renamed":true,"updated_paths":[],"dry_run":false,"persisted":true,"undoable":true,"scene_path":""}`
	if cut, err := toolNamed(t, "node rename").Cut(json.RawMessage(long), json.RawMessage(`{}`), 25000); err != nil || string(cut) != long {
		t.Errorf("got %.100s, %v", cut, err)
	}
}

func TestAnOlderCallIsCutInTheOlderShape(t *testing.T) {
	whole, _ := sampleTree(0, 3000)
	out, err := toolNamed(t, "scene tree").shaped(json.RawMessage(whole), json.RawMessage(`{}`), true, 25000)
	if err != nil || chars(out) > 25000 || !strings.Contains(string(out), `"next_offset"`) || !strings.Contains(string(out), `"truncated":true`) {
		t.Errorf("%d characters, %v", chars(out), err)
	}
}

func TestTheEditorNeedNotWriteWhatIsCut(t *testing.T) {
	tool := toolNamed(t, "scene tree")
	for args, want := range map[string]string{
		`{}`:            `{"limit":501}`,
		`{"limit":0}`:   `{"limit":501}`,
		`{"limit":900}`: `{"limit":501}`,
		`{"limit":20}`:  `{"limit":20}`,
	} {
		if got := string(tool.bounded(json.RawMessage(args), 25000)); got != want {
			t.Errorf("%s became %s, want %s", args, got, want)
		}
	}
	for _, name := range []string{"node find", "scene list"} {
		if got := string(toolNamed(t, name).bounded(json.RawMessage(`{}`), 25000)); got != `{}` {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := string(tool.bounded(json.RawMessage(`{}`), 0)); got != `{}` {
		t.Errorf("without max_chars: %s", got)
	}
}

func BenchmarkCutTree(b *testing.B) {
	whole, _ := sampleTree(0, 10000)
	tool, _ := All().Lookup("scene tree")
	b.SetBytes(int64(len(whole)))
	for b.Loop() {
		if _, err := tool.Cut(json.RawMessage(whole), json.RawMessage(`{}`), 25000); err != nil {
			b.Fatal(err)
		}
	}
}

func TestPropertiesOfAnObjectInTheResultAreCut(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"selected":{"node_path":"A","type":"Node2D","properties":{"position":{"x":1,"y":2}`)
	for i := range 200 {
		fmt.Fprintf(&b, `,"p%d":%q`, i, strings.Repeat("long ", 10))
	}
	b.WriteString(`},"children":["A/B"]},"node_paths":["A"],"scene_path":"res://a.tscn"}`)
	cut := cutWell(t, toolNamed(t, "node get-selected"), b.String(), `{}`, 3000)
	selected := cut["selected"].(map[string]any)
	kept := selected["properties"].(map[string]any)
	missing := cut["left_out"].([]any)[0].(map[string]any)
	if missing["field"] != "selected.properties" || missing["count"] != float64(201-len(kept)) || missing["total"] != 201.0 || kept["position"] == nil {
		t.Errorf("left out %v, kept %d", missing, len(kept))
	}
	if fmt.Sprint(selected["children"], cut["node_paths"]) != "[A/B] [A]" {
		t.Errorf("what is short is gone: %v", cut)
	}
}
