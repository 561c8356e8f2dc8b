package mcp

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// errGone is the error of a message to an HTTP request that has ended.
var errGone = errors.New("the HTTP request has ended")

// httpExchange is one HTTP request and what is sent in answer to it: one JSON message where that is all there is,
// else a stream of events.
type httpExchange struct {
	w       http.ResponseWriter
	accepts accepted
	// newer says that errors have an HTTP status of their own.
	newer bool
	// session is told to the client with an answer that is no error.
	session string

	mu        sync.Mutex
	streaming bool
	ended     bool
	done      chan struct{}
}

func newExchange(w http.ResponseWriter, a accepted) *httpExchange {
	return &httpExchange{w: w, accepts: a, done: make(chan struct{})}
}

// send writes a message. What comes before the answer is left out where the client takes no stream. The only
// error is errGone: that one client does not read is no fault of its session.
func (x *httpExchange) send(m outgoing) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return errGone
	}
	var err error
	switch {
	case m.text == nil && !x.streaming:
		x.w.WriteHeader(http.StatusAccepted)
	case m.text == nil:
	case m.answer && !x.streaming && x.accepts.json:
		err = x.writeJSON(m)
	case x.accepts.stream:
		err = x.writeEvent("event: message\ndata: ", m.text)
	}
	if m.answer || err != nil {
		x.finish()
	}
	if err != nil {
		return errGone
	}
	return nil
}

func (x *httpExchange) writeJSON(m outgoing) error {
	if x.session != "" && m.code == 0 {
		x.w.Header().Set(headerSession, x.session)
	}
	header := x.w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(m.text)))
	header.Set("Cache-Control", "no-store")
	x.w.WriteHeader(x.status(m.code))
	return x.write(m.text)
}

// write gives the client its time to take something. The connection may serve other requests later, so that
// the limit must not stay with it.
func (x *httpExchange) write(text []byte) error {
	control := http.NewResponseController(x.w)
	_ = control.SetWriteDeadline(time.Now().Add(bodyTime))
	_, err := x.w.Write(text)
	if err == nil {
		err = control.Flush()
	}
	_ = control.SetWriteDeadline(time.Time{})
	return err
}

// status of an error, as the newer revision has it; the older ones know none for a message that was read.
func (x *httpExchange) status(code int64) int {
	switch code {
	case jsonrpc.CodeParseError, jsonrpc.CodeInvalidRequest, sdk.CodeHeaderMismatch, sdk.CodeUnsupportedProtocolVersion:
		return http.StatusBadRequest
	case jsonrpc.CodeMethodNotFound:
		if x.newer {
			return http.StatusNotFound
		}
	case jsonrpc.CodeInvalidParams, sdk.CodeMissingRequiredClientCapabilities:
		if x.newer {
			return http.StatusBadRequest
		}
	}
	return http.StatusOK
}

// writeEvent begins the stream when it has to.
func (x *httpExchange) writeEvent(before string, text []byte) error {
	if !x.streaming {
		x.streaming = true
		header := x.w.Header()
		if x.session != "" {
			header.Set(headerSession, x.session)
		}
		header.Set("Content-Type", "text/event-stream")
		header.Set("Cache-Control", "no-cache, no-transform")
		header.Set("X-Accel-Buffering", "no") // a proxy that gathers events would hold them back
		x.w.WriteHeader(http.StatusOK)
	}
	event := make([]byte, 0, len(before)+len(text)+2)
	event = append(append(append(event, before...), text...), "\n\n"...)
	return x.write(event)
}

func (x *httpExchange) finish() {
	if !x.ended {
		x.ended = true
		close(x.done)
	}
}

// comment keeps the stream open while there is nothing to say.
func (x *httpExchange) comment() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.ended && x.accepts.stream && x.writeEvent(":", nil) != nil {
		x.finish()
	}
}

// wait blocks until the answer was sent or ctx is done. Nothing is written afterwards.
func (x *httpExchange) wait(ctx context.Context, keepAlive time.Duration) {
	ticker := time.NewTicker(keepAlive)
	defer ticker.Stop()
	for {
		select {
		case <-x.done:
			return
		case <-ticker.C:
			x.comment()
		case <-ctx.Done():
			x.mu.Lock()
			x.finish()
			x.mu.Unlock()
			return
		}
	}
}

type outletKey struct{}

// outletName is where the outlet of a request stands in what the SDK hands on with it.
const outletName = "outlet"

// carry sends the outlet along with a request, through the SDK.
func carry(to outlet) *sdk.RequestExtra {
	return &sdk.RequestExtra{TokenInfo: &auth.TokenInfo{Extra: map[string]any{outletName: to}}}
}

// routed lets what comes of a request, such as progress or a question to the client, find its outlet.
func (s *Server) routed(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		if extra := request.GetExtra(); extra != nil && extra.TokenInfo != nil {
			ctx = context.WithValue(ctx, outletKey{}, extra.TokenInfo.Extra[outletName])
		}
		return next(ctx, method, request)
	}
}

// carried is the outlet of the request that ctx belongs to, nil where there is one for all.
func carried(ctx context.Context) outlet {
	to, _ := ctx.Value(outletKey{}).(outlet)
	return to
}
