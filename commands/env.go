package commands

import (
	"context"
	"sync"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/jq"
)

// Env is what tools that the binary answers itself may use.
type Env struct {
	// Bridge is the link to the editor, made when first used.
	Bridge *bridge.Client
	// Query says which editor is meant.
	Query bridge.Query
	// Version is the build, CalVer YYYY.MM.DD[.N].
	Version  string
	Contract Contract
	// Transport is what the caller came by: cli, ndjson or stdio.
	Transport string
	Table     *Table
	// Listed are the toolsets that are listed.
	Listed []string
	// Legacy lists the tools by the older server's names, those that have one.
	Legacy bool
	// GodotBin is the configured engine, "" to look for one.
	GodotBin string
	// Progress is told what a long call is doing; may be nil.
	Progress func(message string)
	// JQ runs the expressions of tool call.
	JQ jq.Runner
	// OnListed is told when toolset enable or disable changed the list; nil where no list can change.
	OnListed func()

	mu       sync.Mutex
	switched []toolsetSwitch
}

// editor is the editor that the link leads to, connecting first where need be.
func (e *Env) editor(ctx context.Context) (bridge.Editor, error) {
	if ed, ok := e.Bridge.Editor(); ok {
		return ed, nil
	}
	connect := func() (bridge.HelloResult, error) { return e.Bridge.Connect(ctx) }
	if _, err := patiently(ctx, connect); err != nil {
		return bridge.Editor{}, err
	}
	ed, _ := e.Bridge.Editor()
	return ed, nil
}

func (e *Env) say(message string) {
	if e.Progress != nil {
		e.Progress(message)
	}
}
