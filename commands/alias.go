package commands

import (
	"encoding/json"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// AliasMap says what the older server called otherwise. Only calls by the alias go through it.
type AliasMap struct {
	// Params maps an old parameter to ours.
	Params map[string]string
	// Defaults holds, by our name, defaults that the older server had and we do not.
	Defaults map[string]json.RawMessage
	// Results maps an old result field to ours.
	Results map[string]string
}

// arguments turns the older call into ours. A parameter given under both names is refused.
func (m AliasMap) arguments(args map[string]json.RawMessage) error {
	for old, ours := range m.Params {
		value, ok := args[old]
		if !ok {
			continue
		}
		if _, both := args[ours]; both {
			return bridge.Errorf(bridge.ValidationError, old, "%s and %s are the same parameter: give one of them", old, ours)
		}
		delete(args, old)
		args[ours] = value
	}
	for ours, value := range m.Defaults {
		if _, given := args[ours]; !given {
			args[ours] = value
		}
	}
	return nil
}

// result turns our answer into the older shape.
func (m AliasMap) result(ours json.RawMessage) (json.RawMessage, error) {
	if len(m.Results) == 0 {
		return ours, nil
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(ours, &fields); err != nil {
		return nil, err
	}
	for old, name := range m.Results {
		if value, ok := fields[name]; ok {
			delete(fields, name)
			fields[old] = value
		}
	}
	return json.Marshal(fields)
}
