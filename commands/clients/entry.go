package clients

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Launch is how a client starts the server.
type Launch struct {
	Command string
	Args    []string
	// Env holds the variables that the entry adds.
	Env map[string]string
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

// entry is the launch in the client's form, with enabled where that is part of it.
func (c Client) entry(l Launch, enabled bool) object {
	var out object
	if c.Type != "" {
		out = append(out, field{"type", c.Type})
	}
	if c.CommandList {
		out = append(out, field{"command", append([]string{l.Command}, l.Args...)})
	} else {
		out = append(out, field{"command", l.Command}, field{"args", l.Args})
	}
	if c.Enabled && enabled {
		out = append(out, field{"enabled", true})
	}
	return out
}

// Launch reads an entry; false when it starts no program.
func (c Client) Launch(entry map[string]any) (Launch, bool) {
	l := Launch{Env: map[string]string{}}
	command := texts(entry["command"])
	if len(command) == 0 {
		return l, false
	}
	l.Command, l.Args = command[0], append(command[1:], texts(entry["args"])...)
	for _, key := range []string{"env", "environment"} {
		values, _ := entry[key].(map[string]any)
		for name, value := range values {
			l.Env[name] = fmt.Sprint(value)
		}
	}
	l.Disabled = entry["disabled"] == true || entry["enabled"] == false
	return l, true
}

// Ours is true for a launch of this program's server, wherever a build of it stands and also when its name
// says for what system it was built; own is this build.
func (l Launch) Ours(own string) bool {
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
