package commands

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/artifact"
	"github.com/godot-mcp/godot-mcp/commands/jq"
)

// listener is the context's key of who hears the progress of a call.
type listener struct{}

// heard is the context of a call whose progress somebody hears.
func heard(ctx context.Context, tell func(bridge.Progress)) context.Context {
	if tell == nil {
		return ctx
	}
	return context.WithValue(ctx, listener{}, tell)
}

// Env is what tools that the binary answers itself may use.
type Env struct {
	// Bridge is the link to the editor, made when first used.
	Bridge *bridge.Client
	// Query says which editor is meant.
	Query bridge.Query
	// Version is the build, CalVer YYYY.MM.DD[.N].
	Version  string
	Contract Contract
	// Transport is what the caller came by: cli, ndjson, stdio or http.
	Transport string
	Table     *Table
	// Listed are the toolsets that are listed.
	Listed []string
	// Legacy lists the tools by the older server's names, those that have one.
	Legacy bool
	// GodotBin is the configured engine, "" to look for one.
	GodotBin string
	// Autostart starts an editor where a call finds none; nil does not.
	Autostart *Autostart
	// Audit notes the calls; nil does not.
	Audit *Audit
	// Artifacts keeps what tools made that is no text of an answer.
	Artifacts *artifact.Store
	// AllowPaths are the folders that MCP clients may have files written to.
	AllowPaths []string
	// JQ runs the expressions of tool call.
	JQ jq.Runner
	// OnListed is told when toolset enable or disable changed the list; nil where no list can change.
	OnListed func()

	mu       sync.Mutex
	switched []toolsetSwitch
	// noticed holds the processes that Notice told of.
	noticed map[int]bool
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

// Notice tells, once, of an editor that should have made way for the one that the calls reach and that has
// unsaved work; "" for nothing to tell.
func (e *Env) Notice() string {
	ed, ok := e.Bridge.Editor()
	if !ok {
		return ""
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, other := range ed.Beside {
		if len(other.Unsaved) == 0 || e.noticed[other.PID] {
			continue
		}
		if e.noticed == nil {
			e.noticed = map[int]bool{}
		}
		e.noticed[other.PID] = true
		return unsavedBeside(other)
	}
	return ""
}

func unsavedBeside(ed bridge.Editor) string {
	return fmt.Sprintf("the editor that --autostart began (process %d) still has unsaved work in %s: godot-mcp editor stop --editor %d --save, or --confirm to lose it",
		ed.PID, strings.Join(ed.Unsaved, ", "), ed.PID)
}

// say tells the caller, where one listens, what a long call is doing.
func say(ctx context.Context, message string) {
	if tell, ok := ctx.Value(listener{}).(func(bridge.Progress)); ok {
		tell(bridge.Progress{Message: message})
	}
}
