package mcp

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Since this revision each request says its revision in _meta, nothing is initialized, and the list of
// tools may not change by a call.
const statelessSince = "2026-07-28"

// NewestRevision is the newest revision that is served.
const NewestRevision = "2026-07-28"

// Until before this revision several messages may come in one array.
const batchesUntil = "2025-06-18"

// Names in a request's _meta.
const (
	metaProtocol = "io.modelcontextprotocol/protocolVersion"
	metaLogLevel = "io.modelcontextprotocol/logLevel"
)

var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// requestMeta is as much of a request's _meta as decides where it goes.
type requestMeta struct {
	Version  json.RawMessage `json:"io.modelcontextprotocol/protocolVersion"`
	LogLevel json.RawMessage `json:"io.modelcontextprotocol/logLevel"`
	Token    json.RawMessage `json:"progressToken"`

	version string
}

func (m requestMeta) modern() bool { return m.version >= statelessSince }

// readMeta reads what a request says of itself, and refuses what it cannot mean.
func readMeta(request *jsonrpc.Request) (requestMeta, *jsonrpc.Error) {
	var params struct {
		Meta requestMeta `json:"_meta"`
	}
	if len(request.Params) == 0 {
		return params.Meta, nil
	}
	if json.Unmarshal(request.Params, &params) != nil {
		return params.Meta, invalidParams("params must be an object, and its _meta one")
	}
	meta := params.Meta
	if meta.Version == nil {
		return meta, nil
	}
	if json.Unmarshal(meta.Version, &meta.version) != nil || meta.version == "" {
		return meta, invalidParams("_meta %s must be a text such as %q", metaProtocol, statelessSince)
	}
	var level string
	if meta.LogLevel != nil && (json.Unmarshal(meta.LogLevel, &level) != nil || !slices.Contains(logLevels, level)) {
		return meta, invalidParams("_meta %s must be one of %s", metaLogLevel, strings.Join(logLevels, ", "))
	}
	return meta, nil
}

// era is what initialize has settled for requests that bring no revision of their own.
type era struct {
	// served are the revisions, newest first.
	served []string
	// stateless says that nothing is initialized here, whatever is served elsewhere.
	stateless bool

	mu          sync.Mutex
	initialized bool
	// revision was agreed on; empty until initialize was answered.
	revision string
}

// check refuses a request whose revision is not served or not known.
func (e *era) check(request *jsonrpc.Request, meta requestMeta, in *batch) *jsonrpc.Error {
	e.mu.Lock()
	defer e.mu.Unlock()
	older := servesOlder(e.served) && !e.stateless
	switch {
	case meta.modern() && slices.Contains(e.served, meta.version):
		return nil
	case request.Method == "initialize" && !meta.modern() && !servesOlder(e.served):
		return unsupported(askedFor(request), e.served)
	case request.Method == "initialize" && !meta.modern() && older:
		if e.initialized || in != nil {
			return invalidRequest("initialize comes once, before everything else, and by itself")
		}
		e.initialized = true
		return nil
	case meta.version != "":
		return unsupported(meta.version, e.served)
	case older && (e.initialized || request.Method == "ping"):
		return nil
	}
	return invalidParams("_meta %s is missing, and nothing was initialized", metaProtocol)
}

// servesOlder is true where initialize is.
func servesOlder(revisions []string) bool {
	return slices.ContainsFunc(revisions, func(v string) bool { return v < statelessSince })
}

// askedFor is the revision that initialize asks for.
func askedFor(request *jsonrpc.Request) string {
	var params struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(request.Params, &params)
	return params.ProtocolVersion
}

// unsupported names the revisions that the client can turn to.
func unsupported(requested string, served []string) *jsonrpc.Error {
	message := "unsupported protocol version"
	supported := slices.Clone(served)
	if slices.Contains(supported, requested) {
		message += " in _meta: it begins with initialize"
		supported = slices.DeleteFunc(supported, func(v string) bool { return v < statelessSince })
	}
	data, _ := json.Marshal(map[string]any{"supported": supported, "requested": requested})
	return &jsonrpc.Error{Code: sdk.CodeUnsupportedProtocolVersion, Message: message, Data: data}
}

// answered takes the agreed revision from the answer of initialize.
func (e *era) answered(method string, response *jsonrpc.Response) {
	if method != "initialize" {
		return
	}
	var result struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(response.Result, &result) // an error has none
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.revision == "" {
		e.revision, e.initialized = result.ProtocolVersion, response.Error == nil
	}
}

// agreed is true once initialize was answered well.
func (e *era) agreed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.revision != ""
}

func (e *era) hasBatches() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.revision != "" && e.revision < batchesUntil
}
