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
