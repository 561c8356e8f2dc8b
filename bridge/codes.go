package bridge

// CodeInfo says what an error code means.
type CodeInfo struct {
	Code Code
	// Exit is the exit code of the command line, 1 to 124.
	Exit int
	// Meaning is one sentence.
	Meaning string
	// Next is the command to type.
	Next string
}

// RequiredInfo says what a name in an error's `required` stands for. Names of
// parameters stand there too and have no entry.
type RequiredInfo struct {
	Name    string
	Meaning string
	// Next is the command to type.
	Next string
}

// Codes lists the contract's error codes, in the order of their exit codes.
var Codes = []CodeInfo{
	{InternalError, 1, "The editor or godot-mcp failed in a way that the caller cannot mend by other arguments.", "godot-mcp editor status"},
	{ValidationError, 2, "An argument is unknown, missing or has a wrong value; nothing was changed.", "godot-mcp contract show --format markdown"},
	{PreconditionFailed, 3, "The call is right but something must be true first; `required` names it.", "godot-mcp get-server-info"},
	{ResourceNotFound, 4, "A node, file, resource or other thing that the call names is not there.", "godot-mcp scene tree"},
	{ApprovalDenied, 5, "The one asked for approval said no, or nobody answered in time; nothing was changed.", "godot-mcp config list"},
	{BridgeDisconnected, 6, "No editor with the addon could be reached, or the link to it broke.", "godot-mcp editor list"},
	{Timeout, 124, "No answer came in time; a change that was sent may have been made all the same.", "godot-mcp history list"},
}

// Required lists the contract's names of missing preconditions, sorted.
var Required = []RequiredInfo{
	{"active_scene", "A scene must be open and active in the editor.", "godot-mcp scene list"},
	{"addon_version", "The addon in the project is older than this godot-mcp and must be brought up to date.", "godot-mcp addon update"},
	{"bridge_connected", "An editor with the addon must run for the project, and be the only one or be named.", "godot-mcp editor start"},
	{"bridge_token", "The process behind the bridge file must prove that it is the editor that wrote it.", "godot-mcp editor list"},
	{"confirm", "A destructive call needs confirm=true.", "godot-mcp contract show --format markdown"},
	{"contract_version", "The client's contract number must be one that the other side serves.", "godot-mcp get-server-info"},
	{"dependencies", "Files that the scene refers to must be there before it is saved.", "godot-mcp scene list"},
	{"display", "The call needs an editor or a game that draws; a headless one has no picture.", "godot-mcp editor start --display screen"},
	{"editor_ready", "The editor must answer, have finished starting and importing, and show no dialog that waits for a person.", "godot-mcp editor wait"},
	{"export_templates", "The engine's export templates must be installed.", "godot-mcp get-server-info"},
	{"game_breaked", "The running game must stand at a breakpoint.", "godot-mcp game status"},
	{"game_not_breaked", "The running game must not stand in the debugger, at a breakpoint or an error.", "godot-mcp game status"},
	{"godot_binary", "The engine's program must be found.", "godot-mcp doctor"},
	{"godot_version", "The call needs another version of the engine than the one connected.", "godot-mcp editor status"},
	{"human_approval", "A person must approve this call.", "godot-mcp config list"},
	{"node_exists", "The node that the call names must be in the scene.", "godot-mcp scene tree"},
	{"play_session", "The game must run from the editor.", "godot-mcp game play"},
	{"policy", "The policy of this process must allow the tool.", "godot-mcp config list"},
	{"project_dir", "The folder must be, or be inside, a Godot project with a project.godot.", "godot-mcp editor list"},
	{"runtime_probe", "The probe of the addon must be loaded in the running game.", "godot-mcp game status"},
	{"scene_open", "The scene file must be open in the editor.", "godot-mcp scene list-open"},
	{"scene_saved", "The scene must have been saved to a file.", "godot-mcp scene save"},
}
