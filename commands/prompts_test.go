package commands

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	namedTool  = regexp.MustCompile(`\bgodot_[a-z0-9_]+`)
	calledTool = regexp.MustCompile("`(godot_[a-z0-9_]+) (\\{.*?\\})`")
)

// promptExamples are arguments for each prompt; the tests on the real engine use their own.
var promptExamples = map[string]string{
	"scene_path": `res://a "b".tscn`, "root_type": "Node3D", "script_path": "res://player.gd", "node_path": "A/B", "error_message": "line one\n\"two\" `x`",
	"resource_kind": "Curve", "save_path": "res://c.tres", "preset": "it's Linux", "output_path": "build/a b", "node_type": "Label", "property": "text", "value": "it's \"so\"\n1. x",
}

func eachPrompt(t *testing.T, check func(t *testing.T, p *Prompt, text string)) {
	t.Helper()
	for i := range Prompts() {
		p := &Prompts()[i]
		for form, all := range map[string]bool{"all": true, "required": false} {
			t.Run(p.Name+"_"+form, func(t *testing.T) {
				given := map[string]string{}
				for _, a := range p.Arguments {
					if all || a.Required {
						given[a.Name] = promptExamples[a.Name]
					}
				}
				text, err := p.Render(given)
				if err != nil {
					t.Fatal(err)
				}
				check(t, p, text)
			})
		}
	}
}

// What a prompt names has to be there, and each call in it has to be one that the tool takes.
func TestPromptsNameToolsThatExist(t *testing.T) {
	table := All()
	eachPrompt(t, func(t *testing.T, _ *Prompt, text string) {
		for _, name := range namedTool.FindAllString(text, -1) {
			if tool, older := table.Lookup(name); tool == nil || older {
				t.Errorf("there is no tool %s", name)
			}
		}
		calls := calledTool.FindAllStringSubmatch(text, -1)
		if len(calls) < 5 {
			t.Errorf("there are %d calls in\n%s", len(calls), text)
		}
		for _, call := range calls {
			tool, _ := table.Lookup(call[1])
			if tool == nil {
				continue
			}
			if !json.Valid([]byte(call[2])) {
				t.Errorf("%s %s is no JSON", call[1], call[2])
				continue
			}
			if tool.Forwards {
				var inner struct {
					Tool      string
					Arguments json.RawMessage
				}
				_ = json.Unmarshal([]byte(call[2]), &inner)
				if tool, _ = table.Lookup(inner.Tool); tool == nil {
					t.Errorf("there is no tool %s", inner.Tool)
					continue
				}
				call[2] = string(inner.Arguments)
			}
			if _, err := tool.Validate(json.RawMessage(call[2]), false); err != nil {
				t.Errorf("%s %s: %v", call[1], call[2], err)
			}
		}
	})
}

func TestPromptsAreNumberedAndFilledIn(t *testing.T) {
	step := regexp.MustCompile(`(?m)^(\d+)\. `)
	eachPrompt(t, func(t *testing.T, _ *Prompt, text string) {
		if strings.Contains(text, "{{") || strings.Contains(text, "<no value>") || condition.MatchString(text) {
			t.Errorf("not filled in:\n%s", text)
		}
		if !strings.HasPrefix(text, "Do these steps in order") {
			t.Errorf("it begins %.60q", text)
		}
		for i, found := range step.FindAllStringSubmatch(text, -1) {
			if found[1] != string(rune('1'+i)) && len(found[1]) == 1 {
				t.Errorf("step %s stands in place %d", found[1], i+1)
			}
		}
	})
}

func TestPromptFilesUseTheirArguments(t *testing.T) {
	for _, p := range Prompts() {
		used := []string{}
		for _, found := range regexp.MustCompile(`\{\{([a-z_]+)|(?m:^[?!]([a-z_]+) )`).FindAllStringSubmatch(p.text, -1) {
			used = append(used, found[1]+found[2])
		}
		names := p.argumentNames()
		for _, name := range used {
			if !slices.Contains(names, name) {
				t.Errorf("%s uses %s, which is no argument", p.Name, name)
			}
		}
		for _, name := range names {
			if !slices.Contains(used, name) {
				t.Errorf("%s does not use %s", p.Name, name)
			}
			if promptExamples[name] == "" {
				t.Errorf("there is no example of %s", name)
			}
		}
		if len(p.Summary) < 15 || len(p.Summary) > maxSummary || strings.HasSuffix(p.Summary, ".") {
			t.Errorf("%s: summary %q", p.Name, p.Summary)
		}
	}
}

func TestPromptValuesStayWhatTheyAre(t *testing.T) {
	p := readPrompt("x", "Sum\nvalue*: V\nnote: N\nother=dflt: O\n---\n1. {{value}} {{value:json}} {{value:sh}} {{other}}\n?note 1. {{note}}\n!note 1. none\n1. end\n")
	for _, c := range []struct{ value, note, want string }{
		{"1.50", "", "1. 1.50 1.50 1.50 dflt\n2. none\n3. end\n"},
		{`{"x": [1,  "a  b"]}`, "", `1. {\"x\": [1,  \"a  b\"]} {"x":[1,"a  b"]} '{"x": [1,  "a  b"]}' dflt` + "\n2. none\n3. end\n"},
		{"it's $(x) <", "seen\n1. x", `1. it's $(x) < "it's $(x) <" 'it'\''s $(x) <' dflt` + "\n2. " + `seen\n1. x` + "\n3. end\n"},
		{"{{other}}", "?note", `1. {{other}} "{{other}}" '{{other}}' dflt` + "\n2. ?note\n3. end\n"},
	} {
		got, err := p.Render(map[string]string{"value": c.value, "note": c.note})
		if err != nil || !strings.HasSuffix(got, "\n"+c.want) {
			t.Errorf("%q gave\n%s%v\nwant\n%s", c.value, got, err, c.want)
		}
	}
}

// Each file of the folder is a prompt, or the head of all.
func TestPromptFolderHoldsPromptsAlone(t *testing.T) {
	files, err := os.ReadDir("prompts")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name, isPrompt := strings.CutSuffix(file.Name(), ".md")
		if isPrompt && FindPrompt(name) == nil || !isPrompt && name != "head.txt" {
			t.Errorf("%s is not read", file.Name())
		}
	}
}

// The page for clients names each resource and each prompt, with its arguments.
func TestThePageNamesResourcesAndPrompts(t *testing.T) {
	page, err := os.ReadFile("../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, r := range Resources() {
		rows = append(rows, "| `"+r.URI+"` |")
	}
	for _, p := range Prompts() {
		var names []string
		for _, a := range p.Arguments {
			if a.Required {
				names = append(names, a.Name)
			} else {
				names = append(names, "["+a.Name+"]")
			}
		}
		rows = append(rows, "| `"+p.Name+"` | "+strings.Join(names, ", ")+" |")
	}
	for _, row := range rows {
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/mcp.md lacks %s", row)
		}
	}
}
