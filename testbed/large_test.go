package testbed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// longText has exactly this many bytes, of several lengths of character and with what JSON must escape.
func longText(bytes int) string {
	const piece = "Größe \"quoted\" \\ 玩家\t𝄞 <&> line\n"
	text := strings.Repeat(piece, bytes/len(piece))
	return text + strings.Repeat("x", bytes-len(text))
}

// TestF14LargeValues come back exactly, on both surfaces and from the saved file.
func TestF14LargeValues(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		scene := openLarge(t, e, "large/"+strings.ReplaceAll(t.Name(), "/", "_")+".tscn", scene2d("Large"))
		for _, size := range []int{8_193, 65_536, 1 << 20, 5 << 20} {
			t.Run(fmt.Sprint(size), func(t *testing.T) {
				text := longText(size)
				set := s.call(t, "node set-property", args{"node_path": "Player/Label", "property": "tooltip_text", "value": text}).ok(t)
				if set.value("value") != text {
					t.Error("the answer does not have the text")
				}
				got := s.call(t, "node get-property", args{"node_path": "Player/Label", "property": "tooltip_text"}).ok(t)
				if got.value("value") != text {
					t.Errorf("%d bytes came back as %d", size, len(got.text("value")))
				}
				s.call(t, "scene save", nil).ok(t)
				quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
				if in := readTSCN(read(t, e, scene)).nodes["Player/Label"].properties["tooltip_text"]; in != quoted {
					t.Errorf("the file has %d bytes, want %d", len(in), len(quoted))
				}
				s.call(t, "health-check", nil).ok(t)
			})
		}
	})
}

// TestF14BeyondTheLimit: what is over 16 MiB is refused with limit and size, not sent or cut, and the next
// call works, on the same connection too.
func TestF14BeyondTheLimit(t *testing.T) {
	e := sharedEditor(t)
	limit := fmt.Sprint(bridge.MaxMessage)
	both(t, e, func(t *testing.T, s surface) {
		openLarge(t, e, "large/"+strings.ReplaceAll(t.Name(), "/", "_")+".tscn", scene2d("Limit"))
		describe := func(node, text string) answer {
			return s.call(t, "node set-property", args{"node_path": node, "property": "tooltip_text", "value": text})
		}
		tooLong := strings.Repeat("x", bridge.MaxMessage)
		// An MCP line has a limit of its own, which is met first: mcp's tests are about that one.
		if _, overMCP := s.(session); !overMCP {
			describe("Player/Label", tooLong).fails(t, "VALIDATION_ERROR", "", limit, "16777")
		}
		s.call(t, "node get-property", args{"node_path": "Player/Label", "property": "tooltip_text"}).ok(t).has(t, map[string]string{"value": ""})
		// Two values that fit one by one do not fit into one answer: the new and the previous.
		half := strings.Repeat("y", 9<<20)
		describe("Player/Label", half).ok(t)
		describe("Player/Label", half+"z").fails(t, "VALIDATION_ERROR", "", limit, "18874")
		got := s.call(t, "node get-property", args{"node_path": "Player/Label", "property": "tooltip_text"}).ok(t)
		if got.value("value") != half+"z" && got.value("value") != half {
			t.Error("neither value is there")
		}
		s.call(t, "health-check", nil).ok(t).has(t, map[string]string{"bridge_connected": "true"})
	})
}
