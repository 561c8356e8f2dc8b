package commands

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"

	"github.com/itchyny/gojq"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// AliasMap says what the older server called otherwise. Only calls by the alias go through it; where the
// alias is also the tool's own name, calls may use the older parameters beside ours.
type AliasMap struct {
	// Params maps an old parameter to ours; to "" where ours needs none, such as confirm.
	Params map[string]string
	// Arguments maps a parameter of ours to the jq expression over the old arguments that makes it, where a
	// name for a name does not do.
	Arguments map[string]string
	// Defaults holds, by our name, defaults that the older server had and we do not.
	Defaults map[string]json.RawMessage
	// Results maps an old result field to ours, or to a jq expression over our result, as in
	// ".properties | map(.name)".
	Results map[string]string
}

// plainName is a result that is only called otherwise.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func isRename(expression string) bool {
	return plainName.MatchString(expression) && expression != "true" && expression != "false" && expression != "null"
}

// arguments turns the older call into ours. A parameter given under both names is refused.
func (m AliasMap) arguments(args map[string]json.RawMessage) error {
	if err := m.build(args); err != nil {
		return err
	}
	if err := m.rename(args); err != nil {
		return err
	}
	for ours, value := range m.Defaults {
		if _, given := args[ours]; !given {
			args[ours] = value
		}
	}
	return nil
}

func (m AliasMap) rename(args map[string]json.RawMessage) error {
	for old, ours := range m.Params {
		value, ok := args[old]
		if !ok {
			continue
		}
		if _, both := args[ours]; both {
			return bridge.Errorf(bridge.ValidationError, old, "%s and %s are the same parameter: give one of them", old, ours)
		}
		delete(args, old)
		if ours != "" {
			args[ours] = value
		}
	}
	return nil
}

// build replaces the old arguments by what the expressions make of them, where there are any; null is left
// out.
func (m AliasMap) build(args map[string]json.RawMessage) error {
	if len(m.Arguments) == 0 {
		return nil
	}
	whole, err := json.Marshal(args)
	if err != nil {
		return err
	}
	made := map[string]json.RawMessage{}
	for ours, expression := range m.Arguments {
		value, err := evaluate(expression, whole, whole)
		if err != nil {
			return bridge.Errorf(bridge.ValidationError, ours, "the older arguments do not say %s: %w", ours, err)
		}
		if string(value) != "null" {
			made[ours] = value
		}
	}
	clear(args)
	maps.Copy(args, made)
	return nil
}

// fromOlder takes the older parameters of a call by the alias and, where the names are the same, those that
// are called otherwise.
func (t *Tool) fromOlder(args map[string]json.RawMessage, legacy bool) error {
	switch {
	case legacy:
		return t.AliasMap.arguments(args)
	case t.sharesName():
		return t.AliasMap.rename(args)
	}
	return nil
}

// olderResult turns our answer into the older shape: what has another name or form there is replaced, what
// was always there is put in. Further fields of ours stay. Arguments are ours.
func (t *Tool) olderResult(ours, arguments json.RawMessage) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(ours, &fields); err != nil {
		return nil, err
	}
	made, err := t.AliasMap.results(fields, ours, arguments)
	if err != nil {
		return nil, fmt.Errorf("the older shape of %s: %w", t.Name, err)
	}
	for _, expression := range t.AliasMap.Results {
		delete(fields, expression)
	}
	for old, value := range made {
		fields[old] = value
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return completed(t.Alias, out), nil
}

// results are the old fields that the map makes.
func (m AliasMap) results(fields map[string]json.RawMessage, ours, arguments json.RawMessage) (map[string]json.RawMessage, error) {
	made := map[string]json.RawMessage{}
	for old, expression := range m.Results {
		if isRename(expression) {
			if value, ok := fields[expression]; ok {
				made[old] = value
			}
			continue
		}
		value, err := evaluate(expression, ours, arguments)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", old, err)
		}
		made[old] = value
	}
	return made, nil
}

// evaluate gives what a jq expression makes of a JSON text; $arguments are the call's. Expressions are the
// table's own.
func evaluate(expression string, text, arguments json.RawMessage) (json.RawMessage, error) {
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, err
	}
	code, err := gojq.Compile(query, gojq.WithVariables([]string{"$arguments"}))
	if err != nil {
		return nil, err
	}
	input, err := exactly(text)
	if err != nil {
		return nil, err
	}
	given, err := exactly(arguments)
	if err != nil {
		return nil, err
	}
	value, ok := code.Run(input, given).Next()
	if failure, failed := value.(error); failed {
		return nil, failure
	}
	if !ok {
		return nil, fmt.Errorf("%s gave nothing", expression)
	}
	return gojq.Marshal(value)
}

// exactly keeps numbers as they are written.
func exactly(text json.RawMessage) (value any, err error) {
	if len(text) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return value, d.Decode(&value)
}

// sharesName is true where the older server's name for the tool is also its own. The results of such a tool
// hold all that the older one answered.
func (t *Tool) sharesName() bool { return t.Alias != "" && "godot_"+t.Alias == t.MCPName() }
