package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

// Start is how a server is started for a probe.
type Start struct {
	Path string
	Args []string
	Env  []string
	Dir  string
	// Version is the prober's own.
	Version string
	// Protocol is the revision that the client asks for, "" for the newest.
	Protocol string
}

// Probe is what came of starting a server as a client does.
type Probe struct {
	// Failed is the step that did not succeed: start or connect, initialize, tools/list or get-server-info; "" when all
	// did, and Err what it met.
	Failed string
	Err    error
	// Took is the time until initialize was answered.
	Took      time.Duration
	Name      string
	Version   string
	Protocol  string
	ToolCount int
	// Info is the answer of get-server-info.
	Info ServerState
	// Noise is the first line on standard output that is no message of MCP.
	Noise string
	// Stderr is the end of what the server wrote there.
	Stderr string
	// Status is the first HTTP status that refused, 0 for none, Refusal what it said, and Code the error's when
	// that was a message of MCP.
	Status  int
	Refusal string
	Code    int64
}

// NoProject is true when the server does not serve the project that the address names.
func (p Probe) NoProject() bool {
	return p.Code == jsonrpc.CodeInvalidParams && (p.Status == http.StatusNotFound || p.Status == http.StatusBadRequest)
}

// ServerState is what a probe reads of get-server-info.
type ServerState struct {
	Version         string `json:"version"`
	ContractVersion int    `json:"contract_version"`
	VersionNotice   string `json:"version_notice"`
	Bridge          struct {
		Connected bool `json:"connected"`
	} `json:"bridge"`
}

// How long a server may take to end after its input has.
const endTime = 2 * time.Second

// Try starts a server, asks it for its tools and its state, and ends it. ctx is the time limit.
func Try(ctx context.Context, s Start) Probe {
	p := Probe{Failed: "start"}
	cmd := exec.Command(s.Path, s.Args...)
	cmd.Env, cmd.Dir = s.Env, s.Dir
	var stderr tail
	cmd.Stderr = &stderr
	// Output that a child of the server holds open must not hold up the end.
	cmd.WaitDelay = endTime
	in, inErr := cmd.StdinPipe()
	outRead, outWrite, outErr := os.Pipe()
	if p.Err = errors.Join(inErr, outErr); p.Err != nil {
		return p
	}
	cmd.Stdout = outWrite
	p.Err = cmd.Start()
	_ = outWrite.Close()
	defer func() { _ = outRead.Close() }()
	if p.Err != nil {
		return p
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	messages := &messagesOnly{from: bufio.NewReader(outRead)}
	p.talk(ctx, s, &sdk.IOTransport{Reader: messages, Writer: in})
	_ = in.Close()
	exit := end(cmd, ended)
	p.Noise, p.Stderr = messages.firstNoise(), stderr.text()
	switch {
	case p.Err == nil || ctx.Err() != nil:
	case exit != nil:
		p.Err = fmt.Errorf("it ended with %w", exit)
	case errors.Is(p.Err, sdk.ErrConnectionClosed):
		p.Err = fmt.Errorf("it ended without an answer")
	}
	return p
}

// end waits for the server, and kills it when it stays.
func end(cmd *exec.Cmd, ended chan error) error {
	limit := time.NewTimer(endTime)
	defer limit.Stop()
	select {
	case err := <-ended:
		return err
	case <-limit.C:
		_ = cmd.Process.Kill()
		<-ended
		return nil
	}
}

func (p *Probe) talk(ctx context.Context, s Start, transport sdk.Transport) {
	began := time.Now()
	p.Failed = "initialize"
	client := sdk.NewClient(&sdk.Implementation{Name: "godot-mcp-doctor", Version: s.Version}, nil)
	session, err := client.Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: s.Protocol})
	if err != nil {
		p.Err = inTime(ctx, err)
		return
	}
	defer func() { _ = session.Close() }()
	p.Took = time.Since(began)
	if r := session.InitializeResult(); r != nil {
		p.Protocol = r.ProtocolVersion
		if r.ServerInfo != nil {
			p.Name, p.Version = r.ServerInfo.Name, r.ServerInfo.Version
		}
	}
	p.Failed = "tools/list"
	for _, err := range session.Tools(ctx, nil) {
		if err != nil {
			p.Err = inTime(ctx, err)
			return
		}
		p.ToolCount++
	}
	p.Failed = "get-server-info"
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "godot_get_server_info", Arguments: json.RawMessage("{}")})
	if err == nil {
		err = decodeText(result, &p.Info)
	}
	if err != nil {
		p.Err = inTime(ctx, err)
		return
	}
	p.Failed = ""
}

func inTime(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("there was no answer in time")
	}
	return err
}

// decodeText reads a result as JSON: the structured content, or the text of a server that has none.
func decodeText(result *sdk.CallToolResult, into any) error {
	if len(result.Content) == 0 {
		return fmt.Errorf("the result is empty")
	}
	text, ok := result.Content[0].(*sdk.TextContent)
	if !ok {
		return fmt.Errorf("the result is no text")
	}
	if result.IsError {
		return errors.New(text.Text)
	}
	if result.StructuredContent == nil {
		return json.Unmarshal([]byte(text.Text), into)
	}
	structured, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(structured, into)
}

// messagesOnly passes lines that are JSON objects on and keeps the first other one: a program that prints
// something else ends the session in most clients.
type messagesOnly struct {
	from *bufio.Reader
	rest []byte

	mu    sync.Mutex
	noise string
}

func (m *messagesOnly) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := commands.ReadLine(m.from)
		if err != nil && !errors.Is(err, commands.ErrLineTooLong) {
			return 0, err
		}
		if trimmed := bytes.TrimSpace(line); err == nil && len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(trimmed) {
			m.rest = append(trimmed, '\n')
			continue
		}
		m.note(string(line), err)
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func (m *messagesOnly) note(line string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.noise != "":
	case err != nil:
		m.noise = "a line that is too long for a message"
	default:
		m.noise = short(line)
	}
}

// Close is the session's; the pipe belongs to the probe.
func (m *messagesOnly) Close() error { return nil }

func (m *messagesOnly) firstNoise() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.noise
}

// tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	last []byte
}

const tailSize = 600

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p...)
	t.last = t.last[max(0, len(t.last)-tailSize):]
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.last), "�"))
}

func short(text string) string {
	runes := []rune(strings.ToValidUTF8(text, "�"))
	return string(runes[:min(len(runes), 200)])
}

var _ io.ReadCloser = (*messagesOnly)(nil)
