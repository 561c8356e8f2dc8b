// Package commands is the table of tools and the one gate that every call goes through.
//
// A tool is declared once, by a [Spec]: its parameters and result are Go structs, everything else that a
// surface needs (flags, JSON schemas, validation, help, MCP tools) is derived from them.
package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Class is a tool's safety class. It decides which common parameters a tool has and what policy asks of it.
type Class string

// The four safety classes, from the contract.
const (
	ReadOnly    Class = "read_only"
	Mutating    Class = "mutating"
	Destructive Class = "destructive"
	Runtime     Class = "runtime"
)

// Any is a parameter or result that takes any JSON value. In a parameter its text reaches the editor as it
// was given, so that 3 and 3.0 stay apart.
type Any = json.RawMessage

// Object is a JSON object whose keys are not known beforehand.
type Object map[string]Any

// Spec declares one tool. P and R are structs; their fields' tags are read by [New]:
//
//	json:"name[,omitempty]"  the name; omitempty marks a result that may be absent
//	doc:"..."                one sentence, without a full stop
//	p:"required"             a parameter that must be given; also positional
//	p:"arg"                  an optional parameter that is positional all the same
//	default:"..."            the value when it is not given, as JSON or plain text
//	enum:"a,b"               the values taken
//	kind:"..."               what the text names: node, project, tree for a file or folder of the project that
//	                         is taken as a whole, host-read, host-write, url, user, commands for the commands
//	                         of a batch, plugin for one to be switched off
//
// A pointer in R is a field that may be null.
type Spec[P, R any] struct {
	// Name is the path on the command line, "node set-property".
	Name  string
	Class Class
	// Toolset is the group of Name when empty.
	Toolset string
	// Starter puts the tool into the set that is listed by default.
	Starter bool
	// Scene says that the tool acts on an open scene and so takes scene_path.
	Scene bool
	// NoUndo says that undo does not take a call back, so that an atomic batch refuses it.
	NoUndo bool
	// ExecutesCode says that a call can run code of the project.
	ExecutesCode bool
	// OwnText says that no result holds a name, path, script or log line of the project: the words are ours.
	OwnText bool
	// Summary is the first line of help and the MCP description: at most 100 characters.
	Summary string
	// Alias is the older server's name without its godot_ prefix, with the map of what it called otherwise.
	Alias    string
	AliasMap AliasMap
	// Forwards says that a call is one of the tool that its arguments name: that tool's class, preconditions,
	// result and answer are its own. Class is then only what the row is listed by.
	Forwards bool
	// Answer names a boolean result: false means that the tool did its work and the answer is no (exit 10).
	Answer string
	// Content says that over MCP the answer is shown as what it holds, a picture or another artifact, so that the
	// row has no output schema there: clients would give their models the structured form alone.
	Content bool
	// Finish makes the answer out of the addon's, where the binary has a part in it.
	Finish func(ctx context.Context, env *Env, params P, answer json.RawMessage) (R, error)
	// Example is shown in help and documents, checked against the schema and carried out by the tests.
	Example P
	// Carries gives what the binary sends to the addon beside the arguments: data of its own, which callers do
	// not give.
	Carries func(P) map[string]any
	// Run answers without the table's default way, which is the addon's command of the same name.
	Run func(context.Context, *Env, P) (R, error)
}

// Tool is one row of the table, with all that is derived from its [Spec].
type Tool struct {
	Name         string
	Class        Class
	Toolset      string
	Starter      bool
	Scene        bool
	NoUndo       bool
	ExecutesCode bool
	OwnText      bool
	Forwards     bool
	Content      bool
	Summary      string
	Alias        string
	AliasMap     AliasMap
	Answer       string

	params, result reflect.Type
	example        any
	run            func(context.Context, *Env, json.RawMessage) (any, error)
	carries        func(json.RawMessage) (map[string]any, error)
	finish         func(ctx context.Context, env *Env, args, answer json.RawMessage) (json.RawMessage, error)

	once        sync.Once
	paramFields []Field
	resultField []Field
}

// New makes the row for a declaration. It only keeps the types: fields are read when first asked for, so
// that a process which runs one command pays for one.
func New[P, R any](s Spec[P, R]) *Tool {
	t := &Tool{
		Name: s.Name, Class: s.Class, Toolset: s.Toolset, Starter: s.Starter, Scene: s.Scene,
		NoUndo: s.NoUndo || s.Class == Runtime, ExecutesCode: s.ExecutesCode, OwnText: s.OwnText, Forwards: s.Forwards, Content: s.Content, Summary: s.Summary, Alias: s.Alias, AliasMap: s.AliasMap,
		Answer: s.Answer, params: reflect.TypeFor[P](), result: reflect.TypeFor[R](), example: s.Example,
	}
	if t.Toolset == "" {
		t.Toolset = strings.ReplaceAll(t.Group(), "-", "_")
	}
	if s.Carries != nil {
		t.carries = func(args json.RawMessage) (map[string]any, error) {
			var p P
			err := json.Unmarshal(args, &p)
			return s.Carries(p), err
		}
	}
	if s.Finish != nil {
		t.finish = func(ctx context.Context, env *Env, args, answer json.RawMessage) (json.RawMessage, error) {
			var p P
			if err := json.Unmarshal(args, &p); err != nil {
				return nil, fmt.Errorf("arguments of %s: %w", s.Name, err)
			}
			result, err := s.Finish(ctx, env, p, answer)
			if err != nil {
				return nil, err
			}
			return json.Marshal(result)
		}
	}
	if s.Run != nil {
		t.run = func(ctx context.Context, env *Env, args json.RawMessage) (any, error) {
			var p P
			if err := json.Unmarshal(args, &p); err != nil {
				return nil, fmt.Errorf("arguments of %s: %w", s.Name, err)
			}
			return s.Run(ctx, env, p)
		}
	}
	return t
}

// Group is the first word of the name, or "core" for a tool that stands alone.
func (t *Tool) Group() string {
	group, _, found := strings.Cut(t.Name, " ")
	if !found {
		return "core"
	}
	return group
}

// MCPName is the name that MCP clients see, at most 40 characters of a-z, 0-9 and _.
func (t *Tool) MCPName() string {
	return "godot_" + strings.NewReplacer(" ", "_", "-", "_").Replace(t.Name)
}

// Command is the addon's command that carries the tool out, "node.set-property"; "" for a tool that the
// binary answers itself, or passes on.
func (t *Tool) Command() string {
	if t.run != nil || t.Forwards {
		return ""
	}
	return strings.Replace(t.Name, " ", ".", 1)
}

// request is what the addon is sent for these arguments.
func (t *Tool) request(args json.RawMessage) json.RawMessage {
	if t.carries == nil {
		return args
	}
	fields := map[string]json.RawMessage{}
	load, err := t.carries(args)
	if err != nil || json.Unmarshal(args, &fields) != nil {
		return args
	}
	for name, value := range load {
		fields[name] = encoded(value, nil)
	}
	return encoded(fields, args)
}

// HasProjectText is true when results hold text of the project, which is data whatever it says.
func (t *Tool) HasProjectText() bool { return !t.OwnText }

// Example is the example's arguments as compact JSON, without those that are zero and optional.
func (t *Tool) Example() json.RawMessage {
	return exampleOf(t)
}

// Params are the parameters in the table's order, the common ones of the class last.
func (t *Tool) Params() []Field {
	t.derive()
	return t.paramFields
}

// Result are the fields of the result, the common ones of the class last.
func (t *Tool) Result() []Field {
	t.derive()
	return t.resultField
}

func (t *Tool) derive() {
	t.once.Do(func() {
		t.paramFields = append(fieldsOf(t.params), commonParams(t)...)
		t.resultField = append(fieldsOf(t.result), commonResults(t)...)
	})
}

// Table is the set of all tools, in order of declaration.
type Table struct {
	Tools  []*Tool
	byName map[string]*Tool
	search searchIndex
}

// NewTable indexes tools by command line path and MCP name; aliases are looked up apart.
func NewTable(tools ...[]*Tool) *Table {
	t := &Table{byName: map[string]*Tool{}}
	for _, group := range tools {
		for _, tool := range group {
			t.Tools = append(t.Tools, tool)
			t.byName[tool.Name] = tool
			t.byName[tool.MCPName()] = tool
		}
	}
	return t
}

// Lookup finds a tool by its command line path, MCP name or alias. legacy says that it was the alias, so
// that parameters and result are the older ones.
func (t *Table) Lookup(name string) (tool *Tool, legacy bool) {
	name = strings.TrimSpace(name)
	if tool := t.byName[name]; tool != nil {
		return tool, false
	}
	plain := strings.TrimPrefix(name, "godot_")
	for _, tool := range t.Tools {
		if tool.Alias != "" && tool.Alias == plain {
			return tool, true
		}
	}
	return nil, false
}

// Nearest is the command line path that is spelled most like name, "" when none is. Within a group only what
// follows it is compared.
func (t *Table) Nearest(name string) string {
	plain := strings.NewReplacer("godot_", "", "_", " ", ".", " ").Replace(strings.TrimSpace(name))
	within := ""
	if group, _, more := strings.Cut(plain, " "); more && t.hasGroup(group) {
		within = group + " "
	}
	var names []string
	for _, tool := range t.Tools {
		if rest, ok := strings.CutPrefix(tool.Name, within); ok {
			names = append(names, rest)
		}
	}
	if best := nearest(strings.TrimPrefix(plain, within), names); best != "" {
		return within + best
	}
	// A word that a tool of some group is called by, as tree.
	for _, name := range names {
		if plain != "" && strings.HasSuffix(name, " "+plain) {
			return name
		}
	}
	return t.likely(plain)
}

// likely is the tool that a name means which has the right words in another order or with another verb, as
// create_node does; "" when a word is not known, or nothing of the name is the tool's.
func (t *Table) likely(name string) string {
	found := t.Search(name)
	if len(found) == 0 {
		return ""
	}
	best := found[0].Tool
	if group, _, _ := strings.Cut(name, " "); t.hasGroup(group) && group != best.Group() {
		return ""
	}
	shares := false
	for _, word := range nameWords(name) {
		if !t.search.index.Knows(word) {
			return ""
		}
		shares = shares || slices.Contains(nameWords(best.Name), word)
	}
	if !shares {
		return ""
	}
	return best.Name
}

// Toolsets are the names of all toolsets, sorted.
func (t *Table) Toolsets() []string {
	seen := map[string]bool{}
	for _, tool := range t.Tools {
		seen[tool.Toolset] = true
	}
	out := make([]string, 0, len(seen))
	for name := range seen {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// Select are the tools of "starter", "all" or a list of toolsets. A toolset that only the older server has
// means the rows that it had. Names that no toolset has are returned beside them.
func (t *Table) Select(sets []string) (tools []*Tool, unknown []string) {
	ours, older, unknown := t.named(sets, false)
	for _, tool := range t.Tools {
		// core is always there: it holds the way to everything else.
		always := tool.Toolset == "core" && tool.Starter
		if always || ours["all"] || ours[tool.Toolset] || ours["starter"] && tool.Starter || t.inOlder(tool, older) {
			tools = append(tools, tool)
		}
	}
	return tools, unknown
}
