package commands

import (
	"encoding/json"
	"testing"
)

func TestShellLineIsWhatAPersonTypes(t *testing.T) {
	for _, c := range []struct{ tool, arguments, want string }{
		{"undo", `{}`, `undo`},
		{"undo", `{"count":2}`, `undo --count=2`},
		{"godot_node_get", `{"node_path":"Player","changed_only":true}`, `node get Player --changed-only`},
		{"node get", `{"node_path":"My Node","include":["a","b"]}`, `node get 'My Node' --include='["a","b"]'`},
		{"node get", `{"node_path":"it's"}`, `node get 'it'\''s'`},
		{"node get", `{"node_path":""}`, `node get ''`},
		{"node set-property", `{"node_path":"A","property":"rotation","value":-1.5}`, `node set-property A rotation -1.5`},
		// A text that would read as another JSON value is written as a JSON string.
		{"node set-property", `{"node_path":"A","property":"text","value":"42"}`, `node set-property A text '"42"'`},
		{"node set-property", `{"node_path":"A","property":"text","value":"two words"}`, `node set-property A text 'two words'`},
		// What begins with a dash would be taken for a flag.
		{"node set-property", `{"node_path":"A","property":"text","value":"--x"}`, `node set-property A text --value=--x`},
		// Without a positional before it, a parameter is named.
		{"node add", `{"node_name":"Hat","parent_path":"$HOME"}`, `node add --node-name=Hat --parent-path='$HOME'`},
		{"node add", `{"properties":{"a":1}}`, `node add --properties='{"a":1}'`},
		{"no such", `{}`, `no such`},
	} {
		if got := ShellLine(c.tool, json.RawMessage(c.arguments)); got != c.want {
			t.Errorf("%s %s\n gave %s\n want %s", c.tool, c.arguments, got, c.want)
		}
	}
}
