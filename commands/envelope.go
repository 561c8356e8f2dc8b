package commands

import (
	"encoding/json"

	"github.com/godot-mcp/godot-mcp/commands/contract"
)

// The messages of the bridge, and the line that the command line writes when a call failed, as structs so
// that facts and the JSON schema are read from them like those of tools.

type envelopeRequest struct {
	ID      int    `json:"id" doc:"Positive, unique on the connection while in flight"`
	Command string `json:"command" doc:"The tool's name with a dot for the first space"`
	Params  Object `json:"params"`
	Raw     Object `json:"raw,omitempty" doc:"Text of any-typed parameters as it was typed, by name"`
	Key     string `json:"key,omitempty" doc:"The same key is carried out once and its answer repeated"`
}

type envelopeCancel struct {
	ID     int  `json:"id"`
	Cancel bool `json:"cancel" doc:"True"`
}

type envelopeResult struct {
	ID     int  `json:"id"`
	OK     bool `json:"ok" doc:"True"`
	Result Any  `json:"result"`
}

type envelopeError struct {
	ID       int    `json:"id"`
	OK       bool   `json:"ok" doc:"False"`
	Error    string `json:"error" doc:"One of the contract's error codes; new ones may come"`
	Hint     string `json:"hint" doc:"What happened and what to do next"`
	Required string `json:"required,omitempty" doc:"The missing precondition or the parameter at fault"`
	Result   Any    `json:"result,omitempty" doc:"What can be said in spite of the failure"`
}

type envelopeProgress struct {
	ID       int     `json:"id"`
	Progress float64 `json:"progress" doc:"Grows from message to message"`
	Total    float64 `json:"total,omitempty" doc:"What progress will reach"`
	Message  string  `json:"message,omitempty"`
}

type envelopeEvent struct {
	Event string `json:"event" doc:"Name; dropped says that the client read too slowly"`
}

type commandLineError struct {
	OK       bool   `json:"ok" doc:"False"`
	Error    string `json:"error" doc:"One of the contract's error codes; new ones may come"`
	Hint     string `json:"hint" doc:"What happened and the next command"`
	Required string `json:"required,omitempty" doc:"The missing precondition or the parameter at fault"`
	Result   Any    `json:"result,omitempty" doc:"What can be said in spite of the failure"`
}

type messageKind struct {
	name, doc string
	fields    []Field
}

func messageOf[T any](name, doc string) messageKind {
	return messageKind{name, doc, fieldsOfType[T]()}
}

func messageKinds() []messageKind {
	return []messageKind{
		messageOf[envelopeRequest]("request", "Client to editor: carry out a command"),
		messageOf[envelopeCancel]("cancel", "Client to editor: give up a command"),
		messageOf[envelopeResult]("result", "Editor to client: the command went well"),
		messageOf[envelopeError]("error", "Editor to client: the command failed"),
		messageOf[envelopeProgress]("progress", "Editor to client, before the answer"),
		messageOf[envelopeEvent]("event", "Editor to client, for those who asked in hello; further keys by event"),
		messageOf[cutResult]("cut", "Fields that a result over max_chars has beside its own; a node of a tree has children_omitted"),
		messageOf[commandLineError]("command_line_error", "The last line on standard error of a command that failed"),
	}
}

func envelope() []contract.Message {
	var out []contract.Message
	for _, m := range messageKinds() {
		out = append(out, contract.Message{Name: m.name, Doc: m.doc, Fields: surfaceFields(m.fields, false)})
	}
	return out
}

// EnvelopeSchema is the JSON schema of the messages, a definition each. An error code is any text, since new
// ones may come.
func EnvelopeSchema() json.RawMessage {
	w := &schemaWriter{}
	w.raw(`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Messages of godot-mcp",` +
		`"description":"Between a client and the addon in the editor, and the error line of the command line. Unknown keys are ignored.","$defs":{`)
	for i, m := range messageKinds() {
		if i > 0 {
			w.raw(",")
		}
		w.text(m.name)
		w.raw(":")
		w.object(m.fields, false, false)
		w.out = w.out[:len(w.out)-1]
		w.raw(`,"description":`)
		w.text(m.doc)
		w.raw("}")
	}
	w.raw(`},"anyOf":[`)
	for i, m := range messageKinds() {
		if i > 0 {
			w.raw(",")
		}
		w.raw(`{"$ref":"#/$defs/` + m.name + `"}`)
	}
	w.raw("]}")
	return w.out
}
