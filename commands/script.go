package commands

import "encoding/json"

type scriptReadParams struct {
	ScriptPath string `json:"script_path" p:"required" kind:"project" doc:"Script file, or a script inside a loaded scene"`
	StartLine  int    `json:"start_line" default:"1" doc:"First line, from 1"`
	EndLine    int    `json:"end_line" default:"0" doc:"Last line; 0 is the end"`
}

type scriptReadResult struct {
	ScriptPath string `json:"script_path"`
	Content    string `json:"content" doc:"The lines with their ends, without a byte order mark"`
	Lines      int    `json:"lines" doc:"Lines of the whole file"`
	SHA256     string `json:"sha256" doc:"Of the whole file's bytes, for expect_sha256"`
}

type scriptListParams struct {
	Directory string `json:"directory" p:"arg" default:"res://" kind:"project" doc:"Folder to look in, with all below"`
	Language  string `json:"language" default:"" doc:"gd or cs; empty is both"`
	Offset    int    `json:"offset" default:"0" doc:"Scripts to skip"`
	Limit     int    `json:"limit" default:"500" doc:"Scripts to return at most; 0 is no limit"`
}

type scriptEntry struct {
	Path      string `json:"path"`
	ClassName string `json:"class_name,omitempty" doc:"Name that the whole project knows it by"`
	Base      string `json:"base,omitempty" doc:"Class or script that it extends, as the file says"`
}

type scriptListResult struct {
	Directory  string        `json:"directory"`
	Scripts    []scriptEntry `json:"scripts"`
	Total      int           `json:"total"`
	Truncated  bool          `json:"truncated" doc:"True when limit left scripts out"`
	NextOffset int           `json:"next_offset,omitempty" doc:"Offset of the next page"`
}

type scriptForNodeParams struct {
	NodePath string `json:"node_path" p:"arg" default:"" kind:"node" doc:"Path from the scene's root; empty is the root"`
}

type scriptForNodeResult struct {
	NodePath   string  `json:"node_path"`
	ScriptPath *string `json:"script_path" doc:"Null when the node has no script"`
	Content    *string `json:"content"`
}

type scriptWriteParams struct {
	ScriptPath   string `json:"script_path" p:"required" kind:"project" doc:"File to make or replace, .gd or .cs"`
	Content      string `json:"content" p:"required" doc:"The whole text; the file keeps its line ends and byte order mark"`
	ExpectSHA256 string `json:"expect_sha256" default:"" doc:"Refuse when the file is no longer this one, see script read"`
}

type scriptError struct {
	Message  string `json:"message"`
	Line     int    `json:"line" doc:"From 1"`
	Column   *int   `json:"column" doc:"Null: what compiles scripts in the editor tells lines only"`
	Severity string `json:"severity" enum:"error,warning"`
}

type scriptWriteResult struct {
	ScriptPath     string        `json:"script_path"`
	Created        bool          `json:"created" doc:"The file was not there before"`
	WouldOverwrite bool          `json:"would_overwrite" doc:"The file was there before"`
	Errors         []scriptError `json:"errors" doc:"What does not compile in the new text; it is written all the same"`
	Stale          []string      `json:"stale" doc:"Who still has the old text: tool nodes as scene::path, the running game"`
}

type scriptPatchParams struct {
	ScriptPath  string `json:"script_path" p:"required" kind:"project" doc:"Script file"`
	Find        string `json:"find" p:"required" doc:"Exact text to find; line ends are those of the file"`
	Replace     string `json:"replace" p:"required" doc:"Text to put in its place"`
	ExpectCount int    `json:"expect_count" default:"1" doc:"Times that the text must be there; all are replaced"`
}

type scriptPatchResult struct {
	ScriptPath   string        `json:"script_path"`
	Replacements int           `json:"replacements"`
	Errors       []scriptError `json:"errors" doc:"What does not compile in the new text; it is written all the same"`
	Stale        []string      `json:"stale" doc:"Who still has the old text: tool nodes as scene::path, the running game"`
}

type scriptCheckParams struct {
	ScriptPath string `json:"script_path" p:"arg" default:"" kind:"project" doc:"GDScript file; empty is the whole project"`
	Content    string `json:"content" default:"" doc:"Text to check instead of the file's"`
}

type scriptCheckError struct {
	Message  string `json:"message"`
	Source   string `json:"source" doc:"File with the error; empty for a text without a file"`
	Line     int    `json:"line" doc:"From 1"`
	Column   *int   `json:"column" doc:"Null: what compiles scripts in the editor tells lines only"`
	Severity string `json:"severity" enum:"error,warning"`
}

type scriptCheckResult struct {
	ScriptPath    string             `json:"script_path" doc:"Empty for the whole project"`
	OK            bool               `json:"ok" doc:"No errors"`
	Errors        []scriptCheckError `json:"errors" doc:"Of a text that is no GDScript at all the first one only"`
	RescanPending bool               `json:"rescan_pending" doc:"The editor is scanning: new class names can be unknown yet"`
}

func scriptTools() []*Tool {
	return []*Tool{
		New(Spec[scriptReadParams, scriptReadResult]{
			Name: "script read", Class: ReadOnly, Starter: true,
			Alias:   "scripts_read",
			Summary: "Read a script file, whole or some lines.",
			Example: scriptReadParams{ScriptPath: "res://player.gd", StartLine: 1, EndLine: 20},
		}),
		New(Spec[scriptListParams, scriptListResult]{
			Name: "script list", Class: ReadOnly,
			Alias: "scripts_list",
			AliasMap: AliasMap{
				Defaults: map[string]json.RawMessage{"limit": Any("200"), "language": Any(`"gd"`)},
				Results:  map[string]string{"scripts": ".scripts | map(.path)", "returned": ".scripts | length"},
			},
			Summary: "List script files with their class names and bases.",
			Example: scriptListParams{Directory: "res://", Language: "gd", Limit: 50},
		}),
		New(Spec[scriptForNodeParams, scriptForNodeResult]{
			Name: "script for-node", Class: ReadOnly, Scene: true,
			Alias:   "scripts_get_for_node",
			Summary: "Read the script that a node has.",
			Example: scriptForNodeParams{NodePath: "Player"},
		}),
		New(Spec[scriptWriteParams, scriptWriteResult]{
			Name: "script write", Class: Mutating, Starter: true, ExecutesCode: true,
			Alias: "scripts_write",
			AliasMap: AliasMap{Results: map[string]string{
				"previous_existed": ".would_overwrite", "overwrote": ".would_overwrite and (.dry_run | not)",
			}},
			Summary: "Write a script file; answers with what does not compile in it.",
			Example: scriptWriteParams{ScriptPath: "res://coin.gd", Content: "extends Area2D\n\n@export var worth: int = 1\n"},
		}),
		New(Spec[scriptPatchParams, scriptPatchResult]{
			Name: "script patch", Class: Mutating, Starter: true, ExecutesCode: true,
			Alias:   "scripts_patch",
			Summary: "Replace an exact text in a script; answers with what does not compile.",
			Example: scriptPatchParams{ScriptPath: "res://player.gd", Find: "lives: int = 3", Replace: "lives: int = 5", ExpectCount: 1},
		}),
		New(Spec[scriptCheckParams, scriptCheckResult]{
			Name: "script check", Class: ReadOnly, Starter: true, ExecutesCode: true,
			Alias:   "scripts_get_parse_errors",
			Answer:  "ok",
			Summary: "Check GDScript for errors: one file, a text, or the whole project.",
			Example: scriptCheckParams{ScriptPath: "res://player.gd"},
		}),
	}
}
