package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// post takes the message in the body.
func (h visit) post(w http.ResponseWriter, r *http.Request, newer bool) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		refuseHTTP(w, http.StatusUnsupportedMediaType, "Content-Type must be application/json")
		return
	}
	x := newExchange(w, accepts(r))
	x.newer = newer
	if !x.accepts.json && !x.accepts.stream {
		refuseHTTP(w, http.StatusNotAcceptable, "Accept must have application/json, text/event-stream or both")
		return
	}
	body, status, err := readBody(w, r)
	if err != nil {
		refuseHTTP(w, status, err.Error())
		return
	}
	if newer {
		h.exchange(r, x, body)
		return
	}
	h.postToSession(w, r, x, body)
}

func readBody(w http.ResponseWriter, r *http.Request) (body []byte, status int, err error) {
	body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, bridge.MaxMessage))
	if err == nil {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	}
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return nil, http.StatusRequestEntityTooLarge, fmt.Errorf("the body has more than %d bytes", tooLong.Limit)
	case err != nil:
		return nil, http.StatusBadRequest, fmt.Errorf("the body cannot be read: %w", err)
	case len(body) == 0:
		return nil, http.StatusBadRequest, errors.New("the body is empty")
	}
	return body, 0, nil
}

// exchange answers one request of a newer client, which stands for itself. That the client goes away cancels
// it.
func (h visit) exchange(r *http.Request, x *httpExchange, body []byte) {
	ctx, stop := context.WithCancelCause(r.Context())
	p := h.server.newPipe(x)
	p.era.stateless = true
	if problem, id := misheaded(r.Header, body, x.accepts); problem != nil {
		p.refuse(origin{to: x}, id, problem)
	} else {
		p.take(ctx, body, x)
	}
	defer context.AfterFunc(h.closing, func() { p.endLasting(ctx) })()
	x.wait(ctx, h.keepAlive)
	// The client has its answer and need not wait until the SDK's session is gone.
	h.leaving.Go(func() { p.close(stop) })
}

// misheaded is what is wrong with the headers of a newer message. What is no message at all is left to the
// pipe.
func misheaded(header http.Header, body []byte, a accepted) (problem *jsonrpc.Error, id any) {
	message, err := jsonrpc.DecodeMessage(body)
	request, ok := message.(*jsonrpc.Request)
	switch {
	case err != nil:
		return nil, nil
	case !ok:
		return invalidRequest("this revision asks the client nothing, so nothing is answered"), nil
	case request.ID.IsValid():
		id = request.ID.Raw()
	}
	meta, problem := readMeta(request)
	if problem == nil {
		problem = checkHeaders(header, request, meta)
	}
	if problem == nil && lasts(request.Method) && !a.stream {
		problem = invalidRequest("%s is answered by a stream: Accept must have text/event-stream", request.Method)
	}
	return problem, id
}

// endLasting has what lasts until it is cancelled end with its result.
func (p *pipe) endLasting(ctx context.Context) {
	for id, s := range p.calls.lasting() {
		params, _ := json.Marshal(map[string]any{"requestId": id.Raw()}) // a string or a number
		s.receive(ctx, &jsonrpc.Request{Method: "notifications/cancelled", Params: params})
	}
}
