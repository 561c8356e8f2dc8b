package bridge

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
)

// redacted stands for a token wherever one would be shown.
const redacted = "[token]"

// Token is the secret of one editor. It shows itself as "[token]" to fmt, slog
// and JSON; [Token.Secret] gives the text. The zero value is empty.
//
// It holds a pointer because fmt does not call methods on values it reaches
// through unexported fields: there the address is printed, not the secret.
type Token struct{ secret *string }

// NewToken returns a Token that holds secret.
func NewToken(secret string) Token { return Token{&secret} }

// Secret returns the text, to be sent to the editor and to nobody else.
func (t Token) Secret() string {
	if t.secret == nil {
		return ""
	}
	return *t.secret
}

// String returns "[token]".
func (Token) String() string { return redacted }

// GoString returns "[token]".
func (Token) GoString() string { return redacted }

// Format writes "[token]" for every verb.
func (Token) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue returns "[token]".
func (Token) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalJSON writes "[token]": a token leaves the process only on purpose.
func (Token) MarshalJSON() ([]byte, error) { return json.Marshal(redacted) }

// UnmarshalJSON reads the secret from a JSON string.
func (t *Token) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	*t = NewToken(s)
	return nil
}
