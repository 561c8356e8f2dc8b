package bridge

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// bridgeFolder is the folder of bridge files inside the hidden folder.
const bridgeFolder = "godot_mcp_bridge"

// hiddenFolders are the two names the engine gives a project's data folder:
// the setting use_hidden_project_data_directory takes the dot away.
func hiddenFolders() []string { return []string{".godot", "godot"} }

// RegistryDir returns the folder in which the user's editors list themselves:
// godot-mcp/editors below $XDG_RUNTIME_DIR, else below the user's cache folder.
// It returns "" where neither is known; the folder need not exist.
func RegistryDir() string {
	base := os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(base) {
		var err error
		if base, err = os.UserCacheDir(); err != nil {
			return ""
		}
	}
	return filepath.Join(base, "godot-mcp", "editors")
}

// readProject looks at the bridge files of one project.
func (f *finder) readProject(dir string) {
	for _, hidden := range hiddenFolders() {
		folder := filepath.Join(dir, hidden, bridgeFolder)
		names := f.pidFiles(folder)
		if len(names) == 0 {
			continue
		}
		f.believeAll(folder, names)
	}
}

func (f *finder) believeAll(folder string, names []string) {
	if reason := distrustFolder(folder); reason != "" {
		f.ignore(folder, reason)
		return
	}
	for _, name := range names {
		file := filepath.Join(folder, name)
		ed, reason := believe(file)
		if reason != "" {
			f.ignore(file, reason)
			continue
		}
		f.add(ed)
	}
}

// readRegistry follows the user's list of editors to their bridge files.
func (f *finder) readRegistry() {
	dir := f.query.Registry
	if dir == "" {
		dir = RegistryDir()
	}
	if dir == "" {
		return
	}
	for _, name := range f.pidFiles(dir) {
		f.followEntry(filepath.Join(dir, name), name)
	}
}

// followEntry believes nothing of a registry entry but where the bridge file
// is; that file is judged like any other.
func (f *finder) followEntry(entry, name string) {
	data, reason := readSmall(entry)
	if reason != "" {
		f.ignore(entry, reason)
		return
	}
	var e struct {
		BridgeFile string `json:"bridge_file"`
	}
	if json.Unmarshal(data, &e) != nil {
		f.ignore(entry, "is not the JSON of a registry entry")
		return
	}
	file := filepath.Clean(e.BridgeFile)
	folder := filepath.Dir(file)
	if !filepath.IsAbs(file) || filepath.Base(file) != name || filepath.Base(folder) != bridgeFolder {
		f.ignore(entry, "does not name a bridge file of process "+strings.TrimSuffix(name, ".json"))
		return
	}
	f.believeAll(folder, []string{name})
}

// pidFiles returns the names <pid>.json in dir, sorted, only the asked one when
// a process id was asked for. A folder that is not there has none.
func (f *finder) pidFiles(dir string) []string {
	if f.query.PID != 0 {
		name := strconv.Itoa(f.query.PID) + ".json"
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return nil
		}
		return []string{name}
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }()
	all, err := d.Readdirnames(maxBridgeFiles)
	if err != nil && err != io.EOF {
		return nil
	}
	names := slices.DeleteFunc(all, func(name string) bool { return pidOf(name) == 0 })
	slices.Sort(names)
	return names
}

// pidOf returns the process id that a file name states, 0 for other names.
func pidOf(name string) int {
	digits, ok := strings.CutSuffix(name, ".json")
	if !ok {
		return 0
	}
	pid, err := strconv.Atoi(digits)
	if err != nil || pid <= 0 || strconv.Itoa(pid) != digits {
		return 0
	}
	return pid
}
