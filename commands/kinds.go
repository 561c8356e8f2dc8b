package commands

import (
	"encoding/json"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
)

// A path that Git Bash for Windows made of an argument that began with a slash (field report F23).
var rewrittenPath = regexp.MustCompile(`^[A-Za-z]:[/\\]`)

// A uid as the engine writes it. Anything else behind uid:// would be a path to some of its functions.
var uidText = regexp.MustCompile(`^uid://[a-z0-9]+$`)

// checkKind checks and normalises a text by what it names, or each in a list of them, for a tool of this class.
func checkKind(f Field, class Class, value json.RawMessage) (json.RawMessage, error) {
	if f.Type == "array" && f.Items != nil && f.Items.Type == "string" {
		return checkKinds(f, class, value)
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil || text == "" {
		return value, nil
	}
	switch f.Kind {
	case "node":
		if rewrittenPath.MatchString(text) {
			return nil, bridge.Errorf(bridge.ValidationError, f.Name,
				"%s looks like a path that the shell has rewritten: write node paths without a leading slash, as in %s", text, afterGit(text))
		}
		return value, nil
	case "plugin":
		return value, RefuseOwnPlugin(f.Name, text)
	case "project", "tree":
		clean, err := ProjectPath(f.Name, text)
		if err == nil && class != ReadOnly {
			err = checkProtected(f.Name, clean)
		}
		if err == nil && f.Kind == "tree" && HoldsProtected(clean) {
			err = bridge.Errorf(bridge.ValidationError, f.Name,
				"%s: %s holds what is protected, which would go along: name what is in it: godot-mcp file tree %s", f.Name, clean, clean)
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(clean)
	}
	return value, nil
}

func checkKinds(f Field, class Class, value json.RawMessage) (json.RawMessage, error) {
	one := f
	one.Type, one.Items = "string", nil
	var list []json.RawMessage
	if err := json.Unmarshal(value, &list); err != nil {
		return nil, err
	}
	for i, given := range list {
		checked, err := checkKind(one, class, given)
		if err != nil {
			return nil, err
		}
		list[i] = checked
	}
	return json.Marshal(list)
}

// InProject is true for a parameter that names files of the project.
func (f Field) InProject() bool { return f.Kind == "project" || f.Kind == "tree" }

// afterGit is what was probably typed before the shell put its own folder in front.
func afterGit(text string) string {
	if _, rest, ok := strings.Cut(text, "/Git/"); ok {
		return rest
	}
	return path.Base(filepath.ToSlash(text))
}

// ProjectPath normalises a path inside the project: res:// and uid:// paths as they are, a plain relative
// one below res://. What leaves the project, by whatever spelling, or enters the engine's hidden folder is
// a VALIDATION_ERROR with the parameter in Required.
func ProjectPath(parameter, text string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", bridge.Errorf(bridge.ValidationError, parameter, "%s: %s %s: give a path below res://", parameter, text, why)
	}
	if strings.HasPrefix(text, "uid://") {
		if !uidText.MatchString(text) {
			return refuse("is no uid")
		}
		return text, nil
	}
	if rewrittenPath.MatchString(text) || strings.Contains(text, `\`) {
		return refuse("is no path of the project")
	}
	rest, isRes := strings.CutPrefix(text, "res://")
	if !isRes && strings.Contains(text, "://") {
		return refuse("is not in the project")
	}
	if strings.ContainsFunc(rest, unicode.IsControl) {
		return refuse("holds a control character")
	}
	clean := strings.TrimPrefix(path.Clean("/"+rest), "/")
	for _, spelling := range []string{rest, decoded(rest), decoded(clean)} {
		if strings.HasPrefix(spelling, "/") || strings.HasPrefix(spelling, `\`) {
			return refuse("is absolute")
		}
		for _, part := range strings.FieldsFunc(spelling, func(r rune) bool { return r == '/' || r == '\\' }) {
			if part == ".." {
				return refuse("climbs out with ..")
			}
			if strings.EqualFold(part, ".godot") {
				return refuse("is in the engine's own folder")
			}
		}
	}
	return "res://" + clean, nil
}

func decoded(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// checkProtected refuses what no file tool may write: the project's settings, which have tools of their
// own, the addon that carries the tools out, and the folder of version control. Letter case does not
// matter, since to some file systems it does not.
func checkProtected(parameter, resPath string) error {
	rest, _ := strings.CutPrefix(resPath, "res://")
	for _, spelling := range []string{rest, decoded(rest)} {
		spelling = strings.ToLower(spelling)
		inside := slices.Contains(strings.Split(spelling, "/"), ".git") ||
			strings.HasPrefix(spelling+"/", "addons/godot_mcp_bridge/")
		if inside || slices.Contains(protectedFiles, spelling) {
			return bridge.Errorf(bridge.ValidationError, parameter,
				"%s: %s is protected: settings have tools of their own (godot-mcp config list, godot-mcp addon install), and no tool writes into the addon or into .git", parameter, resPath)
		}
	}
	return nil
}

// HoldsProtected is true for a folder of the project that has something protected in it: no tool may delete,
// move or rename it, since that would take along what it may not touch by itself.
func HoldsProtected(resPath string) bool {
	if strings.HasPrefix(resPath, "uid://") {
		return false
	}
	rest := strings.ToLower(strings.Trim(strings.TrimPrefix(decoded(resPath), "res://"), "/"))
	return rest == "" || rest == "." || strings.HasPrefix(addon.Folder+"/", rest+"/")
}

// RefuseOwnPlugin refuses to switch off the plugin that carries the tools out, by whatever name it is meant.
func RefuseOwnPlugin(parameter, name string) error {
	if !addon.IsOwn(name) {
		return nil
	}
	return bridge.Errorf(bridge.ValidationError, parameter,
		"%s: %s carries this very call out and is not switched off by its own tools: godot-mcp addon uninstall", parameter, name)
}

var protectedFiles = []string{"godot-mcp.toml", "project.godot", "override.cfg", "export_presets.cfg"}

// checkLinks refuses a project path that a symbolic link leads out of the project or, in a tool that
// writes, to what is protected.
func checkLinks(project, parameter, resPath string, class Class) error {
	if class != ReadOnly && project != "" && addon.HasUID(project, resPath) {
		return checkProtected(parameter, "res://"+addon.Folder)
	}
	rest, ok := strings.CutPrefix(resPath, "res://")
	if !ok || project == "" {
		return nil
	}
	root, err := filepath.EvalSymlinks(project)
	if err != nil {
		return nil
	}
	at := filepath.Join(project, filepath.FromSlash(rest))
	for {
		if _, err := os.Lstat(at); err == nil || at == project {
			break
		}
		at = filepath.Dir(at)
	}
	real, err := filepath.EvalSymlinks(at)
	inside, ok := strings.CutPrefix(real, root)
	if err == nil && ok && (inside == "" || inside[0] == filepath.Separator) {
		if class == ReadOnly {
			return nil
		}
		return checkProtected(parameter, "res://"+strings.TrimPrefix(filepath.ToSlash(inside), "/"))
	}
	return bridge.Errorf(bridge.ValidationError, parameter, "%s: %s leads out of the project by a symbolic link", parameter, resPath)
}
