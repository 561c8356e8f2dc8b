package mcp

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

// metaCapabilities is where a newer request says what its client can do.
const metaCapabilities = "io.modelcontextprotocol/clientCapabilities"

// approvalKey names the one input request of a result that waits for an approval, and approveField what the
// person ticks.
const (
	approvalKey  = "approval"
	approveField = "approve"
)

var approvalForm = json.RawMessage(`{"type":"object","properties":{"` + approveField + `":{"type":"boolean","title":"Carry it out","description":"Without this nothing is changed","default":false}},"required":["` + approveField + `"]}`)

// asker is the way to the person behind the client of a request.
func (s *Server) asker(request *sdk.CallToolRequest) commands.Approver {
	if modern(request.Params.Meta) {
		return func(ctx context.Context, a commands.Approval) error { return s.askByResult(ctx, request.Params, a) }
	}
	return func(ctx context.Context, a commands.Approval) error { return askOlder(ctx, request.Session, a) }
}

// form is what the person is shown.
func form(a commands.Approval) *sdk.ElicitParams {
	return &sdk.ElicitParams{Mode: "form", Message: a.Question(), RequestedSchema: approvalForm}
}

// verdict reads what the person said: yes is the form sent off with the one box ticked.
func verdict(a commands.Approval, said *sdk.ElicitResult) error {
	switch {
	case said.Action == "accept" && said.Content[approveField] == true:
		return nil
	case said.Action == "cancel":
		return commands.Denied(a, "the person closed the question")
	}
	return commands.Denied(a, "the person said no")
}

const cannotAsk = "this client cannot ask its user: use one with elicitation, or --approval webhook"

// askOlder asks by a request to the client, within the call.
func askOlder(ctx context.Context, session *sdk.ServerSession, a commands.Approval) error {
	params := session.InitializeParams()
	if params == nil || params.Capabilities == nil || !asksForms(params.Capabilities.Elicitation) {
		return commands.Denied(a, cannotAsk)
	}
	said, err := session.Elicit(ctx, form(a))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return commands.Denied(a, "the client did not ask: "+err.Error())
	}
	return verdict(a, said)
}

// asksForms is true also for a client that names no mode, which is older than the modes.
func asksForms(e *sdk.ElicitationCapabilities) bool {
	return e != nil && (e.Form != nil || e.URL == nil)
}

// askByResult asks by the result of the call, which the client makes again with the answer and the state.
func (s *Server) askByResult(ctx context.Context, params *sdk.CallToolParamsRaw, a commands.Approval) error {
	if params.RequestState != "" {
		if why := s.states.take(params.RequestState, a.Digest()); why != "" {
			return commands.Denied(a, why)
		}
		said, ok := params.InputResponses[approvalKey].(*sdk.ElicitResult)
		if !ok {
			return commands.Denied(a, "the request came again without the answer to "+approvalKey)
		}
		return verdict(a, said)
	}
	var capabilities struct {
		Elicitation *sdk.ElicitationCapabilities `json:"elicitation"`
	}
	text, _ := json.Marshal(params.Meta[metaCapabilities]) // it came as JSON
	if json.Unmarshal(text, &capabilities) != nil || !asksForms(capabilities.Elicitation) {
		return commands.Denied(a, cannotAsk)
	}
	until, _ := ctx.Deadline()
	return &inputRequired{state: s.states.give(a.Digest(), until), form: form(a)}
}

// inputRequired ends a call that was not carried out, since a person must be asked first.
type inputRequired struct {
	state string
	form  *sdk.ElicitParams
}

func (*inputRequired) Error() string        { return commands.ErrAsked.Error() }
func (*inputRequired) Is(target error) bool { return target == commands.ErrAsked }

// inputResult is the result that asks.
type inputResult struct {
	sdk.ResultBase
	asks *inputRequired
}

// MarshalJSON writes the result.
func (r *inputResult) MarshalJSON() ([]byte, error) {
	out := map[string]any{
		"resultType": "input_required", "requestState": r.asks.state,
		"inputRequests": map[string]any{approvalKey: map[string]any{"method": "elicitation/create", "params": r.asks.form}},
	}
	if len(r.Meta) > 0 {
		out["_meta"] = r.Meta
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(out)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// states gives and takes the states of calls that wait for a person. A state is signed by a key that this
// process alone has, counts for one call until its time is up, and once.
type states struct {
	once sync.Once
	key  []byte

	mu    sync.Mutex
	taken map[string]time.Time
}

// state is what is signed.
type state struct {
	Digest string    `json:"digest"`
	Nonce  string    `json:"nonce"`
	Until  time.Time `json:"until"`
}

func (s *states) sign(payload string) string {
	s.once.Do(func() {
		s.key = make([]byte, sha256.Size)
		_, _ = rand.Read(s.key) // never fails
	})
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(payload))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (s *states) give(digest string, until time.Time) string {
	text, _ := json.Marshal(state{digest, rand.Text(), until}) // texts and a time
	payload := base64.RawURLEncoding.EncodeToString(text)
	return payload + "." + s.sign(payload)
}

// take is why a state does not count, "" for one that does and will not again.
func (s *states) take(given, digest string) string {
	payload, signature, _ := strings.Cut(given, ".")
	if !hmac.Equal([]byte(signature), []byte(s.sign(payload))) {
		return "its requestState is not one of this server: call again without it"
	}
	var st state
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || json.Unmarshal(text, &st) != nil {
		return "its requestState cannot be read: call again without it"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for nonce, until := range s.taken {
		if now.After(until) {
			delete(s.taken, nonce)
		}
	}
	_, again := s.taken[st.Nonce]
	switch {
	case now.After(st.Until):
		return "nobody answered in time: call again without requestState"
	case again:
		return "its requestState was used before: call again without it"
	case st.Digest != digest:
		return "its requestState is of another call: call again without it"
	}
	if s.taken == nil {
		s.taken = map[string]time.Time{}
	}
	s.taken[st.Nonce] = st.Until
	return ""
}
