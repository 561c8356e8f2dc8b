package main

import (
	"github.com/spf13/pflag"

	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/contract"
)

// addFlags gives a command the flags that the contract lists for it.
func addFlags(fs *pflag.FlagSet, flags []contract.Flag) {
	for _, f := range flags {
		switch f.Type {
		case "bool":
			fs.BoolP(f.Name, f.Short, false, f.Doc)
		case "int":
			fs.IntP(f.Name, f.Short, 0, f.Doc)
		case "stringArray":
			fs.StringArrayP(f.Name, f.Short, nil, f.Doc)
		default:
			fs.StringP(f.Name, f.Short, "", f.Doc)
		}
	}
}

// addGlobalFlags does the same for all commands and binds the values.
func (a *app) addGlobalFlags(fs *pflag.FlagSet) {
	f := &a.flags
	targets := map[string]any{
		"project": &f.project, "editor": &f.editor, "timeout": &f.timeout, "contract": &f.contract,
		"read-only": &f.readOnly, "allow": &f.allow, "deny": &f.deny, "approval": &f.approval, "audit-log": &f.auditLog, "autostart": &f.autostart, "params": &f.params, "jq": &f.jq, "raw-output": &f.raw,
		"request-key": &f.requestKey, "max-chars": &f.maxChars, "exit-zero": &f.exitZero,
	}
	for _, flag := range commands.GlobalFlags {
		switch target := targets[flag.Name].(type) {
		case *bool:
			fs.BoolVarP(target, flag.Name, flag.Short, false, flag.Doc)
		case *int:
			fs.IntVarP(target, flag.Name, flag.Short, 0, flag.Doc)
		case *string:
			fs.StringVarP(target, flag.Name, flag.Short, "", flag.Doc)
		}
	}
}
