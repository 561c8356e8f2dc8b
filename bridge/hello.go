package bridge

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"
)

const (
	helloID = 1
	firstID = 2
)

// Proof is what an editor answers to a nonce to show that it knows the token:
// HMAC-SHA256 in lower-case hexadecimal digits.
func Proof(t Token, nonce string) string {
	mac := hmac.New(sha256.New, []byte(t.Secret()))
	mac.Write([]byte(nonce))
	return hex.EncodeToString(mac.Sum(nil))
}

// sayHello puts hello on its way; the answer is checked by the reader.
func (l *link) sayHello(until time.Time) error {
	l.nonce = nonce()
	name, version := l.client.Name, l.client.Version
	if name == "" {
		name = "godot-mcp"
	}
	if version == "" {
		version = "dev"
	}
	params, err := json.Marshal(struct {
		Client   string   `json:"client"`
		Version  string   `json:"version"`
		Contract int      `json:"contract"`
		Nonce    string   `json:"nonce"`
		Events   []string `json:"events,omitempty"`
	}{name, version, l.client.contract(), l.nonce, l.client.Events})
	if err != nil {
		return AsError(err)
	}
	req := Request{Command: "hello", Params: params}
	enc, err := req.encode()
	if err != nil {
		return err
	}
	// Set first and started second: it may fire at once.
	l.helloTimer = time.AfterFunc(time.Hour, func() { l.fail(l.noHello(context.DeadlineExceeded)) })
	l.helloTimer.Reset(time.Until(until))
	l.run(enc.frame(helloID))
	return nil
}

// checkHello judges the first message of the editor. Nothing else it says is
// believed before this has gone well.
func (l *link) checkHello(m *message) *failure {
	if m.id != helloID {
		return &failure{base: *errStranger(l.editor, "it spoke before it answered hello")}
	}
	result, err := m.answer()
	if err != nil {
		return &failure{base: *AsError(err)}
	}
	var h struct {
		HelloResult
		Proof string `json:"proof"`
	}
	if json.Unmarshal(result, &h) != nil {
		return &failure{base: *errStranger(l.editor, "its answer to hello cannot be read")}
	}
	if !hmac.Equal([]byte(h.Proof), []byte(Proof(l.editor.Token, l.nonce))) {
		return &failure{base: *errStranger(l.editor, "it does not know the token")}
	}
	if err := l.client.checkAddon(h.MinCompatibleContract, h.ContractVersion, l.editor.ProjectPath); err != nil {
		return &failure{base: *AsError(err)}
	}
	l.hello = h.HelloResult
	l.helloTimer.Stop()
	close(l.proven)
	l.client.log().Debug("bridge connected", "pid", l.editor.PID, "port", l.editor.Port,
		"addon", h.AddonVersion, "contract", strconv.Itoa(h.ContractVersion))
	return nil
}
