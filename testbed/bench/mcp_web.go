package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// mcpWeb is a running godot-mcp mcp on HTTP, spoken to in plain requests over one connection that is kept.
type mcpWeb struct {
	cmd     *exec.Cmd
	url     string
	headers map[string]string
	id      int
}

// startWeb serves without a token: what it costs to compare one is not measured.
func (b *bench) startWeb(dir string, env []string, bin string) (*mcpWeb, error) {
	w := &mcpWeb{cmd: exec.CommandContext(b.ctx, bin, "mcp", "--transport", "http", "--http-port", "0", "--http-no-auth")}
	w.cmd.Dir, w.cmd.Env = dir, env
	stderr, err := w.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stderr).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), "served at ")
	if err != nil || !found {
		return nil, fmt.Errorf("godot-mcp mcp says %q: %w", line, err)
	}
	w.url = url
	w.headers = map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	return w, nil
}

func (w *mcpWeb) ask(method string) ([]byte, error) {
	w.id++
	answer, _, err := w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%s}`, w.id, method))
	return answer, err
}

func (w *mcpWeb) post(body string) ([]byte, http.Header, error) {
	r, err := http.NewRequest(http.MethodPost, w.url, strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	for name, value := range w.headers {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("godot-mcp mcp: %s: %.300s", response.Status, answer)
	}
	return answer, response.Header, err
}

// begin makes the requests that follow those of the era; name is the tool that is called.
func (w *mcpWeb) begin(era, name string) error {
	if era == "2026-07-28" {
		w.headers["Mcp-Protocol-Version"], w.headers["Mcp-Method"], w.headers["Mcp-Name"] = era, "tools/call", name
		return nil
	}
	_, header, err := w.post(`{"jsonrpc":"2.0","id":0,"method":` + initialize + `}`)
	w.headers["Mcp-Protocol-Version"], w.headers["Mcp-Session-Id"] = era, header.Get("Mcp-Session-Id")
	if err == nil {
		_, _, err = w.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return err
}

func (w *mcpWeb) end() error {
	http.DefaultClient.CloseIdleConnections()
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	return w.cmd.Wait()
}
