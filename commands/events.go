package commands

import "github.com/godot-mcp/godot-mcp/commands/contract"

// Event is one kind of thing that an editor tells without being asked, or that watch itself tells.
type Event struct {
	Name, Doc string
	Fields    []Field
	// Own says that it comes from watch, not from the editor.
	Own bool
}

type sceneEvent struct {
	ScenePath string `json:"scene_path" doc:"Scene file; empty for a scene without one"`
}

type historyEvent struct {
	History string `json:"history" doc:"global, or the scene's path"`
	Action  string `json:"action" doc:"Name of the step; a tool's step has the tool's name"`
	By      string `json:"by" enum:"tool,user" doc:"Who made the step"`
	Change  string `json:"change" enum:"do,undo,redo" doc:"What happened to it now"`
}

type selectionEvent struct {
	ScenePath string   `json:"scene_path" doc:"Scene in front; empty for one without a file"`
	Selected  []string `json:"selected" doc:"Node paths, at most 100"`
	Count     int      `json:"count" doc:"Nodes that are selected"`
}

type droppedEvent struct {
	Count int `json:"count" doc:"Events that are missing here"`
}

type connectedEvent struct {
	PID          int    `json:"pid" doc:"The editor's process"`
	ProjectPath  string `json:"project_path"`
	GodotVersion string `json:"godot_version"`
	AddonVersion string `json:"addon_version"`
}

type disconnectedEvent struct {
	Reason string `json:"reason" doc:"Why there is no link to an editor, and what to do"`
}

func eventOf[T any](name, doc string) Event {
	return Event{Name: name, Doc: doc, Fields: fieldsOfType[T]()}
}

func (e Event) own() Event {
	e.Own = true
	return e
}

// Events are all events, the editor's first.
func Events() []Event {
	return []Event{
		eventOf[sceneEvent]("scene_opened", "A scene was opened, or goes on as this file after save as"),
		eventOf[sceneEvent]("scene_changed", "Another scene came to the front"),
		eventOf[sceneEvent]("scene_saved", "The editor says that it saved a scene"),
		eventOf[sceneEvent]("scene_closed", "A scene was closed"),
		eventOf[historyEvent]("history_changed", "A step was made, undone or redone"),
		eventOf[selectionEvent]("selection_changed", "Other nodes are selected"),
		eventOf[struct{}]("settings_changed", "A project setting has another value; told once for those of one frame"),
		eventOf[struct{}]("filesystem_changed", "The editor found files that are new, changed or gone"),
		eventOf[sceneEvent]("play_started", "The game was started from the editor"),
		eventOf[struct{}]("play_stopped", "The game has ended"),
		eventOf[struct{}]("editor_closing", "The editor closes, or the addon is switched off"),
		eventOf[droppedEvent]("dropped", "The client read too slowly for this many events"),
		eventOf[connectedEvent]("connected", "watch has found an editor").own(),
		eventOf[disconnectedEvent]("disconnected", "watch has no editor and waits for one").own(),
	}
}

func surfaceEvents() []contract.Message {
	var out []contract.Message
	for _, e := range Events() {
		out = append(out, contract.Message{Name: e.Name, Doc: e.Doc, Fields: surfaceFields(e.Fields, false)})
	}
	return out
}
