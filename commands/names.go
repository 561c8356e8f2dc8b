package commands

import "strings"

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

// Distance is the Levenshtein distance in bytes.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			before, row[j] = row[j], min(row[j]+1, row[j-1]+1, before+cost)
		}
	}
	return row[len(b)]
}
