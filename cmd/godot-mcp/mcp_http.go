package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/mcp"
)

// httpFile tells the user's own programs how to reach a server: nobody else may read it.
type httpFile struct {
	URL     string `json:"url"`
	Token   string `json:"token"`
	PID     int    `json:"pid"`
	Started string `json:"started"`
}

// serveHTTP serves until it is told to end. Calls at work then have their time, so that this is no error.
func (a *app) serveHTTP(cmd *cobra.Command, s settings, server *mcp.Server) error {
	open, _ := cmd.Flags().GetBool("http-no-auth")
	token, made := s.authToken, false
	switch {
	case open && token != "":
		return noAuthButToken(s)
	case !mcp.IsLoopback(s.httpHost) && token == "":
		return bridge.Errorf(bridge.PreconditionFailed, "http_host",
			"%s can be reached from other machines, so clients must show a token that you choose: set GODOT_MCP_AUTH_TOKEN or auth_token in the user's file, or leave --http-host out; see what is set: godot-mcp config list", s.httpHost)
	case !open && token == "":
		token, made = rand.Text()+rand.Text(), true
	}
	l, err := server.ListenHTTP(s.httpHost, s.httpPort, token)
	if err != nil {
		return bridge.Errorf(bridge.PreconditionFailed, "http_port", "the port cannot be taken: %v; choose another, 0 for any that is free: godot-mcp mcp --transport http --http-port 0", err)
	}
	l.Projects = a.projects(cmd, s)
	says := "clients show the token from " + s.sourceOf(authTokenKey)
	switch {
	case open:
		says = "--http-no-auth: every program on this machine, of every user, can change the project and run its code through this port"
	case made:
		file, err := writeHTTPFile(l, token)
		if err != nil {
			_ = l.Close()
			return bridge.Errorf(bridge.PreconditionFailed, "http_host", "the token's private file cannot be written: %v; mend that, or set GODOT_MCP_AUTH_TOKEN: godot-mcp mcp --transport http", err)
		}
		defer removeHTTPFile(file, token)
		says = "the token that clients show is in " + file
	}
	fmt.Fprintf(a.err, "godot-mcp: MCP is served at %s\ngodot-mcp: %s\n", l.URL(), says)
	return l.Serve(cmd.Context())
}

// removeHTTPFile takes the file away, unless another server has it by now: one at the same port of another address.
func removeHTTPFile(file, token string) {
	var there httpFile
	if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &there) == nil && there.Token == token {
		_ = os.Remove(file)
	}
}

// projects are those that URLs may name. Each has its own link and is served as the first one is.
func (a *app) projects(cmd *cobra.Command, s settings) mcp.Projects {
	own := ""
	if s.editorPID == 0 {
		own, _ = bridge.FindProject(s.project) // "" outside a project
	}
	return mcp.Projects{
		Folder: func(named string) (string, error) {
			folder, err := bridge.OwnProject(named)
			if err == nil && own != "" && bridge.SameDir(own, folder) {
				return "", nil
			}
			return folder, err
		},
		Open: func(folder string) (*mcp.Server, error) {
			other, err := a.settingsOf(s, folder)
			if err != nil {
				return nil, err
			}
			return a.newServer(cmd, other)
		},
	}
}

func noAuthButToken(s settings) error {
	return usageError("http-no-auth", "--http-no-auth and a token (%s) exclude each other: godot-mcp config list", s.sourceOf(authTokenKey))
}

// httpFolder is where the user's servers say how they are reached, beside what the editors say; "" where no
// folder for that is known.
func httpFolder() string {
	registry := bridge.RegistryDir()
	if registry == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(registry), "http")
}

// writeHTTPFile puts the token where only the user can read it, beside what the user's editors say.
func writeHTTPFile(l *mcp.HTTP, token string) (string, error) {
	dir := httpFolder()
	if dir == "" {
		return "", fmt.Errorf("neither a runtime nor a cache folder is known")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	text, err := json.Marshal(httpFile{URL: l.URL(), Token: token, PID: os.Getpid(), Started: time.Now().UTC().Format(time.RFC3339)})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, fmt.Sprintf("%d.json", l.Port()))
	// Made anew, so that it is ours and private whatever was there.
	beside, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return "", err
	}
	_, err = beside.Write(append(text, '\n'))
	if closed := beside.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(beside.Name(), file)
	}
	if err != nil {
		_ = os.Remove(beside.Name())
	}
	return file, err
}
