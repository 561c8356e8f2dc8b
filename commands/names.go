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

// sharesWord is the first candidate that has the most words of name.
func sharesWord(name string, candidates []string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' })
	best, most := "", 0
	for _, c := range candidates {
		count := 0
		for _, w := range words {
			if len(w) > 2 && strings.Contains(c, w) {
				count++
			}
		}
		if count > most {
			best, most = c, count
		}
	}
	return best
}

// Distance is how many bytes must be put in, taken out, changed or swapped with the next one to make b of a.
func Distance(a, b string) int { return rank.Distance(a, b) }
