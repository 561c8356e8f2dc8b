package bridge

import (
	"os"
	"path/filepath"
	"slices"
)

// projectFile marks the top folder of a project.
const projectFile = "project.godot"

// Editor is what a bridge file says about one running editor.
type Editor struct {
	// Port is the TCP port on 127.0.0.1, 1 to 65535.
	Port int `json:"port"`
	// Token opens the socket.
	Token Token `json:"token"`
	// PID is the editor's process id, the name of the bridge file.
	PID int `json:"pid"`
	// Started is when the bridge began to listen, in Unix seconds.
	Started int64 `json:"started"`
	// ProjectPath is the project's folder, absolute.
	ProjectPath  string `json:"project_path"`
	GodotVersion string `json:"godot_version"`
	AddonVersion string `json:"addon_version"`
	// ContractVersion is the newest contract the addon serves; 0 = not said.
	ContractVersion int  `json:"contract_version"`
	Headless        bool `json:"headless"`
	// Display is "virtual" for an editor that draws where nobody looks; "" is not
	// said.
	Display string `json:"display"`
	// StartedBy is StartedByAutostart for an editor that a client started by
	// itself, "" for every other.
	StartedBy string `json:"started_by"`
	// Unsaved is set while an editor that should have made way for a person's own
	// one still has unsaved work: the files.
	Unsaved []string `json:"unsaved"`
	// Beside are editors of the same project that were passed over for this one.
	Beside []Editor `json:"-"`
	// File is the bridge file this was read from, absolute.
	File string `json:"-"`
}

// StartedByAutostart marks an editor that no person asked for.
const StartedByAutostart = "autostart"

// Autostarted reports whether a client started this editor by itself. A
// person's own editor of the same project goes before it.
func (ed Editor) Autostarted() bool { return ed.StartedBy == StartedByAutostart }

// Query says which editor is meant. The zero value means the project around
// the working directory, else the only editor there is.
type Query struct {
	// Dir is where the search upward begins; "" = the working directory.
	Dir string
	// Project is a project's folder (or its project.godot) that was named; ""
	// = none. It goes before Dir.
	Project string
	// PID names an editor's process; 0 = none. It goes before Project.
	PID int
	// Registry is the folder with the user's list of editors; "" = RegistryDir().
	Registry string
}

// Ignored is a bridge or registry file that was not believed.
type Ignored struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// FindProject returns the nearest folder at or above dir that holds a
// project.godot, absolute; "" is the working directory. Where the path as it is
// written leads through a symbolic link and finds none, the real path is tried
// too. Error: PRECONDITION_FAILED, required project_dir.
func FindProject(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", Errorf(PreconditionFailed, "project_dir", "the working directory cannot be read: %w", err)
	}
	if found, ok := upward(abs); ok {
		return found, nil
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
		if found, ok := upward(real); ok {
			return found, nil
		}
	}
	return "", errNoProject(abs)
}

func upward(dir string) (string, bool) {
	for {
		if isProject(dir) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

func isProject(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, projectFile))
	return err == nil && !info.IsDir()
}

// namedProject checks a project that was named, by its folder or by the file
// in it. A folder inside a project does not count: who names one means it.
func namedProject(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", Errorf(PreconditionFailed, "project_dir", "the working directory cannot be read: %w", err)
	}
	if filepath.Base(abs) == projectFile && !isProject(abs) {
		abs = filepath.Dir(abs)
	}
	if !isProject(abs) {
		return "", errNotAProject(abs)
	}
	return abs, nil
}

// Discover lists all editors that q could mean, those of its project first, then
// those of the registry, and the files that were not believed. Query.PID, when
// set, keeps only that one. Both lists may be empty.
func Discover(q Query) ([]Editor, []Ignored) {
	f := finder{query: q}
	if dir, err := f.projectDir(); err == nil {
		f.readProject(dir)
	}
	f.readRegistry()
	return f.editors, f.ignored
}

// Find returns the one editor that q means: by process id, else by the named
// project, else by the project around Dir, else the only editor in the
// registry; an editor that a client started by itself only where its project has
// no other. It reads the registry only when the project's own folder does not
// give exactly one.
//
// Errors: BRIDGE_DISCONNECTED, required bridge_connected, when there is none;
// PRECONDITION_FAILED, required bridge_connected, when there are several;
// PRECONDITION_FAILED, required project_dir, when the named project is none.
// The hint lists what was found and why files of the project were ignored.
func Find(q Query) (Editor, error) {
	f := finder{query: q}
	if q.PID != 0 {
		return f.byPID()
	}
	dir, err := f.projectDir()
	switch {
	case err == nil:
		return f.inProject(dir)
	case q.Project != "":
		return Editor{}, err
	}
	f.readRegistry()
	all := prefer(f.editors)
	switch len(all) {
	case 0:
		return Editor{}, f.errNoneAnywhere()
	case 1:
		return all[0], nil
	}
	return Editor{}, f.errSeveral(all)
}

// prefer leaves out the editors that clients started by themselves where the
// same project has another.
func prefer(editors []Editor) []Editor {
	var own, auto []Editor
	for _, ed := range editors {
		if ed.Autostarted() {
			auto = append(auto, ed)
		} else {
			own = append(own, ed)
		}
	}
	kept := own
	for _, ed := range auto {
		over := slices.IndexFunc(own, func(o Editor) bool { return SameDir(o.ProjectPath, ed.ProjectPath) })
		if over < 0 {
			kept = append(kept, ed)
			continue
		}
		kept[over].Beside = append(kept[over].Beside, ed)
	}
	return kept
}

// finder gathers what one search reads.
type finder struct {
	query   Query
	editors []Editor
	ignored []Ignored
}

func (f *finder) projectDir() (string, error) {
	if f.query.Project != "" {
		return namedProject(f.query.Project)
	}
	return FindProject(f.query.Dir)
}

func (f *finder) byPID() (Editor, error) {
	dir, err := f.projectDir()
	if err == nil {
		f.readProject(dir)
	}
	if len(f.editors) == 0 {
		f.readRegistry()
	}
	switch len(f.editors) {
	case 0:
		return Editor{}, f.errNoSuchPID()
	case 1:
		return f.editors[0], nil
	}
	return Editor{}, f.errSeveral(f.editors)
}

func (f *finder) inProject(dir string) (Editor, error) {
	f.readProject(dir)
	if len(f.editors) == 0 {
		f.readRegistry()
	}
	var here []Editor
	for _, ed := range f.editors {
		if SameDir(ed.ProjectPath, dir) {
			here = append(here, ed)
		}
	}
	here = prefer(here)
	switch len(here) {
	case 0:
		return Editor{}, f.errNone(dir)
	case 1:
		return here[0], nil
	}
	return Editor{}, f.errSeveral(here)
}

// add takes an editor once, however many ways lead to it.
func (f *finder) add(ed Editor) {
	for _, have := range f.editors {
		if have.PID == ed.PID && have.Port == ed.Port {
			return
		}
	}
	f.editors = append(f.editors, ed)
}

func (f *finder) ignore(file, reason string) {
	for _, have := range f.ignored {
		if have.File == file {
			return
		}
	}
	f.ignored = append(f.ignored, Ignored{file, reason})
}
