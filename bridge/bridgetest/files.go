package bridgetest

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func newToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// writeFiles makes the project, the bridge file and the registry entry.
func (e *Editor) writeFiles(port int) error {
	told := e.token
	if e.cfg.wrongToken {
		told = newToken()
	}
	name := strconv.Itoa(e.cfg.pid) + ".json"
	e.info = bridge.Editor{
		Port: port, Token: bridge.NewToken(told), PID: e.cfg.pid, Started: e.cfg.started,
		ProjectPath: e.Project, GodotVersion: e.cfg.godot, AddonVersion: e.cfg.addon,
		ContractVersion: e.cfg.contract, Headless: e.cfg.headless,
		StartedBy: e.cfg.startedBy, Unsaved: e.cfg.unsaved,
		File: filepath.Join(e.Project, e.cfg.hidden, "godot_mcp_bridge", name),
	}
	if err := makeProject(e.Project); err != nil {
		return err
	}
	if err := WriteBridgeFile(e.info); err != nil {
		return err
	}
	if e.Runtime == "" {
		return nil
	}
	e.registry = filepath.Join(e.Registry(), name)
	return writePrivate(e.registry, map[string]any{
		"pid": e.info.PID, "project_path": e.info.ProjectPath, "bridge_file": e.info.File,
	})
}

func makeProject(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file := filepath.Join(dir, "project.godot")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	return os.WriteFile(file, []byte("config_version=5\n\n[application]\n\nconfig/name=\"Fake\"\n"), 0o644)
}

// WriteBridgeFile writes ed to ed.File as the addon does, token included:
// folder mode 0700, file mode 0600. The folders above are made too.
func WriteBridgeFile(ed bridge.Editor) error {
	fields := map[string]any{
		"port": ed.Port, "token": ed.Token.Secret(), "pid": ed.PID, "started": ed.Started,
		"project_path": ed.ProjectPath, "godot_version": ed.GodotVersion, "addon_version": ed.AddonVersion,
		"contract_version": ed.ContractVersion, "headless": ed.Headless,
	}
	if ed.StartedBy != "" {
		fields["started_by"] = ed.StartedBy
	}
	if len(ed.Unsaved) > 0 {
		fields["unsaved"] = ed.Unsaved
	}
	return writePrivate(ed.File, fields)
}

func writePrivate(file string, fields map[string]any) error {
	data, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(file+".tmp", data, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}
