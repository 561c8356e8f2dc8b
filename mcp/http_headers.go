package mcp

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Headers of MCP.
const (
	headerRevision = "Mcp-Protocol-Version"
	headerMethod   = "Mcp-Method"
	headerName     = "Mcp-Name"
	headerSession  = "Mcp-Session-Id"
)

func headerMismatch(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: sdk.CodeHeaderMismatch, Message: fmt.Sprintf(format, args...)}
}

// checkHeaders compares what a newer request's headers say with its body. Go SDK 1.8.0 compares names before
// it has decoded them.
func checkHeaders(h http.Header, request *jsonrpc.Request, meta requestMeta) *jsonrpc.Error {
	if err := onceEach(h, headerRevision, headerMethod, headerName); err != nil {
		return err
	}
	revision := h.Get(headerRevision)
	switch {
	case request.ID.IsValid() && meta.version == "":
		return nil // which is refused for itself
	case revision == "":
		return headerMismatch("the header %s is missing", headerRevision)
	case meta.version != "" && revision != meta.version:
		return headerMismatch("the header %s says %q, _meta says %q", headerRevision, revision, meta.version)
	case h.Get(headerMethod) != request.Method:
		return headerMismatch("the header %s says %q, the method is %q", headerMethod, h.Get(headerMethod), request.Method)
	}
	field, named := namedBy[request.Method]
	if !named {
		return nil
	}
	said, ok := decodeHeader(h.Get(headerName))
	if name := textIn(request.Params, field); !ok || h.Get(headerName) == "" || said != name {
		return headerMismatch("the header %s says %q, %s is %q", headerName, h.Get(headerName), field, name)
	}
	return nil
}

// namedBy are the methods that have a Mcp-Name header, with the parameter that it repeats.
var namedBy = map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

// onceEach refuses headers that say two things.
func onceEach(h http.Header, names ...string) *jsonrpc.Error {
	for _, name := range names {
		if len(h.Values(name)) > 1 {
			return headerMismatch("the header %s is there twice", name)
		}
	}
	return nil
}

// decodeHeader is the text that a header value stands for: as it is, or base64 of what no header can hold.
func decodeHeader(value string) (string, bool) {
	encoded, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value, true
	}
	if encoded, ok = strings.CutSuffix(encoded, "?="); !ok {
		return value, true
	}
	text, err := base64.StdEncoding.DecodeString(encoded)
	return string(text), err == nil
}

// textIn is the parameter's text, "" where it is none.
func textIn(params json.RawMessage, field string) string {
	var fields map[string]json.RawMessage
	var text string
	if json.Unmarshal(params, &fields) == nil {
		_ = json.Unmarshal(fields[field], &text)
	}
	return text
}
