package testbed

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// served is a server on HTTP for the project of an editor.
type served struct{ url, token string }

// serveHTTP starts the server, and ends it with the test.
func serveHTTP(t *testing.T, e *Editor, args ...string) served {
	t.Helper()
	s, says := startHTTP(t, e, args...)
	var told struct{ Token string }
	if text, err := os.ReadFile(says("the token that clients show is in ")); err != nil || json.Unmarshal(text, &told) != nil {
		t.Fatalf("the token: %v", err)
	}
	s.token = told.Token
	return s
}

// serveOpenly asks for no token, for clients that have no place for one.
func serveOpenly(t *testing.T, e *Editor) string {
	t.Helper()
	s, says := startHTTP(t, e, "--http-no-auth")
	says("--http-no-auth: every program on this machine")
	return s.url
}

// startHTTP starts the server; says reads what its next line has behind some words.
func startHTTP(t *testing.T, e *Editor, args ...string) (s served, says func(before string) string) {
	t.Helper()
	cmd := exec.Command(e.Bin, append([]string{"mcp", "--transport", "http", "--http-port", "0"}, args...)...)
	cmd.Dir, cmd.Env = e.Project, e.Env
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		for lines.Scan() {
			t.Errorf("the server says %q", lines.Text())
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	says = func(before string) string {
		t.Helper()
		lines.Scan()
		_, text, found := strings.Cut(lines.Text(), before)
		if !found {
			t.Fatalf("the server says %q", lines.Text())
		}
		return text
	}
	return served{url: says("MCP is served at ")}, says
}

// with is the editor's environment for a client of this server.
func (s served) with(e *Editor) *Editor {
	its := *e
	its.Env = append(append([]string{}, e.Env...), "TOKEN="+s.token)
	return &its
}

// RoundTrip shows the token, for Go's client.
func (s served) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return http.DefaultTransport.RoundTrip(r)
}

// TestTypeScriptClientsOverHTTP: the same steps as over standard input and output.
func TestTypeScriptClientsOverHTTP(t *testing.T) {
	folder, node := clientFolder(t)
	e := clientProject(t)
	for name, program := range map[string][]string{
		"v1":        {"v1.mjs"},
		"v2_legacy": {"v2.mjs", "legacy"},
		"v2_auto":   {"v2.mjs", "auto"},
		"v2_modern": {"v2.mjs", "modern"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveHTTP(t, e)
			args := append([]string{filepath.Join(folder, program[0]), s.url}, program[1:]...)
			if out, err := s.with(e).run(t, node, args...); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestOlderClientMeetsOneRevision: a client that knows the older revisions alone is told which one is served.
func TestOlderClientMeetsOneRevision(t *testing.T) {
	folder, node := clientFolder(t)
	e := clientProject(t)
	s := serveHTTP(t, e, "--protocol", "2026-07-28")
	for _, server := range []string{e.Bin, s.url} {
		if out, err := s.with(e).run(t, node, filepath.Join(folder, "v1.mjs"), server, "refused"); err != nil {
			t.Errorf("%s: %v\n%s", server, err, out)
		}
	}
}

// TestGoClientOverHTTP: the Go SDK's own client.
func TestGoClientOverHTTP(t *testing.T) {
	e := clientProject(t)
	for _, revision := range []string{"2026-07-28", "2025-11-25", "2025-03-26"} {
		t.Run(revision, func(t *testing.T) {
			s := serveHTTP(t, e)
			client, told := newGoClient()
			opened, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{
				Endpoint: s.url, HTTPClient: &http.Client{Transport: s},
			}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			defer opened.Close()
			goClient{t, session{opened}}.steps(told)
		})
	}
}

// TestPythonClient: the Python client, in all its modes, over both transports.
func TestPythonClient(t *testing.T) {
	python := pythonClient(t)
	program := filepath.Join(Root(), "testbed", "clients", "python_client.py")
	e := clientProject(t)
	for _, mode := range []string{"legacy", "auto", "2026-07-28"} {
		t.Run("stdio_"+mode, func(t *testing.T) {
			if out, err := e.run(t, python, program, e.Bin, mode); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
		t.Run("http_"+mode, func(t *testing.T) {
			s := serveHTTP(t, e)
			if out, err := s.with(e).run(t, python, program, s.url, mode); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// pythonClient is the Python that has the pinned client.
func pythonClient(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(Root(), "testbed")
	cmd := exec.Command(filepath.Join(folder, "install-venv.sh"), "mcp-python", filepath.Join(folder, "clients", "requirements.txt"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the Python client cannot be installed: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "python")
}
