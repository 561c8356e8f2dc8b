package commands

import (
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/contract"
)

// GlobalFlags are the flags of every command. No parameter of a tool may have one of these names, but jq of
// tool call, which does what the flag does.
var GlobalFlags = []contract.Flag{
	{Name: "project", Type: "string", Doc: "project folder; default the one around the working directory"},
	{Name: "editor", Type: "int", Doc: "process id of the editor, see editor list"},
	{Name: "timeout", Type: "string", Doc: "longest wait for an answer: seconds, or 500ms, 2m (default 30s)"},
	{Name: "contract", Type: "int", Doc: "contract number that the caller was built against"},
	{Name: "read-only", Type: "bool", Doc: "refuse everything that could change something"},
	{Name: "allow", Type: "string", Doc: "refuse all but these: a comma list of classes, executes_code, toolsets, tools"},
	{Name: "deny", Type: "string", Doc: "refuse these: a comma list of classes, executes_code, toolsets, tools"},
	{Name: "approval", Type: "string", Doc: "who is asked about calls that destroy: none, ask or webhook (default none)"},
	{Name: "audit-log", Type: "string", Doc: "file in which each call is noted, a JSON line without contents"},
	{Name: "autostart", Type: "bool", Doc: "start a headless editor for the project when a call finds none"},
	{Name: "params", Type: "string", Doc: "file with the parameters as one JSON object, - for standard input"},
	{Name: "jq", Type: "string", Doc: "jq expression over the result"},
	{Name: "raw-output", Short: "r", Type: "bool", Doc: "with --jq: print strings without quotes"},
	{Name: "request-key", Type: "string", Doc: "the same key is carried out once"},
	{Name: "max-chars", Type: "int", Doc: "most characters of a result, the rest is cut (default 0, no limit; mcp 25000)"},
	{Name: "exit-zero", Type: "bool", Doc: "exit 0 also when the answer is no"},
}

// IsGlobalFlag is true for a parameter that is no flag of its tool, since every command has that one.
func IsGlobalFlag(parameter string) bool {
	return slices.ContainsFunc(GlobalFlags, func(f contract.Flag) bool {
		return f.Name == strings.ReplaceAll(parameter, "_", "-")
	})
}

// OwnCommands are the commands of the binary that are no tools, with the flags of their own; the first one
// stands for all commands. A test in cmd holds the parser to it.
var OwnCommands = []contract.Command{
	{Flags: GlobalFlags},
	{Name: "addon install", Flags: []contract.Flag{
		{Name: "dry-run", Type: "bool", Doc: "tell what would be written, write nothing"},
		{Name: "downgrade", Type: "bool", Doc: "also replace an addon that is newer than this binary's"},
	}},
	{Name: "addon status", Flags: []contract.Flag{}},
	{Name: "addon uninstall", Flags: []contract.Flag{{Name: "dry-run", Type: "bool", Doc: "tell what would be written, write nothing"}}},
	{Name: "addon update", Flags: []contract.Flag{
		{Name: "dry-run", Type: "bool", Doc: "tell what would be written, write nothing"},
		{Name: "downgrade", Type: "bool", Doc: "also replace an addon that is newer than this binary's"},
	}},
	{Name: "call", Flags: []contract.Flag{}},
	{Name: "completion", Flags: []contract.Flag{}},
	{Name: "config list", Flags: []contract.Flag{}},
	{Name: "contract check", Flags: []contract.Flag{
		{Name: "against", Type: "string", Doc: "what to compare with: a file of contract show, or a contract number"},
		{Name: "of", Type: "string", Doc: "file of contract show to judge (default this build)"},
		{Name: "format", Type: "string", Doc: "text or json (default text on a terminal, else json)"},
	}},
	{Name: "contract show", Flags: []contract.Flag{
		{Name: "format", Type: "string", Doc: "json, facts or markdown"},
	}},
	{Name: "doctor", Flags: []contract.Flag{
		{Name: "format", Type: "string", Doc: "text or json (default text on a terminal, else json)"},
	}},
	{Name: "mcp", Flags: []contract.Flag{
		{Name: "toolsets", Type: "string", Doc: "toolsets to list: starter, all or a comma list (default starter)"},
		{Name: "names", Type: "string", Doc: "names to list: current, or legacy for those of the older server"},
		{Name: "protocol", Type: "string", Doc: "serve this revision of MCP alone: 2026-07-28 (default all)"},
		{Name: "transport", Type: "string", Doc: "stdio or http (default stdio)"},
		{Name: "http-host", Type: "string", Doc: "address to listen on (default 127.0.0.1)"},
		{Name: "http-port", Type: "string", Doc: "port to listen on, 0 for any that is free (default 9090)"},
		{Name: "http-no-auth", Type: "bool", Doc: "let every program on this machine in, without a token"},
		{Name: "allow-path", Type: "string", Doc: "folders that clients may have files written to, separated as in PATH"},
	}},
	{Name: "mcp doctor", Flags: []contract.Flag{
		{Name: "client", Type: "string", Doc: "look at this client only, see mcp install"},
		{Name: "scope", Type: "string", Doc: "user or project (default both)"},
		{Name: "name", Type: "string", Doc: "the server's name in the config (default all that start this program)"},
		{Name: "config", Type: "string", Doc: "config file instead of the client's usual one"},
		{Name: "format", Type: "string", Doc: "text or json (default text on a terminal, else json)"},
	}},
	{Name: "mcp install", Flags: []contract.Flag{
		{Name: "client", Type: "string", Doc: "claude-code, cursor, vscode, codex, gemini, opencode, claude-desktop, windsurf or zed"},
		{Name: "scope", Type: "string", Doc: "user or project (default user)"},
		{Name: "name", Type: "string", Doc: "the server's name in the config (default godot)"},
		{Name: "config", Type: "string", Doc: "config file instead of the client's usual one"},
		{Name: "toolsets", Type: "string", Doc: "toolsets that the server lists: starter, all or a comma list"},
		{Name: "autostart", Type: "bool", Doc: "the server starts an editor when it needs one"},
		{Name: "transport", Type: "string", Doc: "stdio, the client starts the server, or http, it connects to one that runs (default stdio)"},
		{Name: "http-host", Type: "string", Doc: "with --transport http: address of the server (default 127.0.0.1)"},
		{Name: "http-port", Type: "string", Doc: "with --transport http: port of the server (default that of the one that runs, else 9090)"},
		{Name: "http-no-auth", Type: "bool", Doc: "with --transport http: the server wants no token"},
		{Name: "force", Type: "bool", Doc: "replace another server that has the name"},
		{Name: "dry-run", Type: "bool", Doc: "show the change, write nothing"},
		{Name: "format", Type: "string", Doc: "text or json (default text on a terminal, else json)"},
	}},
	{Name: "mcp uninstall", Flags: []contract.Flag{
		{Name: "client", Type: "string", Doc: "the client, see mcp install"},
		{Name: "scope", Type: "string", Doc: "user or project (default user)"},
		{Name: "name", Type: "string", Doc: "the server's name in the config (default godot)"},
		{Name: "config", Type: "string", Doc: "config file instead of the client's usual one"},
		{Name: "force", Type: "bool", Doc: "also take out a server of that name that is another program"},
		{Name: "dry-run", Type: "bool", Doc: "show the change, write nothing"},
		{Name: "format", Type: "string", Doc: "text or json (default text on a terminal, else json)"},
	}},
	{Name: "trust", Flags: []contract.Flag{}},
	{Name: "version", Flags: []contract.Flag{}},
	{Name: "watch", Flags: []contract.Flag{
		{Name: "event", Type: "stringArray", Doc: "only events of this name; repeat it for more"},
		{Name: "count", Type: "int", Doc: "end after so many events were printed"},
		{Name: "for", Type: "string", Doc: "end after this long: seconds, or 500ms, 2m"},
	}},
}

// IsOwnCommand is true for one of OwnCommands, by its name.
func IsOwnCommand(name string) bool {
	return name != "" && slices.ContainsFunc(OwnCommands, func(c contract.Command) bool { return c.Name == name })
}

// FlagsOf are the flags of one of OwnCommands, its own ones only.
func FlagsOf(command string) []contract.Flag {
	for _, c := range OwnCommands {
		if c.Name == command {
			return c.Flags
		}
	}
	return nil
}

// EnvVars are the environment variables that are read, and those that are refused. A test in cmd holds the
// settings to it.
var EnvVars = []contract.Env{
	{Name: "GODOT_MCP_CONTRACT", Doc: "contract number that the caller was built against"},
	{Name: "GODOT_MCP_TIMEOUT", Doc: "longest wait for an answer"},
	{Name: "GODOT_MCP_DEFAULT_TOOLSETS", Doc: "toolsets that MCP clients see"},
	{Name: "GODOT_MCP_READ_ONLY", Doc: "refuse everything that could change something"},
	{Name: "GODOT_MCP_ALLOW", Doc: "refuse all but these classes, toolsets and tools, a comma list"},
	{Name: "GODOT_MCP_DENY", Doc: "refuse these classes, toolsets and tools, a comma list"},
	{Name: "GODOT_MCP_APPROVAL", Doc: "who is asked about calls that destroy: none, ask or webhook"},
	{Name: "GODOT_MCP_APPROVAL_WEBHOOK", Doc: "address that is asked about them by POST"},
	{Name: "GODOT_MCP_APPROVAL_TIMEOUT", Doc: "after this long the answer is no (default 30s)"},
	{Name: "GODOT_MCP_APPROVAL_FAIL_OPEN", Doc: "carry out what the webhook gave no answer about"},
	{Name: "GODOT_MCP_AUDIT_LOG", Doc: "file in which each call is noted, a JSON line without contents"},
	{Name: "GODOT_MCP_PROJECT_DIR", Doc: "project folder"},
	{Name: "GODOT_MCP_GODOT_BIN", Doc: "the engine's program"},
	{Name: "GODOT_BIN", Doc: "the engine's program, where GODOT_MCP_GODOT_BIN is not set"},
	{Name: "GODOT_MCP_TRANSPORT", Doc: "how mcp is served: stdio or http"},
	{Name: "GODOT_MCP_HTTP_HOST", Doc: "address that mcp listens on over HTTP"},
	{Name: "GODOT_MCP_HTTP_PORT", Doc: "port of mcp over HTTP, 0 for any that is free"},
	{Name: "GODOT_MCP_AUTH_TOKEN", Doc: "token that clients of mcp show over HTTP, a new one per start when empty"},
	{Name: "GODOT_MCP_ALLOW_PATH", Doc: "folders that MCP clients may have files written to, separated as in PATH"},
	{Name: "GODOT_MCP_ARTIFACTS_MAX_MB", Doc: "MiB that kept pictures, recordings and logs may have together (default 256)"},
	{Name: "GODOT_MCP_ARTIFACTS_MAX_AGE", Doc: "after this long a kept one goes (default 168h)"},
	{Name: "GODOT_MCP_LOG_LEVEL", Doc: "off, debug, info, warning or error, on standard error"},
	{Name: "GODOT_MCP_BRIDGE_PORT", Doc: "read by the editor: port of the bridge instead of a free one"},
	{Name: "GODOT_MCP_IDLE_STOP", Doc: "how long an editor that autostart began may be without a command before it ends (default 10m)"},
	{Name: "GODOT_MCP_BRIDGE_URL", Refused: true, Doc: "editors are found by themselves, or named with --project or --editor"},
	{Name: "GODOT_MCP_BRIDGE_TOKEN", Refused: true, Doc: "the token is new per editor and found by itself"},
	{Name: "GODOT_MCP_AUTO_REFRESH", Refused: true, Doc: "nothing is refreshed by itself"},
}

func exitCodes() []contract.ExitCode {
	out := []contract.ExitCode{{Code: ExitOK, Name: "ok", Meaning: "The call was carried out."}}
	for _, c := range bridge.Codes {
		out = append(out, contract.ExitCode{Code: c.Exit, Name: string(c.Code), Meaning: c.Meaning})
	}
	return append(out,
		contract.ExitCode{Code: ExitAnswerNo, Name: "answer_no", Meaning: "The work was done and the answer is no; --exit-zero turns it off."},
		contract.ExitCode{Code: ExitContractBreak, Name: "contract_break", Meaning: "contract check found a break that contract_version does not announce."},
		contract.ExitCode{Code: ExitInterrupted, Name: "interrupted", Meaning: "The command was interrupted."},
	)
}

// maxName is the most characters that an MCP name may have; clients put the server's name in front.
const maxName = 40

// maxSummary is the most characters of a tool's summary.
const maxSummary = 100

func limits() []contract.Limit {
	return []contract.Limit{
		{Name: "message", Value: bridge.MaxMessage, Unit: "bytes", Doc: "one message of the bridge, one line of call and of MCP"},
		{Name: "in_flight", Value: bridge.MaxInFlight, Unit: "calls", Doc: "calls without an answer on one connection to the editor"},
		{Name: "clients", Value: bridge.MaxClients, Unit: "connections", Doc: "connections that one editor serves"},
		{Name: "timeout", Value: int(DefaultTimeout.Milliseconds()), Unit: "milliseconds", Doc: "longest wait for an answer when nobody says otherwise"},
		{Name: "max_chars", Value: DefaultMaxChars, Unit: "characters", Doc: "a result on MCP when the client does not say; nothing else has a limit by default"},
		{Name: "name", Value: maxName, Unit: "characters", Doc: "an MCP name"},
		{Name: "summary", Value: maxSummary, Unit: "characters", Doc: "a tool's summary"},
	}
}
