package main

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/jq"
)

// How long an MCP server keeps its place in the editor without a call.
const idleTimeout = 10 * time.Second

// dispatcher is the gate of this process with the link to the editor behind it. Nothing is dialled yet.
func (a *app) dispatcher(s settings, transport string) *commands.Dispatcher {
	query := bridge.Query{Project: s.project, PID: s.editorPID}
	client := &bridge.Client{
		Name: "godot-mcp " + transport, Version: version, Contract: s.contract,
		OwnContract: a.contract.Version, MinContract: a.contract.MinCompatible,
		Ahead: a.ahead.For(query),
		Find:  func(context.Context) (bridge.Editor, error) { return bridge.Find(query) },
		Log:   a.logger(s.logLevel),
	}
	if transport == "stdio" || transport == "http" {
		// An agent thinks for long and leaves servers behind; the editor has eight places.
		client.IdleTimeout = idleTimeout
	}
	var autostart *commands.Autostart
	if s.autostart {
		autostart = &commands.Autostart{Idle: s.idleStop}
	}
	var audit *commands.Audit
	if s.auditLog != "" {
		audit = &commands.Audit{Path: s.auditLog, Log: a.logger(s.logLevel)}
	}
	return &commands.Dispatcher{
		Table:   a.table,
		Policy:  s.policy,
		Approve: s.approve,
		Timeout: s.timeout,
		Env: &commands.Env{
			Bridge: client, Query: query, Version: version, Contract: a.contract,
			Transport: transport, Table: a.table, Listed: s.toolsets, GodotBin: s.godotBin,
			JQ:         jq.Self(),
			Audit:      audit,
			Autostart:  autostart,
			Artifacts:  &s.artifacts,
			AllowPaths: s.allowPaths,
		},
	}
}

// logger writes to standard error, or nowhere, which is the default.
func (a *app) logger(level string) *slog.Logger {
	levels := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warning": slog.LevelWarn, "error": slog.LevelError,
	}
	at, on := levels[level]
	if !on {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: at}))
}
