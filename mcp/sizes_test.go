package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// largeTree is a scene of more characters than a result may have.
func largeTree() string {
	var nodes []string
	for i := range 1000 {
		nodes = append(nodes, fmt.Sprintf(`{"name":"Item%d","type":"Sprite2D","path":"Item%d","child_count":0}`, i, i))
	}
	return `{"tree":{"name":"Main","type":"Node2D","path":".","child_count":1000,"children":[` + strings.Join(nodes, ",") +
		`]},"truncated":false,"total":1001,"scene_path":"res://main.tscn"}`
}

func TestF15_ResultsAreCutUnlessTheRequestSaysOtherwise(t *testing.T) {
	editor := bridgetest.New(t)
	for range 3 {
		editor.Reply("scene.tree", largeTree())
	}
	session := connect(t, setup{query: editor.Query()})
	for given, most := range map[any]int{nil: 25000, 5000.0: 5000, 0.0: len(largeTree())} {
		meta := sdk.Meta{}
		if given != nil {
			meta[metaMaxChars] = given
		}
		result, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: "godot_scene_tree", Meta: meta})
		if err != nil || result.IsError {
			t.Fatalf("%v: %v %v", given, err, result)
		}
		length := utf8.RuneCountInString(text(result))
		if length > most || length < most*8/10 {
			t.Errorf("max_chars %v gave %d characters", given, length)
		}
		var shown struct {
			Truncated  bool
			NextOffset int `json:"next_offset"`
			Tree       struct {
				Children        []any
				ChildrenOmitted int `json:"children_omitted"`
			}
		}
		if err := json.Unmarshal([]byte(text(result)), &shown); err != nil {
			t.Fatal(err)
		}
		if n := len(shown.Tree.Children); n+shown.Tree.ChildrenOmitted != 1000 || shown.Truncated != (n < 1000) || shown.Truncated && shown.NextOffset != n+1 {
			t.Errorf("%d children, %d omitted, truncated %t, next %d", n, shown.Tree.ChildrenOmitted, shown.Truncated, shown.NextOffset)
		}
		structured, _ := json.Marshal(result.StructuredContent)
		var a, b any
		if json.Unmarshal(structured, &a) != nil || json.Unmarshal([]byte(text(result)), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Error("the structured content is another than the text")
		}
	}
}

func TestMaxCharsThatIsNoNumberIsRefused(t *testing.T) {
	session := connect(t, setup{})
	for _, wrong := range []any{"many", -1.0, 2.5, true} {
		result, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: "godot_scene_tree", Meta: sdk.Meta{metaMaxChars: wrong}})
		if err != nil {
			t.Fatal(err)
		}
		refused(t, result, bridge.ValidationError, "max_chars", metaMaxChars)
	}
}

// Text of the project is data: a result, or an error, that may hold some says so.
func TestResultsSayWhetherTheyHoldTextOfTheProject(t *testing.T) {
	editor := bridgetest.New(t)
	editor.Reply("scene.list", `{"scenes":[],"main_scene":null}`)
	session := connect(t, setup{query: editor.Query()})
	if result := call(t, session, "godot_scene_list", `{}`); result.Meta[metaProjectText] != true {
		t.Errorf("scene list: %v", result.Meta)
	}
	if result := call(t, session, "godot_node_get", `{}`); !result.IsError || result.Meta[metaProjectText] != true {
		t.Errorf("an error of node get: %v", result.Meta)
	}
	if result := call(t, session, "godot_toolset_list", `{}`); result.Meta[metaProjectText] != nil {
		t.Errorf("toolset list: %v", result.Meta)
	}
	if told := session.InitializeResult().Instructions; !strings.Contains(told, metaProjectText) || len(told) > 2048 {
		t.Errorf("the instructions: %q", told)
	}
}
