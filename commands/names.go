package commands

import (
	"strings"

	"github.com/godot-mcp/godot-mcp/commands/rank"
)

// nearest is the candidate with the smallest edit distance, when that is at most a third of its length.
func nearest(name string, candidates []string) string {
	best, bestDistance := "", 1<<30
	for _, c := range candidates {
		if d := Distance(strings.ToLower(name), c); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	if bestDistance*3 > max(len(best), 3) {
		return ""
	}
	return best
}

// nameWords are the words of a tool's name.
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ' ' || r == '-' })
}

// Nearest is the candidate that is spelled most like name, "" when none is near.
func Nearest(name string, candidates []string) string { return nearest(name, candidates) }

// Distance is how many bytes must be put in, taken out, changed or swapped with the next one to make b of a.
func Distance(a, b string) int { return rank.Distance(a, b) }
