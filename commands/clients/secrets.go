package clients

import (
	"fmt"
	"regexp"
	"strings"
)

const secretName = `[\w-]*(?:key|token|secret|passw|auth|credential|cookie)[\w-]*`

// What is hidden: a text behind a name that sounds like a secret, as a member, as a flag's value or in an
// address, and what looks like a token wherever it stands.
var secrets = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(` + secretName + `["']?\s*[:=]\s*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*')`),
	regexp.MustCompile(`(?i)(["']--?` + secretName + `["']\s*,\s*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*')`),
	regexp.MustCompile(`(?i)((?:[?&]|--?)` + secretName + `=)[^&"'\s]+`),
	regexp.MustCompile(`(?i)((?:bearer|basic)\s+)[\w.~+/=-]{8,}`),
	regexp.MustCompile(`()\b(?:sk|gh[a-z]|github_pat|glpat|xox[a-z])[-_][\w-]{8,}`),
}

// maxDiffLine is the most bytes of a line of a diff; some clients keep their whole config in one line.
const maxDiffLine = 500

func hideSecrets(text string) string {
	for i, pattern := range secrets {
		hidden := "${1}***"
		if i < 2 {
			hidden = `${1}"***"`
		}
		text = pattern.ReplaceAllString(text, hidden)
	}
	return text
}

// shorten cuts the middle out of lines that nobody can read.
func shorten(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > maxDiffLine {
			half := maxDiffLine / 2
			lines[i] = strings.ToValidUTF8(fmt.Sprintf("%s... (%d bytes) ...%s", line[:half], len(line)-2*half, line[len(line)-half:]), "")
		}
	}
	return strings.Join(lines, "\n")
}
