package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// scriptLines is how long the scripts are that are written.
const scriptLines = 1000

// measureScripts writes a script of many lines over and over, each time another text, and has the whole
// project checked.
func (s *session) measureScripts() error {
	c := s.client()
	defer c.Close()
	var writes, checks samples
	n := s.pick(200, 30)
	for i := range n + 3 {
		params, err := json.Marshal(map[string]string{"script_path": "res://long.gd", "content": scriptOf(scriptLines, i)})
		if err != nil {
			return err
		}
		begun := time.Now()
		if _, err := c.Call(s.ctx, bridge.Request{Command: "script.write", Params: params}); err != nil {
			return err
		}
		// The first ones also make the file known.
		if i >= 3 {
			writes = append(writes, time.Since(begun))
		}
	}
	for range s.pick(50, 10) {
		begun := time.Now()
		if _, err := c.Call(s.ctx, bridge.Request{Command: "script.check", Params: json.RawMessage(`{}`)}); err != nil {
			return err
		}
		checks = append(checks, time.Since(begun))
	}
	s.report.add(
		timed(s.mode.name, fmt.Sprintf("script write, %d lines, with its errors", scriptLines), writes).atMost(50, 0),
		timed(s.mode.name, "script check, the whole sample project", checks),
	)
	return nil
}

// scriptOf is a script of so many lines, with an error in its last function.
func scriptOf(lines, version int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "extends Node\n\nvar version: int = %d\n", version)
	for i := 3; i+5 < lines; i += 5 {
		fmt.Fprintf(&b, "\nfunc step_%d(from: int) -> int:\n\tvar sum: int = from * %d + version\n\tprint(\"step \", sum)\n\treturn sum\n", i, i)
	}
	b.WriteString("\nfunc last() -> int:\n\treturn missing\n")
	return b.String()
}
