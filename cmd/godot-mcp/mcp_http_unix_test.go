//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// httpServer is the built binary that serves over HTTP.
type httpServer struct {
	cmd    *exec.Cmd
	url    string
	says   string
	stderr *bufio.Reader
}

var servedAt = regexp.MustCompile(`^godot-mcp: MCP is served at (http://\S+/mcp)\n$`)

func startHTTP(t *testing.T, ed *bridgetest.Editor, env []string, args ...string) *httpServer {
	t.Helper()
	s := &httpServer{cmd: command(t, ed, append([]string{"mcp", "--transport", "http", "--http-port", "0"}, args...)...)}
	s.cmd.Env = append(s.cmd.Env, env...)
	stderr, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.stderr = bufio.NewReader(stderr)
	first, _ := s.stderr.ReadString('\n')
	found := servedAt.FindStringSubmatch(first)
	if found == nil {
		t.Fatalf("it says %q", first)
	}
	s.url = found[1]
	if s.says, err = s.stderr.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return s
}

// list is the status that tools/list gets with this token.
func (s *httpServer) list(t *testing.T, token string) int {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequest("POST", s.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list",
	} {
		r.Header.Set(name, value)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// end sends what a service manager sends.
func (s *httpServer) end(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(s.stderr)
	if err := s.cmd.Wait(); err != nil || len(rest) > 0 {
		t.Errorf("the server ended with %v and said %q", err, rest)
	}
}

// Each start has a token of its own, in a file that nobody else can read and that goes with the server.
func TestHTTPTokenIsOfTheStart(t *testing.T) {
	ed := bridgetest.New(t)
	tokens := map[string]bool{}
	for range 2 {
		s := startHTTP(t, ed, nil)
		file := strings.TrimSpace(strings.TrimPrefix(s.says, "godot-mcp: the token that clients show is in "))
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("%q: %v, %v", s.says, info, err)
		}
		if dir, err := os.Stat(filepath.Dir(file)); err != nil || dir.Mode().Perm() != 0o700 {
			t.Errorf("its folder: %v, %v", dir, err)
		}
		text, err := os.ReadFile(file)
		var told httpFile
		if err == nil {
			err = json.Unmarshal(text, &told)
		}
		if err != nil || told.URL != s.url || told.PID != s.cmd.Process.Pid || len(told.Token) < 32 {
			t.Fatalf("%+v, %v", told, err)
		}
		if got := s.list(t, told.Token); got != 200 {
			t.Errorf("its token got %d", got)
		}
		for token := range tokens {
			if got := s.list(t, token); got != 401 {
				t.Errorf("the token of another start got %d", got)
			}
		}
		if got := s.list(t, ""); got != 401 {
			t.Errorf("no token got %d", got)
		}
		tokens[told.Token] = true
		s.end(t)
		if _, err := os.Stat(file); !os.IsNotExist(err) {
			t.Errorf("the file is left: %v", err)
		}
	}
	if len(tokens) != 2 {
		t.Error("two starts had the same token")
	}
}

func TestHTTPTokenOfTheUser(t *testing.T) {
	ed := bridgetest.New(t)
	const mine = "a-token-of-my-own"
	s := startHTTP(t, ed, []string{"GODOT_MCP_AUTH_TOKEN=" + mine})
	if !strings.Contains(s.says, "environment GODOT_MCP_AUTH_TOKEN") || strings.Contains(s.says, mine) {
		t.Errorf("it says %q", s.says)
	}
	if right, wrong := s.list(t, mine), s.list(t, mine+"s"); right != 200 || wrong != 401 {
		t.Errorf("got %d and %d", right, wrong)
	}
	s.end(t)
	open := startHTTP(t, ed, nil, "--http-no-auth")
	if !strings.Contains(open.says, "every program on this machine") {
		t.Errorf("it says %q", open.says)
	}
	if got := open.list(t, ""); got != 200 {
		t.Errorf("got %d", got)
	}
	open.end(t)
}

// What would let strangers in does not start, and no token is ever shown.
func TestHTTPRefusesToServe(t *testing.T) {
	ed := bridgetest.New(t)
	taken := startHTTP(t, ed, nil)
	port := regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(taken.url)[1]
	for name, c := range map[string]struct {
		env            []string
		args           []string
		code, required string
	}{
		"other machines":         {nil, []string{"--http-host", "0.0.0.0"}, "PRECONDITION_FAILED", "http_host"},
		"other machines, open":   {nil, []string{"--http-host", "0.0.0.0", "--http-no-auth"}, "PRECONDITION_FAILED", "http_host"},
		"every address":          {[]string{"GODOT_MCP_HTTP_HOST=::"}, nil, "PRECONDITION_FAILED", "http_host"},
		"open and a token":       {[]string{"GODOT_MCP_AUTH_TOKEN=a-token-of-my-own"}, []string{"--http-no-auth"}, "VALIDATION_ERROR", "http-no-auth"},
		"short token":            {[]string{"GODOT_MCP_AUTH_TOKEN=secret"}, nil, "VALIDATION_ERROR", "auth_token"},
		"token of two words":     {[]string{"GODOT_MCP_AUTH_TOKEN=secret of two or three words"}, nil, "VALIDATION_ERROR", "auth_token"},
		"port that is none":      {nil, []string{"--http-port", "70000"}, "VALIDATION_ERROR", "http_port"},
		"port that is taken":     {nil, []string{"--http-port", port}, "PRECONDITION_FAILED", "http_port"},
		"transport that is none": {[]string{"GODOT_MCP_TRANSPORT=pigeon"}, []string{"--transport", "pigeon"}, "VALIDATION_ERROR", "transport"},
		"revision that is none":  {nil, []string{"--protocol", "2025-11-25"}, "VALIDATION_ERROR", "protocol"},
	} {
		cmd := command(t, ed, append([]string{"mcp", "--transport", "http"}, c.args...)...)
		cmd.Env = append(cmd.Env, c.env...)
		out, err := cmd.CombinedOutput()
		e, problem := envelope(string(out))
		if err == nil || problem != nil || e.Code != bridge.Code(c.code) || e.Required != c.required {
			t.Errorf("%s: %v, %s", name, err, out)
		}
		if strings.Contains(string(out), "secret") {
			t.Errorf("%s: it says %s", name, out)
		}
	}
	taken.end(t)
}
