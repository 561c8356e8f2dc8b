package main

import (
	"fmt"
	"os"
	"time"

	"github.com/godot-mcp/godot-mcp/testbed"
)

// measureAutostart is how long the first answer takes where no editor runs: on a project that no editor has
// opened, and on the same one again.
func (b *bench) measureAutostart() error {
	var fresh, warm samples
	for range b.pick(5, 1) {
		project, dir, err := b.newProject("auto")
		if err != nil {
			return err
		}
		editor, err := testbed.Workspace(project, dir)
		if err != nil {
			return err
		}
		for _, times := range []*samples{&fresh, &warm} {
			took, err := b.firstAnswer(editor)
			if err != nil {
				return err
			}
			*times = append(*times, took)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	b.report.add(
		timed("none", "first answer with --autostart, fresh project", fresh).atMost(12000, 0),
		timed("none", "first answer with --autostart, warm project", warm).atMost(5000, 0),
	)
	return nil
}

// firstAnswer runs one call that has an editor started, and ends that editor.
func (b *bench) firstAnswer(editor *testbed.Editor) (time.Duration, error) {
	b.say("an editor that is started by a call")
	begun := time.Now()
	out := editor.Run("scene", "list", "--autostart")
	took := time.Since(begun)
	if out.Exit != 0 {
		return 0, fmt.Errorf("scene list --autostart: %s", out.Stderr)
	}
	return took, editor.Stop()
}
