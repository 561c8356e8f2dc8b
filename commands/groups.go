package commands

import "strings"

// groupSummaries say what a group of tools, which is also a toolset, is about.
var groupSummaries = map[string]string{
	"core":      "The server itself, undo and redo",
	"server":    "What the MCP server offers beside tools",
	"toolset":   "Groups of tools that MCP clients see or do not",
	"tool":      "The tools themselves",
	"project":   "The project as a whole",
	"history":   "Steps that can be undone",
	"autoload":  "Scripts and scenes that are global in the game",
	"plugin":    "Editor plugins of the project",
	"input-map": "Input actions and what triggers them",
	"scene":     "Scene files and tabs",
	"node":      "Nodes of an open scene",
	"signal":    "Signals of nodes and their connections",
	"script":    "Script files and what is wrong with them",
	"batch":     "Many edits at once",
	"resource":  "Resource files",
	"file":      "Files and folders of the project",
	"class":     "Classes of the engine and of the project",
	"editor":    "The editor itself",
	"game":      "The running game",
	"input":     "Keys, mouse, joypad and touch for the running game",
	"artifact":  "Kept pictures, recordings and logs",
}

// GroupSummary is one line about a group or toolset, without a full stop.
func GroupSummary(name string) string { return groupSummaries[strings.ReplaceAll(name, "_", "-")] }
