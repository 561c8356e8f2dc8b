package commands

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
)

// olderField is a property of a recorded schema.
type olderField struct {
	Type    string          `json:"type"`
	AnyOf   []olderField    `json:"anyOf"`
	Items   *olderField     `json:"items"`
	Default json.RawMessage `json:"default"`

	Properties map[string]olderField `json:"properties"`
}

type olderSchema struct {
	Properties map[string]olderField `json:"properties"`
	Required   []string              `json:"required"`
}

// kind is the type without null, with that of the elements: string, [object], "" for any.
func (f olderField) kind() string {
	for _, one := range f.AnyOf {
		if one.Type != "null" {
			return one.kind()
		}
	}
	if f.Items != nil {
		return "[" + f.Items.kind() + "]"
	}
	return f.Type
}

func kindOf(f Field) string {
	switch {
	case f.Items != nil:
		return "[" + kindOf(*f.Items) + "]"
	case f.Type == "any":
		return ""
	}
	return f.Type
}

// takes is true when every value of the kind given is one of the kind wanted.
func takes(wanted, given string) bool {
	return wanted == given || wanted == "" || wanted == "[]" && strings.HasPrefix(given, "[") || wanted == "number" && given == "integer"
}

func schemaOf(t *testing.T, raw json.RawMessage) olderSchema {
	t.Helper()
	var s olderSchema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func find(fields []Field, name string) *Field {
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &fields[i]
}

func eachAlias(t *testing.T, check func(t *testing.T, tool *Tool, older OlderTool)) {
	t.Helper()
	eachTool(t, func(t *testing.T, tool *Tool) {
		if tool.Alias == "" {
			return
		}
		older, ok := OlderTools()[tool.Alias]
		if !ok {
			t.Fatalf("the older server has no tool %s", tool.Alias)
		}
		check(t, tool, older)
	})
}

func TestAliasesTakeTheOlderParameters(t *testing.T) {
	eachAlias(t, func(t *testing.T, tool *Tool, older OlderTool) {
		for name, field := range schemaOf(t, older.InputSchema).Properties {
			if tool.usesInArguments(name) {
				continue
			}
			ours := name
			if other, mapped := tool.AliasMap.Params[name]; mapped {
				ours = other
			}
			if ours == "" {
				continue
			}
			f := find(tool.Params(), ours)
			if f == nil {
				t.Errorf("%s leads to no parameter; put it into AliasMap.Params or Arguments", name)
				continue
			}
			if !takes(kindOf(*f), field.kind()) {
				t.Errorf("%s was %s, %s is %s; put an expression into AliasMap.Arguments", name, field.kind(), ours, kindOf(*f))
			}
			checkOlderDefault(t, tool, f, field.Default)
		}
	})
}

func (t *Tool) usesInArguments(name string) bool {
	for _, expression := range t.AliasMap.Arguments {
		if strings.Contains(expression, "."+name) {
			return true
		}
	}
	return false
}

func checkOlderDefault(t *testing.T, tool *Tool, f *Field, older json.RawMessage) {
	t.Helper()
	if older == nil || string(older) == "null" {
		return
	}
	ours := f.Default
	if value, ok := tool.AliasMap.Defaults[f.Name]; ok {
		ours = value
	}
	if ours == nil && slices.Contains([]string{`""`, "[]", "{}"}, string(older)) {
		return
	}
	if !sameJSON(ours, older) {
		t.Errorf("%s: the default was %s and is %s; put it into AliasMap.Defaults", f.Name, older, ours)
	}
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && gojq.Compare(x, y) == 0
}

func TestAliasesAnswerWithTheOlderResults(t *testing.T) {
	eachAlias(t, func(t *testing.T, tool *Tool, older OlderTool) {
		if older.OutputSchema == nil {
			return
		}
		for name, field := range schemaOf(t, older.OutputSchema).Properties {
			expression, mapped := tool.AliasMap.Results[name]
			switch {
			case mapped && !isRename(expression):
			case mapped:
				checkOlderResult(t, name, field, find(tool.Result(), expression))
			default:
				checkOlderResult(t, name, field, find(tool.Result(), name))
			}
		}
	})
}

// checkOlderResult wants the field down to the leaves. What the older server answers null by default is put
// in when ours has nothing of it.
func checkOlderResult(t *testing.T, at string, older olderField, ours *Field) {
	t.Helper()
	switch {
	case ours == nil && string(older.Default) == "null":
	case ours == nil:
		t.Errorf("%s (%s) is not answered; put it into AliasMap.Results", at, older.kind())
	case !takes(older.kind(), kindOf(*ours)):
		t.Errorf("%s was %s and is %s; put an expression into AliasMap.Results", at, older.kind(), kindOf(*ours))
	case older.Items != nil && ours.Items != nil:
		checkOlderResult(t, at+"[]", *older.Items, ours.Items)
	case ours.Fields != nil:
		for name, member := range older.members() {
			checkOlderResult(t, at+"."+name, member, find(ours.Fields, name))
		}
	}
}

// members are the properties, also of what may be null.
func (f olderField) members() map[string]olderField {
	for _, one := range f.AnyOf {
		if one.Properties != nil {
			return one.Properties
		}
	}
	return f.Properties
}

func TestOlderClassesAreKept(t *testing.T) {
	eachAlias(t, func(t *testing.T, tool *Tool, older OlderTool) {
		if older.Class == ReadOnly && tool.Class != ReadOnly {
			t.Errorf("it was %s and is %s", older.Class, tool.Class)
		}
	})
}

// The recording holds facts of a protocol: no prose of the older server.
func TestOlderListHasNoTexts(t *testing.T) {
	if bytes.Contains(olderList, []byte(`"description":"`)) || len(OlderTools()) != 194 {
		t.Errorf("%d tools, or texts among them", len(OlderTools()))
	}
}

func names(tools []*Tool, name func(*Tool) string) []string {
	var out []string
	for _, tool := range tools {
		out = append(out, name(tool))
	}
	return out
}

func TestOlderToolsetsMeanTheRowsThatTheyHad(t *testing.T) {
	tools, unknown := All().Select([]string{"scene_edit", "nowhere"})
	if !slices.Equal(unknown, []string{"nowhere"}) {
		t.Errorf("unknown: %q", unknown)
	}
	got := names(tools, func(tool *Tool) string { return tool.Name })
	for _, want := range []string{"node add", "scene save", "get-server-info"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
	for _, other := range []string{"scene tree", "editor list"} {
		if slices.Contains(got, other) {
			t.Errorf("%s is in %q", other, got)
		}
	}
	// A name that both have is ours.
	project, _ := All().Select([]string{"project"})
	for _, tool := range project {
		if tool.Toolset != "project" && tool.Toolset != "core" {
			t.Errorf("project has %s", tool.Name)
		}
	}
}

func TestOlderNamesAreThoseThatTheOlderServerHas(t *testing.T) {
	for set, want := range map[string]struct{ has, hasNot string }{
		"starter":    {"inspection_get_scene_tree", "scene_edit_create_node"},
		"scene-edit": {"scene_edit_create_node", "inspection_get_scene_tree"},
		"class":      {"describe_class", "scene_edit_create_node"},
		"all":        {"scene_edit_create_node", ""},
	} {
		tools, unknown := All().OlderNames([]string{set})
		got := names(tools, func(tool *Tool) string { return tool.Alias })
		if len(unknown) > 0 || !slices.Contains(got, want.has) || slices.Contains(got, want.hasNot) {
			t.Errorf("%s: %q, unknown %q", set, got, unknown)
		}
	}
	if _, unknown := All().OlderNames([]string{"nowhere", " "}); !slices.Equal(unknown, []string{"nowhere"}) {
		t.Errorf("unknown: %q", unknown)
	}
}

func TestAliasArgumentsAreBuiltByExpressions(t *testing.T) {
	m := AliasMap{
		Arguments: map[string]string{"event": `{type: .event_type, key: .keycode}`, "note": ".note"},
		Params:    map[string]string{"confirm": ""},
	}
	args := map[string]json.RawMessage{"event_type": Any(`"key"`), "keycode": Any("65.0"), "confirm": Any("true")}
	if err := m.arguments(args); err != nil {
		t.Fatal(err)
	}
	if len(args) != 1 || string(args["event"]) != `{"key":65.0,"type":"key"}` {
		t.Errorf("got %s", args)
	}
	m.Params, args = map[string]string{"confirm": ""}, map[string]json.RawMessage{"confirm": Any("true"), "x": Any("1")}
	m.Arguments = nil
	if err := m.arguments(args); err != nil || len(args) != 1 {
		t.Errorf("got %s, %v", args, err)
	}
}

func TestOlderResultIsCompleteDownToTheLeaves(t *testing.T) {
	tool, _ := All().Lookup("inspection_get_project_info")
	got, err := tool.olderResult(json.RawMessage(`{"name":"G","autoloads":[{"name":"A","path":"res://a.gd"}],"big":12345678901234567890}`), nil)
	if err != nil || !sameJSON(got, json.RawMessage(`{"name":"G","autoloads":{"A":"res://a.gd"},"main_scene":null,"project_path":null,"big":12345678901234567890}`)) {
		t.Errorf("got %s, %v", got, err)
	}
	info := completed("get_server_info", json.RawMessage(`{"bridge":{"connected":true},"toolsets":[{"name":"core"}]}`))
	for _, want := range []string{`"update":null`, `"peer_identity":null`, `"min_godot":null`} {
		if !strings.Contains(string(info), want) {
			t.Errorf("%s is missing in %s", want, info)
		}
	}
	if same := completed("get_server_infos", json.RawMessage(`{}`)); string(same) != "{}" {
		t.Errorf("no such tool gave %s", same)
	}
}
