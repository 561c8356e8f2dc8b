package bridge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func TestTokenIsNeverShown(t *testing.T) {
	const secret = "s3cr3t-s3cr3t"
	token := bridge.NewToken(secret)
	ed := bridge.Editor{Port: 1, Token: token}
	hidden := struct{ inside bridge.Editor }{ed}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "token", token, "editor", ed, "hidden", hidden)
	asJSON, err := json.Marshal(ed)
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{log.String(), string(asJSON), token.String(), token.GoString()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X"} {
		for _, v := range []any{token, &token, ed, &ed, hidden, []bridge.Editor{ed}, map[string]bridge.Token{"a": token}} {
			shown = append(shown, fmt.Sprintf(verb, v))
		}
	}
	for _, s := range shown {
		if strings.Contains(s, secret) || strings.Contains(s, fmt.Sprintf("%x", secret)) || strings.Contains(s, fmt.Sprintf("%X", secret)) {
			t.Errorf("the token is shown in %q", s)
		}
	}
}

func TestTokenIsReadFromJSON(t *testing.T) {
	var ed bridge.Editor
	if err := json.Unmarshal([]byte(`{"token":"abc"}`), &ed); err != nil || ed.Token.Secret() != "abc" {
		t.Errorf("got %q, %v", ed.Token.Secret(), err)
	}
	if err := json.Unmarshal([]byte(`{"token":7}`), &ed); err == nil {
		t.Error("a token that is a number was read")
	}
	if (bridge.Token{}).Secret() != "" {
		t.Error("the zero token is not empty")
	}
}
