package clients

import "regexp"

// A text that is assigned to a name which sounds like a secret, and a token in a header's value.
var (
	secretValue = regexp.MustCompile(`(?i)((?:key|token|secret|passw|auth|credential|cookie)[\w-]*["']?\s*[:=]\s*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*')`)
	bearer      = regexp.MustCompile(`(?i)(bearer\s+)[\w.~+/=-]+`)
)

func hideSecrets(text string) string {
	return bearer.ReplaceAllString(secretValue.ReplaceAllString(text, `$1"***"`), "${1}***")
}
