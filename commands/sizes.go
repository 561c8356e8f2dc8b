package commands

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// DefaultMaxChars is how many characters a result may have on MCP when the client does not say.
const DefaultMaxChars = 25000

// cutResult are the fields that a cut result has beside its own, which stay of their types.
type cutResult struct {
	Truncated  bool      `json:"truncated" doc:"True: the whole has more characters than max_chars"`
	Total      int       `json:"total,omitempty" doc:"Nodes, elements, entries or lines of the whole, unless the tool counts them itself"`
	NextOffset int       `json:"next_offset,omitempty" doc:"Offset of the next page, where the tool has pages"`
	LeftOut    []leftOut `json:"left_out" doc:"What is missing, by field; in a tree children_omitted says it node by node"`
	Next       Object    `json:"next,omitempty" doc:"Arguments to change for a call that goes on where this one ends"`
	Hint       string    `json:"hint" doc:"How to get the rest"`
}

// CutFields are the names of the fields that a cut result has beside its own.
func CutFields() []string {
	var names []string
	for _, f := range fieldsOfType[cutResult]() {
		names = append(names, f.Name)
	}
	return names
}

// leftOut says what one field of the result lacks.
type leftOut struct {
	Field   string   `json:"field"`
	Count   int      `json:"count" doc:"Nodes, elements, entries or lines that are missing; a value that is missing is null"`
	Total   int      `json:"total"`
	Entries []string `json:"entries,omitempty" doc:"Names of missing entries, the first ones"`
}

// What the fields of a cut take at most.
const (
	cutReserve    = 600
	maxEntryNames = 20
	maxEntryChars = 400
)

// narrowing are parameters that make an answer shorter.
var narrowing = []string{
	"property", "properties", "include", "changed_only", "max_depth", "lightweight", "include_inherited",
	"include_private", "directory", "root", "section", "limit",
}

// cutter shortens one result.
type cutter struct {
	tool   *Tool
	args   map[string]json.RawMessage
	max    int
	result members
	// described are the result's fields.
	described []Field
	info      cutResult
}

// Cut is the result in at most max characters, with what is left out and how to go on. What cannot be cut
// is an error that says the size; a tool that has changed something then answers in full, since an error
// would say that it had not. Content is no text, and is never cut.
func (t *Tool) Cut(result, args json.RawMessage, max int) (json.RawMessage, error) {
	if t.Content || max <= 0 || len(result) <= max || chars(result) <= max {
		return result, nil
	}
	c := &cutter{tool: t, max: max, described: t.Result(), info: cutResult{Truncated: true, LeftOut: []leftOut{}}}
	if json.Unmarshal(args, &c.args) != nil || json.Unmarshal(result, &c.result) != nil {
		return result, nil // what is no object comes from no tool
	}
	for _, way := range []func() bool{c.tree, c.text, c.page, c.collections, c.inside, c.values} {
		if way() {
			return c.written()
		}
	}
	if t.Class != ReadOnly {
		return result, nil
	}
	return nil, bridge.Errorf(bridge.ValidationError, "max_chars", "the result of %s has %d characters and cannot be cut to %d: %s",
		t.Name, chars(result), max, c.advice())
}

// shaped is the result for the caller: in the older shape for one who called by an alias, and not longer
// than maxChars, unless that is 0.
func (t *Tool) shaped(result, args json.RawMessage, legacy bool, maxChars int) (json.RawMessage, error) {
	if !legacy {
		return t.Cut(result, args, maxChars)
	}
	for limit := maxChars; ; {
		cut, err := t.Cut(result, args, limit)
		if err != nil {
			return nil, err
		}
		older, err := t.olderResult(cut, args)
		if err != nil || maxChars <= 0 || chars(older) <= maxChars || limit < maxChars/2 {
			return older, err
		}
		// Fields that only the older shape has take room, too.
		limit = limit * maxChars / (chars(older) + 100)
	}
}

// room is what a field of the result may take beside all others.
func (c *cutter) room(field string) int {
	return c.max - cutReserve - c.result.size() + chars(c.result.get(field))
}

// fields are the result's fields of a kind that the answer holds.
func (c *cutter) fields(fits func(Field) bool) []string {
	var names []string
	for _, f := range c.described {
		if fits(f) && c.result.get(f.Name) != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// number is an argument; the parameter's default where it was not given.
func (c *cutter) number(name string) int {
	n := 0
	for _, f := range c.tool.Params() {
		if f.Name == name {
			_ = json.Unmarshal(f.Default, &n) // a number by the table's rules
		}
	}
	_ = json.Unmarshal(c.args[name], &n) // validated before
	return n
}

func (c *cutter) takes(param string) bool {
	for _, f := range c.tool.Params() {
		if f.Name == param {
			return true
		}
	}
	return false
}

// goOn notes where the next call begins.
func (c *cutter) goOn(param string, at int) {
	c.info.Next = Object{param: json.RawMessage(fmt.Sprint(at))}
	if param == "offset" {
		c.info.NextOffset = at
	}
}

// written is the cut result. What the tool counts itself stays.
func (c *cutter) written() (json.RawMessage, error) {
	if c.result.get("total") == nil {
		for _, l := range c.info.LeftOut {
			c.info.Total += l.Total
		}
	}
	c.info.Hint = fmt.Sprintf("cut at %d characters: %s", c.max, c.advice())
	text, err := encodeText(c.info)
	if err != nil {
		return nil, err
	}
	var info members
	if err := json.Unmarshal(text, &info); err != nil {
		return nil, err
	}
	for _, m := range info {
		c.result.set(m.name, m.value)
	}
	return c.result.json(), nil
}

// advice says how to get the rest.
func (c *cutter) advice() string {
	var ways []string
	if c.info.Next != nil {
		ways = append(ways, "call again with next")
	} else {
		var names []string
		for _, name := range narrowing {
			if c.takes(name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			ways = append(ways, "narrow it by "+strings.Join(names, " or "))
		}
	}
	return strings.Join(append(ways, "raise max_chars"), ", or ")
}

func chars(text []byte) int { return utf8.RuneCount(text) }
