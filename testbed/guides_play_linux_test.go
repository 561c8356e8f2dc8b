package testbed

import "testing"

// TestGuidesPlaytest follows the page on playing a game, with an X server where a user has one: on PATH.
func TestGuidesPlaytest(t *testing.T) {
	t.Setenv("PATH", pathWithXvfb(t))
	followGuide(t, "playtest.md")
}
