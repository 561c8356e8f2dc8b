package commands

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Resource is what MCP clients read by its URI: the answer of a tool that takes no arguments, or those that
// the URI holds.
type Resource struct {
	// Name is for clients to show, URI what they read; a name in braces at its end is a parameter of the tool.
	Name, URI string
	Summary   string
	// Tool answers.
	Tool string
	// Parameter is the tool's for the name in braces, where it is called otherwise.
	Parameter string
	// Content says that the answer's content is read, of its own type, and not the answer.
	Content bool
	// Events of the editor after which the answer may be another one.
	Events []string
}

var (
	sceneEvents = []string{"scene_opened", "scene_changed", "scene_closed", "scene_saved", "history_changed"}
	treeEvents  = []string{"scene_opened", "scene_changed", "scene_closed", "history_changed"}
)

// Resources are all resources, in the order of their URIs.
func Resources() []Resource {
	return []Resource{
		{
			Name: "artifact", URI: ArtifactURI + "{id}", Tool: "artifact get", Parameter: "artifact_id", Content: true,
			Summary: "A picture, recording or log that a tool made, by the id in that tool's answer",
		},
		{
			Name: "selected_node", URI: "godot://node/selected", Tool: "node get-selected",
			Summary: "The node that is selected in the editor, with its properties",
			Events:  []string{"selection_changed", "scene_changed", "history_changed"},
		},
		{
			Name: "project_info", URI: "godot://project/info", Tool: "project info",
			Summary: "The project's name, main scene, autoloads and input actions",
			Events:  []string{"settings_changed", "history_changed"},
		},
		{
			Name: "current_scene", URI: "godot://scene/current", Tool: "scene get-active",
			Summary: "The scene in front, and whether it is unsaved",
			Events:  sceneEvents,
		},
		{
			Name: "scene_tree", URI: "godot://scene/tree", Tool: "scene tree",
			Summary: "The nodes of the scene in front; a long tree is cut and says how to go on",
			Events:  treeEvents,
		},
		{
			Name: "scene_tree_to_depth", URI: "godot://scene/tree/{max_depth}", Tool: "scene tree",
			Summary: "The nodes of the scene in front, so many levels deep; 0 is the root alone",
			Events:  treeEvents,
		},
	}
}

// ToolParameter is the tool's parameter for the name in braces.
func (r Resource) ToolParameter() string {
	if r.Parameter != "" {
		return r.Parameter
	}
	return r.Variable()
}

// Variable is the name in braces that a template's URI holds, "" for a resource that is no template.
func (r Resource) Variable() string {
	_, variable, _ := strings.Cut(r.URI, "{")
	return strings.TrimSuffix(variable, "}")
}

// match is the text of the variable in a URI of this resource.
func (r Resource) match(uri string) (value string, ok bool) {
	fixed, variable, isTemplate := strings.Cut(r.URI, "{")
	if !isTemplate {
		return "", uri == r.URI
	}
	value, ok = strings.CutPrefix(uri, fixed)
	if !ok || variable == "" || value == "" || strings.Contains(value, "/") {
		return "", false
	}
	value, err := url.PathUnescape(value)
	return value, err == nil
}

// FindResource is the resource that a URI leads to, with the arguments for its tool; false when there is none.
func (t *Table) FindResource(uri string) (r Resource, tool *Tool, arguments json.RawMessage, ok bool) {
	for _, r := range Resources() {
		value, fits := r.match(uri)
		if !fits {
			continue
		}
		arguments = json.RawMessage("{}")
		if name := r.ToolParameter(); name != "" {
			var argument any = value
			if number, err := strconv.Atoi(value); err == nil && !r.Content {
				argument = number
			}
			arguments = marshalled(map[string]any{name: argument})
		}
		tool, _ = t.Lookup(r.Tool)
		return r, tool, arguments, true
	}
	return Resource{}, nil, nil, false
}

// ReadResource is the answer of the tool behind a URI; call holds what is to be said of the call beside tool
// and arguments. The tool's own policy, checks and limits apply.
func (d *Dispatcher) ReadResource(ctx context.Context, uri string, call Call) (json.RawMessage, error) {
	_, tool, arguments, ok := d.Table.FindResource(uri)
	if !ok {
		return nil, NoResource(uri)
	}
	call.Tool, call.Arguments = tool.Name, arguments
	answer, err := d.Call(ctx, call)
	if err != nil {
		return nil, err
	}
	return continued(answer, tool, arguments), nil
}

// NoResource is the error for a URI that leads to none.
func NoResource(uri string) error {
	uris := ResourceURIs()
	hint := "godot-mcp get-server-info lists them"
	if best := nearest(uri, uris); best != "" {
		hint = "did you mean " + best + "? " + hint
	}
	return bridge.Errorf(bridge.ResourceNotFound, "uri", "there is no resource %q; %s", uri, hint)
}

// ResourceURIs are those of all resources and templates.
func ResourceURIs() []string {
	var uris []string
	for _, r := range Resources() {
		uris = append(uris, r.URI)
	}
	return uris
}

// MayRead asks the policy about the tool behind a resource.
func (t *Table) MayRead(p Policy, r Resource) bool {
	tool, _ := t.Lookup(r.Tool)
	return tool != nil && p.Allows(tool)
}

// readable are the URIs of the resources that the policy lets be read.
func (t *Table) readable(p Policy) []string {
	uris := []string{}
	for _, r := range Resources() {
		if t.MayRead(p, r) {
			uris = append(uris, r.URI)
		}
	}
	return uris
}

// continued says in a cut answer which tool gives the rest, since a URI has no place for its arguments.
func continued(answer json.RawMessage, tool *Tool, arguments json.RawMessage) json.RawMessage {
	var cut struct {
		LeftOut json.RawMessage `json:"left_out"`
		Next    Object          `json:"next"`
		Hint    string          `json:"hint"`
	}
	var whole members
	if json.Unmarshal(answer, &cut) != nil || cut.LeftOut == nil || json.Unmarshal(answer, &whole) != nil {
		return answer
	}
	next := Object{}
	_ = json.Unmarshal(arguments, &next) // FindResource made them
	for name, value := range cut.Next {
		next[name] = value
	}
	how, _, _ := strings.Cut(cut.Hint, ":")
	if cut.Next != nil {
		how += ": the rest comes by " + tool.MCPName() + " with the arguments in next"
		whole.set("next", marshalled(next))
	} else {
		how += ": the whole comes by " + tool.MCPName() + " with a higher max_chars"
	}
	whole.set("hint", marshalled(how))
	return whole.json()
}

// marshalled is for what always encodes.
func marshalled(value any) json.RawMessage {
	text, _ := encodeText(value)
	return text
}

// ChangedBy is true when the event can change what the resource's tool answers.
func (r Resource) ChangedBy(event string) bool { return slices.Contains(r.Events, event) }
