// Command godot-mcp drives a live Godot 4 editor from the shell and from AI agents.
package main

import (
	"os"

	"github.com/godot-mcp/godot-mcp/commands/jq"
	"github.com/godot-mcp/godot-mcp/commands/xvfb"
)

// version is the build, CalVer YYYY.MM.DD[.N], put in by the build.
var version = "dev"

func main() {
	jq.Worker()
	xvfb.Worker()
	os.Exit(run(os.Args[1:], stdStreams()))
}
