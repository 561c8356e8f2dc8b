package commands

import (
	"encoding/json"
	"strconv"
)

// InputSchema is the tool's parameters as JSON Schema that strict clients accept: plain types, items in
// every array, no unions with null, nothing at the top but properties (field reports F16 and F17).
func (t *Tool) InputSchema() json.RawMessage {
	w := &schemaWriter{}
	w.object(t.Params(), true, true)
	return w.out
}

// OutputSchema is the schema of the structured result over MCP; nil for a tool that answers as another one
// does, or with content.
func (t *Tool) OutputSchema() json.RawMessage {
	if t.Content {
		return nil
	}
	return t.ResultSchema()
}

// ResultSchema is the tool's result as JSON Schema, an object at the root; nil for a tool that answers as
// another one does.
func (t *Tool) ResultSchema() json.RawMessage {
	if t.Forwards {
		return nil
	}
	w := &schemaWriter{}
	w.object(t.Result(), true, false)
	return w.out
}

// The union is spelled out, since some clients refuse an empty schema.
const anySchema = `"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"object"},` +
	`{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"object"}]}}]`

const anyResultSchema = `"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"object"},` +
	`{"type":"array","items":{"type":["string","number","boolean","object","array","null"]}},{"type":"null"}]`

// schemaWriter writes members in the table's order, which encoding/json's maps would not keep.
type schemaWriter struct {
	out   []byte
	input bool
}

func (w *schemaWriter) raw(s string) { w.out = append(w.out, s...) }

func (w *schemaWriter) text(s string) { w.out = strconv.AppendQuote(w.out, s) }

func (w *schemaWriter) object(fields []Field, closed, input bool) {
	w.input = input
	w.raw(`{"type":"object",`)
	w.members(fields)
	if closed && input {
		w.raw(`,"additionalProperties":false`)
	}
	w.raw("}")
}

func (w *schemaWriter) members(fields []Field) {
	w.raw(`"properties":{`)
	for i, f := range fields {
		if i > 0 {
			w.raw(",")
		}
		w.text(f.Name)
		w.raw(":{")
		w.body(f)
		w.raw("}")
	}
	w.raw("}")
	first := true
	for _, f := range fields {
		if !f.Required {
			continue
		}
		if first {
			w.raw(`,"required":[`)
		} else {
			w.raw(",")
		}
		first = false
		w.text(f.Name)
	}
	if !first {
		w.raw("]")
	}
}

func (w *schemaWriter) body(f Field) {
	w.kind(f)
	if f.Doc != "" {
		w.raw(`,"description":`)
		w.text(f.Doc)
	}
	if len(f.Enum) > 0 {
		w.raw(`,"enum":`)
		list, _ := json.Marshal(f.Enum)
		w.out = append(w.out, list...)
	}
	if f.Default != nil && string(f.Default) != `""` {
		w.raw(`,"default":`)
		w.out = append(w.out, f.Default...)
	}
}

func (w *schemaWriter) kind(f Field) {
	if f.Type == "any" {
		if w.input {
			w.raw(anySchema)
		} else {
			w.raw(anyResultSchema)
		}
		return
	}
	// Some readers of schemas take one type only.
	nullable := f.Nullable && !w.input
	if nullable {
		w.raw(`"anyOf":[{`)
		defer w.raw(`},{"type":"null"}]`)
	}
	w.raw(`"type":"` + f.Type + `"`)
	if f.Items != nil {
		w.raw(`,"items":{`)
		w.body(*f.Items)
		w.raw("}")
	}
	if f.Fields != nil {
		w.raw(",")
		w.members(f.Fields)
	}
}
