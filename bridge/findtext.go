package bridge

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"
)

// The texts of a failed search. Each names the next command in full, so that a
// program can run it as it stands.

func errNoProject(dir string) *Error {
	return Errorf(PreconditionFailed, "project_dir",
		"%s is not inside a Godot project: neither it nor a folder above it has a project.godot; name the project with --project, or see what runs: godot-mcp editor list", quote(dir))
}

func errNotAProject(dir string) *Error {
	return Errorf(PreconditionFailed, "project_dir",
		"%s is not a Godot project: it has no project.godot; name the folder that has one, or see what runs: godot-mcp editor list", quote(dir))
}

// errNone is about a project without an editor.
func (f *finder) errNone(dir string) *Error {
	var b strings.Builder
	fmt.Fprintf(&b, "no editor with the addon runs for %s; ", quote(dir))
	if _, err := os.Stat(filepath.Join(dir, "addons", "godot_mcp_bridge")); err != nil {
		fmt.Fprintf(&b, "first godot-mcp addon install --project %s then ", quote(dir))
	}
	fmt.Fprintf(&b, "godot-mcp editor start --project %s", quote(dir))
	f.listOthers(&b)
	f.listIgnored(&b, dir)
	return &Error{Code: BridgeDisconnected, Required: "bridge_connected", Hint: b.String()}
}

// errNoneAnywhere is about a search outside a project that found nothing.
func (f *finder) errNoneAnywhere() *Error {
	var b strings.Builder
	b.WriteString("no editor with the addon runs, and the working directory is not inside a Godot project; " +
		"start one: godot-mcp editor start --project DIR")
	return &Error{Code: BridgeDisconnected, Required: "bridge_connected", Hint: b.String()}
}

func (f *finder) errNoSuchPID() *Error {
	others := finder{query: f.query, ignored: f.ignored}
	others.query.PID = 0
	dir, err := others.projectDir()
	if err == nil {
		others.readProject(dir)
	}
	others.readRegistry()
	var b strings.Builder
	fmt.Fprintf(&b, "no editor with the addon has the process id %d; see which run: godot-mcp editor list", f.query.PID)
	others.listOthers(&b)
	others.listIgnored(&b, dir)
	return &Error{Code: BridgeDisconnected, Required: "bridge_connected", Hint: b.String()}
}

// errSeveral refuses to guess between editors.
func (f *finder) errSeveral(editors []Editor) *Error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d editors could be meant; name one of them:", len(editors))
	listEditors(&b, editors)
	f.listIgnored(&b, editors[0].ProjectPath)
	return &Error{Code: PreconditionFailed, Required: "bridge_connected", Hint: b.String()}
}

func (f *finder) listOthers(b *strings.Builder) {
	if len(f.editors) == 0 {
		return
	}
	b.WriteString("; other editors that run:")
	listEditors(b, f.editors)
}

func listEditors(b *strings.Builder, editors []Editor) {
	for i, ed := range editors {
		if i == maxListed {
			fmt.Fprintf(b, "\n  and %d more: godot-mcp editor list", len(editors)-i)
			return
		}
		fmt.Fprintf(b, "\n  --editor %d  %s", ed.PID, quote(ed.ProjectPath))
	}
}

// listIgnored tells which files of the project were not believed. Those of others are no help, and the
// registry may know many.
func (f *finder) listIgnored(b *strings.Builder, project string) {
	var own []Ignored
	for _, ig := range f.ignored {
		if project != "" && isBelow(ig.File, project) {
			own = append(own, ig)
		}
	}
	if len(own) == 0 {
		return
	}
	b.WriteString("\nignored:")
	for i, ig := range own {
		if i == maxListed {
			fmt.Fprintf(b, "\n  and %d more", len(own)-i)
			return
		}
		fmt.Fprintf(b, "\n  %s %s", quote(ig.File), ig.Reason)
	}
}

// isBelow is true for a file in the folder or under it, however the folder is spelled.
func isBelow(file, folder string) bool {
	for at := filepath.Dir(file); ; at = filepath.Dir(at) {
		if SameDir(at, folder) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// quote makes a path one word for the shell where it would be several.
func quote(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) {
		return strconv.Quote(path)
	}
	plain := path != "" && !strings.ContainsFunc(path, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+:@%=,~", r) &&
			(runtime.GOOS != "windows" || r != '\\')
	})
	switch {
	case plain:
		return path
	case runtime.GOOS == "windows":
		return `"` + path + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
