package commands

import (
	"encoding/json"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// checkScript refuses a call that gives a script to a node or resource where code of the project must not run:
// the editor runs a @tool script from then on, by whichever tool it came.
func (p Policy) checkScript(t *Tool, args json.RawMessage) error {
	// The commands of a batch are checked one by one.
	if t.Class == ReadOnly || t.ExecutesCode || t.Name == batchRunName {
		return nil
	}
	for _, r := range p.Deny {
		if r.code && givesScript(args) {
			return bridge.Errorf(bridge.PreconditionFailed, "policy",
				"%s with a script can run code of the project, and the policy refuses that: %s: godot-mcp config list", t.Name, r.written("deny"))
		}
	}
	return nil
}

// givesScript is true for arguments that hold a script, or a value for the property of that name, however deep.
func givesScript(args json.RawMessage) bool {
	var value any
	return json.Unmarshal(args, &value) == nil && holdsScript(value)
}

func holdsScript(value any) bool {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			if holdsScript(one) {
				return true
			}
		}
	case map[string]any:
		for name, one := range v {
			text, isText := one.(string)
			switch {
			case name == "property" && isText && isScript(text),
				(isScript(name) || name == "script_path") && one != nil && one != "",
				holdsScript(one):
				return true
			}
		}
	}
	return false
}

// isScript is true for the property script, also of a value inside another.
func isScript(property string) bool {
	return property[strings.LastIndexAny(property, ":/")+1:] == "script"
}
