package clients

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Launch is how a client comes to the server: it starts Command, or connects to URL.
type Launch struct {
	Command string
	Args    []string
	// Env holds the variables that the entry adds.
	Env map[string]string
	// URL is the address of a server that runs already, "" for one that the client starts, and Token what is
	// shown there, "" for nothing.
	URL, Token string
	// Disabled is true when the entry is there and switched off.
	Disabled bool
}

// field is a member of an entry; its value is a string, a bool, a list of strings or an object.
type field struct {
	name  string
	value any
}

// object is an entry or what holds one, in order.
type object []field

// entry is the launch in the client's form, with enabled where that is part of it; present is the entry so far.
func (c Client) entry(l Launch, present map[string]any, enabled bool) object {
	var out object
	kind := c.Type
	if l.URL != "" {
		kind = c.Remote.Type
	}
	if kind != "" {
		out = append(out, field{"type", kind})
	}
	switch {
	case l.URL != "":
		out = append(out, c.Remote.fields(l, present)...)
	case c.CommandList:
		out = append(out, field{"command", append([]string{l.Command}, l.Args...)})
	default:
		out = append(out, field{"command", l.Command}, field{"args", l.Args})
	}
	if c.Enabled && enabled {
		out = append(out, field{"enabled", true})
	}
	return out
}

// Launch reads an entry; false when it leads to no server.
func (c Client) Launch(entry map[string]any) (Launch, bool) {
	l := Launch{Env: map[string]string{}, Disabled: entry["disabled"] == true || entry["enabled"] == false}
	command := texts(entry["command"])
	if len(command) == 0 {
		l.URL, l.Token = c.Remote.read(entry)
		return l, l.URL != ""
	}
	l.Command, l.Args = command[0], append(command[1:], texts(entry["args"])...)
	for _, key := range []string{"env", "environment"} {
		values, _ := entry[key].(map[string]any)
		for name, value := range values {
			l.Env[name] = fmt.Sprint(value)
		}
	}
	return l, true
}

// Ours is true for a launch of this program's server, wherever a build of it stands and also when its name
// says for what system it was built, and for an address of it with a project; own is this build.
func (l Launch) Ours(own string) bool {
	if l.URL != "" {
		return l.AddressProject() != ""
	}
	name := base(l.Command)
	named := name == "godot-mcp" || strings.HasPrefix(name, "godot-mcp-") || strings.HasPrefix(name, "godot-mcp_")
	return (named || l.Command == own) && slices.Contains(l.Args, "mcp")
}

// texts reads a text or a list of texts.
func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		out := make([]string, 0, len(v))
		for _, each := range v {
			text, ok := each.(string)
			if !ok {
				return nil
			}
			out = append(out, text)
		}
		return out
	}
	return nil
}

// plain is the object as a decoder would give it.
func (o object) plain() map[string]any {
	encoded, _ := json.Marshal(o.asMap()) // of texts and truths
	var out map[string]any
	_ = json.Unmarshal(encoded, &out)
	return out
}

func (o object) asMap() map[string]any {
	out := map[string]any{}
	for _, f := range o {
		if inner, ok := f.value.(object); ok {
			out[f.name] = inner.asMap()
			continue
		}
		out[f.name] = f.value
	}
	return out
}

// with is the object with members that it lacks, behind its own.
func (o object) with(present map[string]any) object {
	out := slices.Clone(o)
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if text, ok := present[name].(string); ok && !slices.ContainsFunc(o, func(f field) bool { return f.name == name }) {
			out = append(out, field{name, text})
		}
	}
	return out
}
