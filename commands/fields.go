package commands

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// Field is one parameter or one field of a result.
type Field struct {
	Name string
	Doc  string
	// Type is one of string, integer, number, boolean, array, object, any.
	Type string
	// Items is the element of an array.
	Items *Field
	// Fields are the members of an object whose keys are known.
	Fields []Field
	// Required: a parameter that must be given, a result that is always there.
	Required bool
	// Positional: can be given on the command line without its name.
	Positional bool
	// Nullable: a result that may be null.
	Nullable bool
	// Default is the JSON value taken when the parameter is not given; nil when there is none.
	Default json.RawMessage
	Enum    []string
	// Kind says what a text names: node, project, host-read, host-write, url, user; "" for plain text.
	Kind string
}

var anyType = reflect.TypeFor[Any]()

// fieldsOf reads a struct's exported fields in their order.
func fieldsOf(t reflect.Type) []Field {
	var fields []Field
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Anonymous {
			fields = append(fields, fieldsOf(sf.Type)...)
			continue
		}
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		f := fieldOf(sf.Type)
		f.Name = name
		f.Doc = sf.Tag.Get("doc")
		f.Kind = sf.Tag.Get("kind")
		if enum := sf.Tag.Get("enum"); enum != "" {
			f.Enum = strings.Split(enum, ",")
		}
		role := sf.Tag.Get("p")
		f.Required = role == "required" || role == "" && !strings.Contains(options, "omitempty")
		f.Positional = role != "" && role != "option"
		if text, ok := sf.Tag.Lookup("default"); ok {
			f.Default = defaultJSON(f.Type, text)
			f.Required = false
		}
		if role == "option" || role == "arg" {
			f.Required = false
		}
		fields = append(fields, f)
	}
	return fields
}

func fieldsOfType[T any]() []Field { return fieldsOf(reflect.TypeFor[T]()) }

func fieldOf(t reflect.Type) Field {
	if t == anyType {
		return Field{Type: "any"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		f := fieldOf(t.Elem())
		f.Nullable = true
		return f
	case reflect.Bool:
		return Field{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return Field{Type: "integer"}
	case reflect.Float64:
		return Field{Type: "number"}
	case reflect.String:
		return Field{Type: "string"}
	case reflect.Slice:
		items := fieldOf(t.Elem())
		return Field{Type: "array", Items: &items}
	case reflect.Map:
		return Field{Type: "object"}
	case reflect.Struct:
		return Field{Type: "object", Fields: fieldsOf(t)}
	}
	panic("commands: no JSON type for " + t.String())
}

func defaultJSON(kind, text string) json.RawMessage {
	if kind == "string" {
		return json.RawMessage(strconv.Quote(text))
	}
	return json.RawMessage(text)
}

// commonParams are the parameters that the class and the scene give a tool.
func commonParams(t *Tool) []Field {
	var fields []Field
	if t.Scene {
		fields = append(fields, Field{
			Name: "scene_path", Type: "string", Kind: "project", Default: json.RawMessage(`""`),
			Doc: "Scene file to act on; default the active scene",
		})
	}
	if t.Class == Mutating || t.Class == Destructive {
		fields = append(fields, Field{
			Name: "dry_run", Type: "boolean", Default: json.RawMessage("false"),
			Doc: "Check and preview, change nothing",
		})
	}
	if t.Class == Destructive {
		fields = append(fields, Field{
			Name: "confirm", Type: "boolean", Default: json.RawMessage("false"),
			Doc: "Must be true for the real run",
		})
	}
	return fields
}

// commonResults are the fields that the class and the scene give a result.
func commonResults(t *Tool) []Field {
	var fields []Field
	add := func(name, kind, doc string, required, nullable bool) {
		for _, f := range fieldsOf(t.result) {
			if f.Name == name {
				return
			}
		}
		fields = append(fields, Field{
			Name: name, Type: kind, Doc: doc, Required: required, Nullable: nullable,
		})
	}
	if t.Scene {
		add("scene_path", "string", "Scene file that was acted on; empty for one without a file", !t.standsAlone(), false)
		add("activated", "boolean", "True when another tab was brought to the front first", false, false)
		add("changed_on_disk", "boolean", "True when the scene's file was changed from outside since the editor read or wrote it", false, false)
	}
	if t.Class == Mutating || t.Class == Destructive {
		add("dry_run", "boolean", "True for a preview", true, false)
		add("persisted", "boolean", "Whether the change is in the file after the next save; null when that cannot be said", true, true)
		add("reason", "string", "Why it is not persisted", false, false)
		add("undoable", "boolean", "Whether undo takes it back", true, false)
		add("hint", "string", "What to do about it", false, false)
	}
	return fields
}

// standsAlone is true for undo and redo, which take scene_path but may act on the global history.
func (t *Tool) standsAlone() bool { return t.Group() == "core" }

// exampleOf leaves out what is zero and not required, so that an example reads as a person would type it.
// What destroys is confirmed: an example works as it stands.
func exampleOf(t *Tool) json.RawMessage {
	v := reflect.ValueOf(t.example)
	out := []byte{'{'}
	for i := range v.NumField() {
		name, _, _ := strings.Cut(t.params.Field(i).Tag.Get("json"), ",")
		if name == "" || v.Field(i).IsZero() {
			continue
		}
		value, err := json.Marshal(v.Field(i).Interface())
		if err != nil {
			panic("commands: example of " + t.Name + ": " + err.Error())
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = strconv.AppendQuote(out, name)
		out = append(out, ':')
		out = append(out, value...)
	}
	if t.Class == Destructive {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, `"confirm":true`...)
	}
	return append(out, '}')
}
