package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// Keys of ours in the _meta of a request, and of a result.
const (
	metaContract    = "dev.godot-mcp/contract"
	metaRequestKey  = "dev.godot-mcp/request_key"
	metaMaxChars    = "dev.godot-mcp/max_chars"
	metaProjectText = "dev.godot-mcp/project_text"

	metaClientInfo = "io.modelcontextprotocol/clientInfo"
)

// unknownTool says what to call instead: the tool that was meant, or the one that finds it.
func unknownTool(table *commands.Table, name string) error {
	message := "unknown tool " + name + ";"
	if meant, _ := table.Lookup(table.Nearest(name)); meant != nil {
		message = "unknown tool " + name + ", did you mean " + meant.MCPName() + "?"
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message + " godot_tool_search finds a tool by what is to be done"}
}

// callTool answers calls of all tools of the table. A name that no tool has is the protocol's error.
func (s *Server) callTool(ctx context.Context, request *sdk.CallToolRequest) (sdk.Result, error) {
	tool, older := s.dispatcher.Table.Lookup(request.Params.Name)
	if tool == nil {
		return nil, unknownTool(s.dispatcher.Table, request.Params.Name)
	}
	result := &callResult{modern: modern(request.Params.Meta)}
	if tool.HasProjectText() {
		result.Meta = sdk.Meta{metaProjectText: true}
	}
	answer, shown, err := s.call(ctx, request)
	if asks := (*inputRequired)(nil); errors.As(err, &asks) {
		return &inputResult{asks: asks}, nil
	}
	if err == nil && shown {
		return s.showContent(answer, request)
	}
	if err != nil {
		result.text, result.isError = s.failed(err), true
	} else {
		result.text = string(answer)
		// Clients of the older server read the first text as JSON.
		result.fenced = tool.HasProjectText() && !older && !s.dispatcher.Env.Legacy
		if notice := s.dispatcher.Env.Notice(); notice != "" {
			result.note = "note: " + asCall(s.dispatcher.Table, notice)
		}
	}
	return result, nil
}

// call is the answer, and whether it is content to be shown.
func (s *Server) call(ctx context.Context, request *sdk.CallToolRequest) (answer json.RawMessage, shown bool, err error) {
	call, err := s.readCall(request.Params)
	if err != nil {
		return nil, false, err
	}
	if modern(request.Params.Meta) {
		ctx = commands.WithFixedLists(ctx)
	}
	if token := request.Params.GetProgressToken(); token != nil {
		call.OnProgress = teller(ctx, request.Session, token)
	}
	call.Client, call.StepAside = clientOf(request.Params.Meta, request.Session), turnOf(ctx)
	return s.carryOut(commands.WithAsker(ctx, s.asker(request)), call)
}

// clientOf is the client's name and version, by its own word.
func clientOf(meta sdk.Meta, session *sdk.ServerSession) string {
	var info struct{ Name, Version string }
	if given, ok := meta[metaClientInfo]; ok {
		text, _ := json.Marshal(given)  // it came as JSON
		_ = json.Unmarshal(text, &info) // another shape names nobody
	} else if p := session.InitializeParams(); p != nil && p.ClientInfo != nil {
		info.Name, info.Version = p.ClientInfo.Name, p.ClientInfo.Version
	}
	return strings.TrimSpace(info.Name + " " + info.Version)
}

// readCall is the call with what _meta says about it.
func (s *Server) readCall(params *sdk.CallToolParamsRaw) (commands.Call, error) {
	call, err := s.readCallMeta(params.Meta)
	call.Tool, call.Arguments = params.Name, params.Arguments
	return call, err
}

// readCallMeta is what _meta says about a call.
func (s *Server) readCallMeta(meta sdk.Meta) (commands.Call, error) {
	call := commands.Call{MaxChars: s.MaxChars}
	if k, ok := meta[metaContract].(float64); ok {
		call.Contract = int(k)
	}
	if key, ok := meta[metaRequestKey].(string); ok {
		call.Key = key
	}
	if given, ok := meta[metaMaxChars]; ok {
		n, isNumber := given.(float64)
		if !isNumber || n < 0 || n != float64(int(n)) {
			return call, bridge.Errorf(bridge.ValidationError, "max_chars", "_meta %s must be a whole number of characters, 0 for no limit", metaMaxChars)
		}
		call.MaxChars = int(n)
	}
	return call, nil
}

// carryOut turns a panic into an error result of this call.
func (s *Server) carryOut(ctx context.Context, call commands.Call) (result json.RawMessage, shown bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a call panicked", "tool", call.Tool, "panic", p, "stack", string(debug.Stack()))
			err = bridge.Errorf(bridge.InternalError, "", "%s stopped: %v; please report it: godot-mcp health-check", call.Tool, p)
		}
	}()
	running := s.dispatcher.Start(ctx, call)
	if call.StepAside != nil {
		call.StepAside() // it is on its way to the editor, or never goes there
	}
	result, err = running.Wait()
	return result, running.ShowsContent(), err
}

// teller sends progress that grows, as the protocol wants it.
func teller(ctx context.Context, session *sdk.ServerSession, token any) func(bridge.Progress) {
	var telling sync.Mutex
	last := -1.0
	return func(p bridge.Progress) {
		telling.Lock()
		defer telling.Unlock()
		switch {
		case p.Total == 0 && p.Progress <= last: // words alone
			p.Progress = last + 1
		case p.Progress <= last:
			return
		}
		last = p.Progress
		_ = session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: p.Progress, Total: p.Total, Message: p.Message,
		})
	}
}

// failed is the contract's form of an error: "<CODE>: <hint> [required=x]".
func (s *Server) failed(err error) string {
	e := *bridge.AsError(err)
	e.Hint = asCall(s.dispatcher.Table, e.Hint)
	return strings.ToValidUTF8(e.Error(), "�")
}
