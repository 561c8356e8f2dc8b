package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Connect is where a server is found for a probe that starts nothing.
type Connect struct {
	URL, Token string
	// Version is the prober's own.
	Version string
	// Protocol is the revision that the client asks for, "" for the newest.
	Protocol string
}

// TryHTTP connects to a server as a client does, asks it for its tools and its state, and leaves it. ctx is the
// time limit. Failed is connect when nothing answers.
func TryHTTP(ctx context.Context, c Connect) Probe {
	p := Probe{}
	w := &witness{token: c.Token}
	client := &http.Client{
		Transport: w,
		// The token is for this address alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	p.talk(ctx, Start{Version: c.Version, Protocol: c.Protocol}, &sdk.StreamableClientTransport{
		Endpoint: c.URL, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true,
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	p.Status, p.Refusal, p.Code = w.status, w.refusal, w.code
	if p.Failed != "" && !w.answered {
		p.Failed = "connect"
		if w.err != nil && ctx.Err() == nil {
			p.Err = w.err
		}
	}
	return p
}

// maxRefusal is how much of an answer that refuses is read.
const maxRefusal = 4096

// witness shows the token and keeps what a refusal says: the SDK's error has the status alone.
type witness struct {
	token string

	mu       sync.Mutex
	answered bool
	err      error
	status   int
	refusal  string
	code     int64
}

// RoundTrip is the transport's.
func (w *witness) RoundTrip(r *http.Request) (*http.Response, error) {
	if w.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	if r.Method == http.MethodDelete {
		// The end of the session, which the probe's limit does not reach.
		ctx, stop := context.WithTimeout(r.Context(), endTime)
		defer stop()
		r = r.WithContext(ctx)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.err = err
		return nil, err
	}
	w.answered = true
	if r.Method == http.MethodPost && response.StatusCode >= http.StatusMultipleChoices && w.status == 0 {
		text, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
		_ = response.Body.Close()
		response.Body = io.NopCloser(bytes.NewReader(text))
		w.status = response.StatusCode
		w.refusal, w.code = refusalOf(text)
		if w.token != "" {
			w.refusal = strings.ReplaceAll(w.refusal, w.token, "***")
		}
	}
	return response, nil
}

// refusalOf is the message of an answer, and its code when it is one of MCP.
func refusalOf(text []byte) (message string, code int64) {
	var answer struct {
		Error jsonrpc.Error `json:"error"`
	}
	if err := json.Unmarshal(text, &answer); err == nil && answer.Error.Code != 0 {
		return answer.Error.Message, answer.Error.Code
	}
	return short(strings.TrimSpace(string(text))), 0
}
