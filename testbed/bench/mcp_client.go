package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// mcpServer is a running godot-mcp mcp, spoken to in plain lines: no client library is measured.
type mcpServer struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	id     int
}

const (
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	initialize = `"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}`
)

func (b *bench) startMCP(dir string, env []string, bin string, args ...string) (*mcpServer, error) {
	m := &mcpServer{cmd: exec.CommandContext(b.ctx, bin, append([]string{"mcp"}, args...)...)}
	m.cmd.Dir, m.cmd.Env, m.cmd.Stderr = dir, env, &m.stderr
	var err error
	if m.in, err = m.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	m.out = bufio.NewReaderSize(out, 1<<20)
	return m, m.cmd.Start()
}

// send writes a request; method is the rest of the message behind "method":.
func (m *mcpServer) send(method string) error {
	m.id++
	_, err := fmt.Fprintf(m.in, `{"jsonrpc":"2.0","id":%d,"method":%s}`+"\n", m.id, method)
	return err
}

func (m *mcpServer) receive() ([]byte, error) {
	line, err := m.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("godot-mcp mcp: %w: %s", err, m.stderr.String())
	}
	return line, nil
}

func (m *mcpServer) ask(method string) ([]byte, error) {
	if err := m.send(method); err != nil {
		return nil, err
	}
	return m.receive()
}

// begin is the handshake of a client of today.
func (m *mcpServer) begin() error {
	answer, err := m.ask(initialize)
	if err != nil {
		return err
	}
	if !bytes.Contains(answer, []byte(`"protocolVersion":"2025-11-25"`)) {
		return fmt.Errorf("initialize was answered with %.200s", answer)
	}
	_, err = io.WriteString(m.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return err
}

func (m *mcpServer) end() error {
	_ = m.in.Close()
	return m.cmd.Wait()
}

// rss is what a process holds in memory, in MB.
func rss(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(status), "\nVmRSS:")
	if !found {
		return 0, fmt.Errorf("/proc tells no VmRSS")
	}
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	return float64(kilobytes) / 1024, err
}

// listed is what a client reads of a tool, and what a model pays for.
type listed struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// listCost is the tools of a list in estimated tokens, four characters each, and their number.
func listCost(answer []byte) (tokens float64, tools int, err error) {
	var list struct{ Result struct{ Tools []listed } }
	if err := json.Unmarshal(answer, &list); err != nil {
		return 0, 0, err
	}
	for _, tool := range list.Result.Tools {
		text, err := json.Marshal(tool)
		if err != nil {
			return 0, 0, err
		}
		tokens += float64(len([]rune(string(text)))) / 4
	}
	return tokens, len(list.Result.Tools), nil
}

// measureList is what a client waits for and pays before its first call. No editor is needed.
func (b *bench) measureList(bin string) error {
	for _, set := range []struct {
		name   string
		most   float64
		tokens float64
	}{{"starter", 20, 5500}, {"all", 45, 0}} {
		var times, modern samples
		var answer []byte
		for range b.pick(100, 10) {
			took, list, err := b.startToList(bin, set.name, false)
			if err != nil {
				return err
			}
			times, answer = append(times, took), list
			if took, _, err = b.startToList(bin, set.name, true); err != nil {
				return err
			}
			modern = append(modern, took)
		}
		b.report.add(
			timed("none", "MCP start to list, "+set.name, times).atMost(set.most, 0),
			timed("none", "MCP start to list, "+set.name+", 2026-07-28", modern).atMost(set.most, 0))
		tokens, tools, err := listCost(answer)
		if err != nil {
			return err
		}
		if set.tokens > 0 {
			b.report.add(counted("none", fmt.Sprintf("list of %d tools, %s", tools, set.name), "tokens", tokens).atMost(set.tokens, 0))
		} else {
			b.report.add(counted("none", fmt.Sprintf("list of %d tools, %s, each", tools, set.name), "tokens", tokens/float64(tools)).atMost(145, 0))
		}
		b.report.add(counted("none", "list on the wire, "+set.name, "KB", float64(len(answer))/1024))
	}
	return nil
}

// counted makes a row of one value.
func counted(mode, name, unit string, value float64) row {
	return row{Mode: mode, Name: name, Unit: unit, P50: value, P99: value, Max: value, N: 1, OK: true}
}

func (b *bench) startToList(bin, set string, modern bool) (time.Duration, []byte, error) {
	begun := time.Now()
	m, err := b.startMCP(b.dir, append(os.Environ(), "XDG_CONFIG_HOME="+b.dir), bin, "--toolsets", set)
	if err != nil {
		return 0, nil, err
	}
	list := `"tools/list"`
	if modern {
		list += `,"params":{` + modernMeta + `}`
	} else if err := m.begin(); err != nil {
		return 0, nil, err
	}
	answer, err := m.ask(list)
	took := time.Since(begun)
	if err != nil {
		return 0, nil, err
	}
	if !bytes.Contains(answer, []byte(`"tools":[{`)) {
		return 0, nil, fmt.Errorf("tools/list was answered with %.200s", answer)
	}
	return took, answer, m.end()
}
