package commands

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
)

// Each test here is one rule over the whole table; a new tool is held to all of them.

func eachTool(t *testing.T, check func(t *testing.T, tool *Tool)) {
	t.Helper()
	for _, tool := range All().Tools {
		t.Run(strings.ReplaceAll(tool.Name, " ", "_"), func(t *testing.T) { check(t, tool) })
	}
}

func TestNamesAreOfTheContractsForm(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*( [a-z0-9]+(-[a-z0-9]+)*)?$`)
	eachTool(t, func(t *testing.T, tool *Tool) {
		if !form.MatchString(tool.Name) {
			t.Errorf("%q is not a group and a verb in lower case", tool.Name)
		}
		if len(tool.MCPName()) > maxName {
			t.Errorf("%s has %d characters, %d are the limit", tool.MCPName(), len(tool.MCPName()), maxName)
		}
		if found, legacy := All().Lookup(tool.MCPName()); found != tool || legacy {
			t.Errorf("%s does not lead back to the tool", tool.MCPName())
		}
	})
}

func TestNamesAndAliasesAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, tool := range All().Tools {
		for _, name := range []string{tool.Name, tool.MCPName()} {
			if other := seen[name]; other != "" {
				t.Errorf("%s is %s and %s", name, other, tool.Name)
			}
			seen[name] = tool.Name
		}
		if tool.Alias == "" {
			continue
		}
		if other := seen["alias "+tool.Alias]; other != "" {
			t.Errorf("the alias %s is %s and %s", tool.Alias, other, tool.Name)
		}
		seen["alias "+tool.Alias] = tool.Name
	}
}

func TestVerbsAreTheContracts(t *testing.T) {
	verbs := strings.Fields("add create delete remove get set list read find search check run start stop restart " +
		"open save close reload wait describe rename move duplicate reset snapshot diff enable disable connect disconnect call " +
		"copy resolve rescan play query click " +
		"instance make change select extract " +
		"write patch attach detach compose apply clear scaffold diagnose pause resume step")
	statuses := strings.Fields("info status output tree log classes for-node key text mouse action joypad touch stats screenshot time-scale state-hash performance")
	eachTool(t, func(t *testing.T, tool *Tool) {
		_, rest, ok := strings.Cut(tool.Name, " ")
		if !ok {
			return
		}
		verb, _, _ := strings.Cut(rest, "-")
		if !slices.Contains(verbs, verb) && !slices.Contains(statuses, rest) {
			t.Errorf("%q is no verb of the contract; add it there first", verb)
		}
	})
}

func TestReadingVerbsAreReadOnly(t *testing.T) {
	reading := strings.Fields("screenshot describe snapshot diff get list read find search check info status output tree log wait resolve rescan query")
	eachTool(t, func(t *testing.T, tool *Tool) {
		_, rest, _ := strings.Cut(tool.Name, " ")
		verb, _, _ := strings.Cut(rest, "-")
		if slices.Contains(reading, verb) && tool.Class != ReadOnly {
			t.Errorf("%s reads, and its class is %s", tool.Name, tool.Class)
		}
		if (verb == "delete" || verb == "clear") && tool.Class != Destructive {
			t.Errorf("%s destroys, and its class is %s", tool.Name, tool.Class)
		}
	})
}

func TestCommonParametersFollowTheClass(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		has := func(name string) bool {
			return slices.ContainsFunc(tool.Params(), func(f Field) bool { return f.Name == name && f.Type == "boolean" })
		}
		changes := tool.Class == Mutating || tool.Class == Destructive
		if has("dry_run") != changes {
			t.Errorf("class %s, dry_run %t", tool.Class, has("dry_run"))
		}
		if tool.Class != Runtime && has("confirm") != (tool.Class == Destructive) {
			t.Errorf("class %s, confirm %t", tool.Class, has("confirm"))
		}
	})
}

func TestSummariesFitAndEndWithAFullStop(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		if n := len(tool.Summary); n < 15 || n > maxSummary {
			t.Errorf("the summary has %d characters, 15 to %d are wanted", n, maxSummary)
		}
		if !strings.HasSuffix(tool.Summary, ".") || strings.Contains(tool.Summary, "\n") {
			t.Errorf("%q is not one sentence", tool.Summary)
		}
	})
}

func TestParametersAreDocumentedAndWellFormed(t *testing.T) {
	form := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	kinds := []string{"", "node", "project", "tree", "host-read", "host-write", "url", "user", "commands", "plugin"}
	eachTool(t, func(t *testing.T, tool *Tool) {
		for _, f := range tool.Params() {
			if !form.MatchString(f.Name) {
				t.Errorf("%s is not in snake_case", f.Name)
			}
			if f.Doc == "" || strings.HasSuffix(f.Doc, ".") {
				t.Errorf("%s: doc %q is empty or ends with a full stop", f.Name, f.Doc)
			}
			if !slices.Contains(kinds, f.Kind) {
				t.Errorf("%s: kind %q is none of %q", f.Name, f.Kind, kinds)
			}
			if strings.HasSuffix(f.Name, "_path") && f.Kind == "" {
				t.Errorf("%s is a path and has no kind", f.Name)
			}
			if f.Default != nil && !json.Valid(f.Default) {
				t.Errorf("%s: default %s is no JSON", f.Name, f.Default)
			}
			if f.Default != nil && !f.matches(f.Default) {
				t.Errorf("%s: default %s is no %s", f.Name, f.Default, f.Type)
			}
		}
	})
}

func TestPositionalsComeBeforeOptionalOnes(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		optional := false
		for _, f := range tool.Params() {
			if f.Positional && f.Required && optional {
				t.Errorf("%s is required and stands behind an optional positional", f.Name)
			}
			optional = optional || f.Positional && !f.Required
		}
	})
}

func TestExamplesAreValidAndShowWhatIsRequired(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		example := tool.Example()
		if _, err := tool.Validate(example, false); err != nil {
			t.Fatalf("%s: %v", example, err)
		}
		line := ShellLine(tool.Name, example)
		if !strings.HasPrefix(line, tool.Name) {
			t.Errorf("the shell line is %q", line)
		}
	})
}

func TestCommandsOfTheAddonHaveAHandler(t *testing.T) {
	handled := handledCommands(t)
	eachTool(t, func(t *testing.T, tool *Tool) {
		if c := tool.Command(); c != "" && !slices.Contains(handled, c) {
			t.Errorf("no handler in addon/godot_mcp_bridge/handlers names %q", c)
		}
	})
}

func TestHandlersAreOfCommandsThatTheContractKnows(t *testing.T) {
	known := slices.Clone(innerCommands)
	for _, tool := range All().Tools {
		known = append(known, tool.Command())
	}
	for _, command := range handledCommands(t) {
		if !slices.Contains(known, command) {
			t.Errorf("a handler is registered for %s, which no tool is", command)
		}
	}
}

// F16: strict clients refuse a whole server because of one schema.
func TestF16_SchemasAreWhatStrictClientsAccept(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		schemas := map[string]json.RawMessage{"input": tool.InputSchema(), "output": tool.OutputSchema()}
		if tool.Forwards || tool.Content {
			delete(schemas, "output") // the result is another tool's, or content
		}
		for name, raw := range schemas {
			var schema map[string]any
			if err := json.Unmarshal(raw, &schema); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, raw)
			}
			if schema["type"] != "object" || schema["properties"] == nil {
				t.Errorf("%s: the top is no object with properties", name)
			}
			for _, word := range []string{"$schema", "allOf", "oneOf", "anyOf", "$ref"} {
				if _, has := schema[word]; has {
					t.Errorf("%s: %s at the top", name, word)
				}
			}
			checkSchema(t, name, schema)
		}
	})
}

// F17: an optional field that is a union with null makes some clients send cut arguments.
func TestF17_InputTypesArePlain(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		if strings.Contains(string(tool.InputSchema()), `"null"`) {
			t.Errorf("null in %s", tool.InputSchema())
		}
		for _, f := range tool.Params() {
			if f.Required || f.Type == "any" {
				continue
			}
			args := fullExample(tool)
			args[f.Name] = json.RawMessage("null")
			with, _ := json.Marshal(args)
			delete(args, f.Name)
			without, _ := json.Marshal(args)
			a, errA := tool.Validate(with, false)
			b, errB := tool.Validate(without, false)
			if errA != nil || errB != nil || string(a) != string(b) {
				t.Errorf("%s: null is not the same as absent: %s %v, %s %v", f.Name, a, errA, b, errB)
			}
		}
	})
}

func fullExample(tool *Tool) map[string]json.RawMessage {
	args := map[string]json.RawMessage{}
	_ = json.Unmarshal(tool.Example(), &args)
	return args
}

func checkSchema(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	_, typed := schema["type"]
	_, union := schema["anyOf"]
	if !typed && !union {
		t.Errorf("%s has neither type nor anyOf", at)
	}
	if schema["type"] == "array" {
		items, ok := schema["items"].(map[string]any)
		if !ok || len(items) == 0 {
			t.Errorf("%s is an array without items", at)
			return
		}
		checkSchema(t, at+"[]", items)
	}
	if branches, ok := schema["anyOf"].([]any); ok {
		for i, b := range branches {
			checkSchema(t, fmt.Sprintf("%s|%d", at, i), b.(map[string]any))
		}
	}
	if properties, ok := schema["properties"].(map[string]any); ok {
		for name, p := range properties {
			checkSchema(t, at+"."+name, p.(map[string]any))
		}
	}
}

func TestEverySceneToolSaysWhichSceneItTouched(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		if !tool.Scene {
			return
		}
		if !slices.ContainsFunc(tool.Result(), func(f Field) bool { return f.Name == "scene_path" && f.Required }) {
			t.Errorf("the result has no scene_path")
		}
	})
}

func TestAnswerNamesABooleanResult(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		if tool.Answer == "" {
			return
		}
		if !slices.ContainsFunc(tool.Result(), func(f Field) bool { return f.Name == tool.Answer && f.Type == "boolean" }) {
			t.Errorf("answer %q is no boolean result", tool.Answer)
		}
	})
}

func TestAliasMapsNameWhatExists(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		for old, ours := range tool.AliasMap.Params {
			if ours != "" && find(tool.Params(), ours) == nil {
				t.Errorf("%s=%s: there is no such parameter", old, ours)
			}
		}
		for ours := range tool.AliasMap.Arguments {
			if find(tool.Params(), ours) == nil {
				t.Errorf("%s: there is no such parameter", ours)
			}
		}
		for old, expression := range tool.AliasMap.Results {
			if isRename(expression) && find(tool.Result(), expression) == nil {
				t.Errorf("%s<%s: there is no such result", old, expression)
			}
			if _, err := gojq.Parse(expression); err != nil {
				t.Errorf("%s<%s: %v", old, expression, err)
			}
		}
	})
}

func TestEveryGroupHasASummary(t *testing.T) {
	eachTool(t, func(t *testing.T, tool *Tool) {
		for _, name := range []string{tool.Group(), tool.Toolset} {
			if GroupSummary(name) == "" {
				t.Errorf("there is no summary of %s in groups.go", name)
			}
		}
	})
}

func TestDigestIsStableAndFollowsTheTable(t *testing.T) {
	all := All()
	if all.Digest() != NewTable(all.Tools).Digest() {
		t.Error("the same table has two digests")
	}
	if all.Digest() == NewTable(all.Tools[1:]).Digest() {
		t.Error("a missing tool does not change the digest")
	}
}

func TestSelectTakesBothSpellingsAndNamesTheUnknown(t *testing.T) {
	starter, unknown := All().Select([]string{"starter"})
	if len(unknown) != 0 || len(starter) == 0 || len(starter) == len(All().Tools) {
		t.Errorf("starter: %d tools, unknown %q", len(starter), unknown)
	}
	all, _ := All().Select([]string{"all"})
	if len(all) != len(All().Tools) {
		t.Errorf("all: %d of %d tools", len(all), len(All().Tools))
	}
	_, unknown = All().Select([]string{"node", "nodes"})
	if !slices.Equal(unknown, []string{"nodes"}) {
		t.Errorf("unknown: %q", unknown)
	}
}
