package commands

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
)

type toolsetInfo struct {
	Name        string `json:"name"`
	Enabled     bool   `json:"enabled" doc:"Listed to MCP clients"`
	Description string `json:"description"`
	ToolCount   int    `json:"tool_count"`
	// Every toolset so far works with each engine that is served.
	MinGodot *string `json:"min_godot" doc:"Oldest engine that it works with, when that is newer than the oldest served"`
}

type bridgeInfo struct {
	Connected    bool    `json:"connected"`
	URL          string  `json:"url" doc:"Empty when not connected"`
	ProjectPath  *string `json:"project_path"`
	GodotVersion *string `json:"godot_version"`
	AddonVersion *string `json:"addon_version"`
	PID          *int    `json:"pid"`
	Port         *int    `json:"port"`
	// What follows is of the older server's shape; this one has nothing to say there.
	ProjectName   *string   `json:"project_name" doc:"Always null: see project info"`
	AddonCommands *[]string `json:"addon_commands" doc:"Always null: see contract show"`
	PeerIdentity  *Object   `json:"peer_identity" doc:"Always null: see pid"`
	Backend       *Object   `json:"backend" doc:"Always null: see project info"`
}

type errorInfo struct {
	Error    string `json:"error"`
	Required string `json:"required" doc:"Empty when the row is about the code itself"`
	Meaning  string `json:"meaning"`
	Next     string `json:"next" doc:"Command to type"`
}

type serverInfo struct {
	Server                string        `json:"server"`
	Version               string        `json:"version"`
	ContractVersion       int           `json:"contract_version"`
	MinCompatibleContract int           `json:"min_compatible_contract"`
	ContractDigest        string        `json:"contract_digest" doc:"SHA-256 of the catalogue of tools"`
	VersionNotice         *string       `json:"version_notice" doc:"Set when addon and binary are of different versions"`
	Transport             string        `json:"transport"`
	Toolsets              []toolsetInfo `json:"toolsets"`
	Prompts               []string      `json:"prompts"`
	Resources             []string      `json:"resources"`
	Bridge                bridgeInfo    `json:"bridge"`
	ActiveScene           *string       `json:"active_scene"`
	CommonErrors          []errorInfo   `json:"common_errors"`
	NextSteps             []string      `json:"next_steps"`
	AddonDriftWarning     *string       `json:"addon_drift_warning" doc:"The same as version_notice, by its older name"`
	Update                *Object       `json:"update" doc:"Always null: nothing is looked up on the network"`
}

type healthInfo struct {
	Server          string   `json:"server"`
	Version         string   `json:"version"`
	Transport       string   `json:"transport"`
	BridgeConnected bool     `json:"bridge_connected"`
	BridgeURL       string   `json:"bridge_url" doc:"Empty when not connected"`
	AddonVersion    *string  `json:"addon_version"`
	VersionNotice   *string  `json:"version_notice" doc:"Set when addon and binary are of different versions"`
	GodotVersion    *string  `json:"godot_version"`
	ProjectPath     *string  `json:"project_path"`
	LatencyMS       *float64 `json:"latency_ms" doc:"One round trip to the editor in milliseconds"`
	BridgeBindError *string  `json:"bridge_bind_error" doc:"Always null: the addon listens on a port of its own"`
	Reason          string   `json:"reason,omitempty" doc:"Why there is no connection, and what to do"`
}

type undoParams struct {
	Count       int    `json:"count" default:"1" doc:"Steps, at least 1"`
	ScenePath   string `json:"scene_path" default:"" kind:"project" doc:"Bring this open scene to the front first"`
	IncludeUser bool   `json:"include_user" default:"false" doc:"Also undo steps that the user made"`
}

type redoParams struct {
	Count     int    `json:"count" default:"1" doc:"Steps, at least 1"`
	ScenePath string `json:"scene_path" default:"" kind:"project" doc:"Bring this open scene to the front first"`
}

type undoResult struct {
	Requested     int      `json:"requested"`
	Undone        int      `json:"undone"`
	Actions       []string `json:"actions" doc:"The steps, in the order taken"`
	LastAction    *string  `json:"last_action" doc:"The last step taken; a tool's step has the tool's name; null for none"`
	History       string   `json:"history,omitempty" doc:"global, or the scene's path"`
	By            string   `json:"by,omitempty" enum:"tool,user"`
	NothingToUndo bool     `json:"nothing_to_undo"`
	HasUndo       bool     `json:"has_undo" doc:"Whether a further step is there"`
	WouldUndoNext *string  `json:"would_undo_next" doc:"Null when there is none"`
	Activated     bool     `json:"activated,omitempty" doc:"True when another tab was brought to the front first"`
}

type redoResult struct {
	Requested     int      `json:"requested"`
	Redone        int      `json:"redone"`
	Actions       []string `json:"actions" doc:"The steps, in the order taken"`
	LastAction    *string  `json:"last_action" doc:"The last step taken; a tool's step has the tool's name; null for none"`
	History       string   `json:"history,omitempty" doc:"global, or the scene's path"`
	By            string   `json:"by,omitempty" enum:"tool,user"`
	NothingToRedo bool     `json:"nothing_to_redo"`
	HasRedo       bool     `json:"has_redo" doc:"Whether a further step is there"`
	WouldRedoNext *string  `json:"would_redo_next" doc:"Null when there is none"`
	Activated     bool     `json:"activated,omitempty" doc:"True when another tab was brought to the front first"`
}

type historyStep struct {
	Name    string `json:"name"`
	History string `json:"history" doc:"global, or the scene's path"`
	By      string `json:"by" enum:"tool,user"`
}

type historyListResult struct {
	Version       int           `json:"version" doc:"Grows with each step of the active scene's history"`
	HasUndo       bool          `json:"has_undo"`
	HasRedo       bool          `json:"has_redo"`
	CanRedo       bool          `json:"can_redo"`
	CurrentAction string        `json:"current_action" doc:"What undo would take next; empty for nothing"`
	Depth         int           `json:"depth" doc:"Steps that undo can take"`
	Recent        []historyStep `json:"recent" doc:"At most 20, the youngest first"`
}

func coreTools() []*Tool {
	return []*Tool{
		New(Spec[none, serverInfo]{
			Name: "get-server-info", Class: ReadOnly, Starter: true,
			Alias:   "get_server_info",
			Summary: "Tell versions, contract, toolsets, the connected editor and what to do next.",
			Run:     getServerInfo,
		}),
		New(Spec[none, healthInfo]{
			Name: "health-check", Class: ReadOnly, Starter: true,
			Alias:   "health_check",
			Summary: "Check whether an editor answers, and how fast.",
			Run:     healthCheck,
		}),
		New(Spec[undoParams, undoResult]{
			Name: "undo", Class: Mutating, NoUndo: true, Starter: true,
			Alias:   "undo",
			Summary: "Undo the youngest step of the active scene or the global history.",
			Example: undoParams{Count: 2},
		}),
		New(Spec[redoParams, redoResult]{
			Name: "redo", Class: Mutating, NoUndo: true, Starter: true,
			Alias:   "redo",
			Summary: "Redo what was undone last.",
			Example: redoParams{Count: 1},
		}),
		New(Spec[none, historyListResult]{
			Name: "history list", Class: ReadOnly, Toolset: "core",
			Alias:   "list_history",
			Summary: "List what undo would take, the youngest step first.",
		}),
	}
}

func getServerInfo(ctx context.Context, env *Env, _ none) (serverInfo, error) {
	info := serverInfo{
		Server: "godot-mcp", Version: env.Version,
		ContractVersion: env.Contract.Version, MinCompatibleContract: env.Contract.MinCompatible,
		ContractDigest: env.Table.Digest(), Transport: env.Transport,
		Toolsets: env.toolsets(policyOf(ctx)), Prompts: promptNames(), Resources: env.Table.readable(policyOf(ctx)),
		CommonErrors: commonErrors(),
	}
	answer, err := env.call(ctx, bridge.Request{Command: infoCommand})
	if err != nil {
		info.NextSteps = []string{bridge.AsError(err).Hint}
		return info, nil
	}
	var live struct {
		ActiveScene *string `json:"active_scene"`
	}
	if err := json.Unmarshal(answer, &live); err != nil {
		return info, err
	}
	info.ActiveScene = live.ActiveScene
	info.Bridge = env.connected()
	info.VersionNotice = env.versionNotice()
	info.AddonDriftWarning = info.VersionNotice
	info.NextSteps = nextSteps(live.ActiveScene)
	return info, nil
}

func (e *Env) connected() bridgeInfo {
	hello, ok := e.Bridge.Hello()
	editor, _ := e.Bridge.Editor()
	if !ok {
		return bridgeInfo{}
	}
	return bridgeInfo{
		Connected: true, URL: urlOf(editor), ProjectPath: &hello.ProjectPath, GodotVersion: &hello.GodotVersion,
		AddonVersion: &hello.AddonVersion, PID: &hello.PID, Port: &editor.Port,
	}
}

func urlOf(editor bridge.Editor) string { return "ws://127.0.0.1:" + strconv.Itoa(editor.Port) + "/" }

func (e *Env) versionNotice() *string {
	hello, ok := e.Bridge.Hello()
	if !ok || hello.AddonVersion == AddonVersion {
		return nil
	}
	next := "godot-mcp addon update"
	if addon.CompareVersions(hello.AddonVersion, AddonVersion) > 0 {
		next = "upgrade godot-mcp, see godot-mcp addon status"
	}
	notice := "the editor runs addon " + hello.AddonVersion + ", this binary brings " + AddonVersion + ": " + next
	return &notice
}

// toolsets are those with tools that the policy allows, and how many.
func (e *Env) toolsets(policy Policy) []toolsetInfo {
	setOf := func(t *Tool) string { return t.Toolset }
	if e.Legacy {
		setOf = olderToolset
	}
	listed, _ := e.ListedTools()
	shown := map[string]bool{}
	for _, t := range listed {
		shown[setOf(t)] = true
	}
	counts := map[string]int{}
	for _, t := range e.Table.Tools {
		if policy.Allows(t) {
			counts[setOf(t)]++
		}
	}
	out := []toolsetInfo{}
	for _, name := range e.toolsetNames() {
		if counts[name] == 0 {
			continue
		}
		out = append(out, toolsetInfo{Name: name, Enabled: shown[name], Description: GroupSummary(name), ToolCount: counts[name]})
	}
	return out
}

func commonErrors() []errorInfo {
	var out []errorInfo
	for _, c := range bridge.Codes {
		out = append(out, errorInfo{Error: string(c.Code), Meaning: c.Meaning, Next: c.Next})
	}
	for _, r := range bridge.Required {
		out = append(out, errorInfo{
			Error: string(bridge.PreconditionFailed), Required: r.Name, Meaning: r.Meaning, Next: r.Next,
		})
	}
	return out
}

func nextSteps(active *string) []string {
	if active == nil {
		return []string{"godot-mcp scene list", "godot-mcp scene open res://main.tscn"}
	}
	return []string{"godot-mcp scene tree", "godot-mcp node add --dry-run"}
}

func healthCheck(ctx context.Context, env *Env, _ none) (healthInfo, error) {
	info := healthInfo{Server: "godot-mcp", Version: env.Version, Transport: env.Transport}
	if _, err := env.editor(ctx); err != nil {
		info.Reason = bridge.AsError(err).Hint
		return info, nil
	}
	begin := time.Now()
	if _, err := env.call(ctx, bridge.Request{Command: healthCommand}); err != nil {
		info.Reason = bridge.AsError(err).Hint
		return info, nil
	}
	latency := float64(time.Since(begin).Microseconds()) / 1000
	hello, _ := env.Bridge.Hello()
	info.BridgeConnected = true
	info.LatencyMS = &latency
	info.GodotVersion, info.ProjectPath = &hello.GodotVersion, &hello.ProjectPath
	editor, _ := env.Bridge.Editor()
	info.BridgeURL, info.AddonVersion, info.VersionNotice = urlOf(editor), &hello.AddonVersion, env.versionNotice()
	return info, nil
}
