package commands

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Prompt is a piece of work in numbered steps, which MCP clients offer to a person.
type Prompt struct {
	Name, Summary string
	Arguments     []PromptArgument
	text          string
}

// PromptArgument is a text that a prompt is filled in with.
type PromptArgument struct {
	Name, Doc string
	Required  bool
	// Default stands in where an optional one is not given; "" for none.
	Default string
}

// promptTexts are the prompts, a file each. Above the first --- stand the summary and the arguments, one a line,
// "name*:" a required one, "name=default:" an optional one. Below it:
//
//  1. ...         a step; numbers are made
//     ?name ...      a line for when the argument is given, !name for when it is not
//     {{name}}       its text as it stands inside a JSON text
//     {{name:json}}  a JSON value: itself if it is one, else a text
//     {{name:sh}}    one word of a shell's line
//
//go:embed prompts/*.md
var promptTexts embed.FS

// promptHead stands above the steps of each prompt.
//
//go:embed prompts/head.txt
var promptHead string

// Prompts are all prompts, by name.
var Prompts = sync.OnceValue(func() []Prompt {
	files, err := promptTexts.ReadDir("prompts")
	if err != nil {
		panic(err) // they are embedded
	}
	var prompts []Prompt
	for _, file := range files {
		text, err := promptTexts.ReadFile(path.Join("prompts", file.Name()))
		if err != nil {
			panic(err)
		}
		prompts = append(prompts, readPrompt(strings.TrimSuffix(file.Name(), ".md"), string(text)))
	}
	return prompts
})

func readPrompt(name, text string) Prompt {
	head, body, _ := strings.Cut(text, "---\n")
	summary, arguments, _ := strings.Cut(head, "\n")
	p := Prompt{Name: name, Summary: summary, Arguments: []PromptArgument{}, text: body}
	for line := range strings.Lines(arguments) {
		what, doc, _ := strings.Cut(strings.TrimSpace(line), ": ")
		a := PromptArgument{Doc: doc}
		a.Name, a.Default, _ = strings.Cut(what, "=")
		a.Name, a.Required = strings.CutSuffix(a.Name, "*")
		p.Arguments = append(p.Arguments, a)
	}
	return p
}

// FindPrompt is the prompt of that name; nil when there is none.
func FindPrompt(name string) *Prompt {
	for i, p := range Prompts() {
		if p.Name == name {
			return &Prompts()[i]
		}
	}
	return nil
}

// Render fills the arguments in. Errors: a required one that is missing, and one that the prompt does not have.
func (p *Prompt) Render(given map[string]string) (string, error) {
	values := map[string]string{}
	for _, a := range p.Arguments {
		value := given[a.Name]
		if value == "" && a.Required {
			return "", bridge.Errorf(bridge.ValidationError, a.Name, "the prompt %s needs %s: %s", p.Name, a.Name, a.Doc)
		}
		if value == "" {
			value = a.Default
		}
		values[a.Name] = value
	}
	for name, value := range values {
		if strings.Contains(p.text, "{{"+name+":sh}}") && strings.ContainsFunc(value, Steers) {
			return "", bridge.Errorf(bridge.ValidationError, name, "%s is typed in a shell, and has a control character", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, known := values[name]; !known {
			return "", bridge.Errorf(bridge.ValidationError, name, "the prompt %s has no argument %s, it has %s", p.Name, name, strings.Join(p.argumentNames(), ", "))
		}
	}
	var b strings.Builder
	b.WriteString(promptHead)
	b.WriteByte('\n')
	step := 0
	for line := range strings.Lines(p.text) {
		line, wanted := forGiven(line, values)
		if !wanted {
			continue
		}
		if rest, isStep := strings.CutPrefix(line, "1. "); isStep {
			step++
			line = fmt.Sprintf("%d. %s", step, rest)
		}
		b.WriteString(placeholder.ReplaceAllStringFunc(line, func(found string) string { return filledIn(found, values) }))
	}
	return b.String(), nil
}

func (p *Prompt) argumentNames() []string {
	names := []string{}
	for _, a := range p.Arguments {
		names = append(names, a.Name)
	}
	return names
}

var (
	condition   = regexp.MustCompile(`^([?!])([a-z_]+) `)
	placeholder = regexp.MustCompile(`\{\{[a-z_]+(:json|:sh)?\}\}`)
)

// forGiven takes the condition off a line; false when it is not met.
func forGiven(line string, values map[string]string) (string, bool) {
	found := condition.FindStringSubmatch(line)
	if found == nil {
		return line, true
	}
	return line[len(found[0]):], (values[found[2]] != "") == (found[1] == "?")
}

func filledIn(found string, values map[string]string) string {
	name, form, _ := strings.Cut(strings.Trim(found, "{}"), ":")
	value := values[name]
	switch {
	case form == "sh":
		return quote(value)
	case form == "json" && json.Valid([]byte(value)):
		var b bytes.Buffer
		_ = json.Compact(&b, []byte(value)) // it is valid
		return inCode(b.String())
	case form == "json":
		return inCode(string(marshalled(value)))
	}
	text := inCode(string(marshalled(value)))
	return text[1 : len(text)-1]
}

// inCode is a JSON text in which no text ends the code that it stands in, or turns the direction of what follows.
func inCode(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '`' || Steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Field is the parameter that the argument is like, by its name.
func (a PromptArgument) Field() Field {
	kinds := map[string]string{
		"scene_path": "project", "script_path": "project", "save_path": "project", "node_path": "node", "output_path": "host-write",
	}
	return Field{Name: a.Name, Type: "string", Kind: kinds[a.Name]}
}

func promptNames() []string {
	names := []string{}
	for _, p := range Prompts() {
		names = append(names, p.Name)
	}
	return names
}
