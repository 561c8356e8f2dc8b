// Package complete tells what can be the value of a tool's parameter or a prompt's argument: names from the
// editor that runs for the project, else from its files. It only ever reads, and starts no editor.
package complete

import (
	"fmt"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/artifact"
)

// Choice is one thing that can stand there.
type Choice struct{ Text, Doc string }

// Choices are all that can.
type Choices struct {
	List []Choice
	// Open: each goes on after it, so that it is not whole.
	Open bool
	// Machine: it is a file of the machine, none of the project.
	Machine bool
}

// Completer answers for one call that is being put together.
type Completer struct {
	Table *commands.Table
	// Tool is the one that is called; nil where there is none.
	Tool *commands.Tool
	// Given are the texts of the parameters that stand there already.
	Given map[string]string
	// Folder is where the project is, "" for none.
	Folder func() string
	// Live puts one question to the editor that runs; false when none answers in time.
	Live func(command string, params map[string]any, answer any) bool
	// Artifacts are those that are kept for the project; nil has none.
	Artifacts func() []artifact.Artifact
	// WholePaths: a path is offered as a whole, not folder by folder.
	WholePaths bool
}

// Values are what the parameter can be. What kinds of things there are stands in the parameter's kind and, by
// the rules of the contract, in its name.
func (c *Completer) Values(f commands.Field, typed string) Choices {
	switch {
	case len(f.Enum) > 0:
		return Choices{List: Named(f.Enum)}
	case f.Type == "boolean":
		return Choices{List: Named([]string{"true", "false"})}
	case IsNode(f):
		return Choices{List: c.nodes(typed)}
	case f.InProject() || f.Name == "script" || f.Name == "scenes":
		return c.paths(f.Name, typed)
	case f.Kind == "host-read" || f.Kind == "host-write":
		return Choices{Machine: true}
	}
	return Choices{List: c.byName(f.Name)}
}

func (c *Completer) byName(name string) []Choice {
	switch name {
	case "property", "properties", "include":
		return c.properties()
	case "group":
		return c.groups()
	case "signal_name", "signal":
		return c.signals()
	case "method_name", "method":
		return c.methods()
	case "toolset":
		return Named(c.Table.Toolsets())
	case "tool":
		return c.tools()
	case "artifact_id":
		return c.artifacts()
	case "max_depth":
		return Named([]string{"0", "1", "2", "3", "4", "5"})
	case "preset":
		return c.presets()
	}
	if base, ok := classField(name); ok {
		return c.classes(base)
	}
	return nil
}

// IsNode is true for a parameter that names a node.
func IsNode(f commands.Field) bool { return f.Kind == "node" || f.Name == "node_paths" }

// classField is true for a parameter that names a class, with the class that it must be or be below; "" for
// any.
func classField(name string) (base string, ok bool) {
	switch name {
	case "class_name", "base":
		return "", true
	case "node_type", "root_type":
		return "Node", true
	case "resource_type", "resource_kind":
		return "Resource", true
	case "mesh_type":
		return "Mesh", true
	}
	return "", strings.HasSuffix(name, "_type")
}

// Named are choices without words beside them.
func Named(texts []string) []Choice {
	list := make([]Choice, len(texts))
	for i, text := range texts {
		list[i].Text = text
	}
	return list
}

// Fits is true for a choice that begins with what is typed and can be shown as it is: a name with control
// characters, or with blanks at its ends, cannot.
func (c Choice) Fits(typed string) bool {
	return strings.HasPrefix(c.Text, typed) && c.Text != "" && c.Text == strings.TrimSpace(c.Text) && !strings.ContainsFunc(c.Text, commands.Steers)
}

func (c *Completer) tools() []Choice {
	var list []Choice
	for _, tool := range c.Table.Tools {
		list = append(list, Choice{tool.MCPName(), tool.Summary})
	}
	return list
}

func (c *Completer) artifacts() []Choice {
	if c.Artifacts == nil {
		return nil
	}
	var list []Choice
	for _, a := range c.Artifacts() {
		list = append(list, Choice{a.ID, fmt.Sprintf("%s of %s, %s", a.Kind, a.Tool, a.Created.Local().Format("2006-01-02 15:04:05"))})
	}
	return list
}

// ask puts a question about the scene that the call names.
func (c *Completer) ask(command string, params map[string]any, answer any) bool {
	if named := c.Given["scene_path"]; named != "" {
		scene, err := commands.ProjectPath("scene_path", named)
		if err != nil {
			return false
		}
		params["scene_path"] = scene
	}
	return c.Live(command, params, answer)
}

func unique(list []Choice) []Choice {
	slices.SortStableFunc(list, func(a, b Choice) int { return strings.Compare(a.Text, b.Text) })
	return slices.CompactFunc(list, func(a, b Choice) bool { return a.Text == b.Text })
}
