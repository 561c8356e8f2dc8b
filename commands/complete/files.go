package complete

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/scenefile"
)

// Files larger than this are not read for a prompt, and no longer than walkWait is spent on reading.
const (
	maxRead  = 4 << 20
	walkWait = 200 * time.Millisecond
)

// FolderOf is the project of the editor that is named, else the project itself; "" for none.
func FolderOf(query bridge.Query) string {
	if query.PID == 0 {
		dir, err := bridge.FindProject(query.Project)
		if err != nil {
			return ""
		}
		return dir
	}
	ed, err := bridge.Find(query)
	if err != nil {
		return ""
	}
	return ed.ProjectPath
}

// endings are what the files end with that the parameter takes; nil for all.
func (c *Completer) endings(parameter string) []string {
	switch {
	case strings.Contains(parameter, "scene"), parameter == "new_path" && c.Tool != nil && c.Tool.Group() == "scene":
		return []string{".tscn", ".scn"}
	case strings.Contains(parameter, "script"):
		return []string{".gd", ".cs"}
	case strings.Contains(parameter, "director"), parameter == "save_path":
		return []string{}
	case strings.Contains(parameter, "resource"):
		return []string{".tres", ".res"}
	}
	return nil
}

// files are the project's files in the folder that is typed so far, folders with a slash behind; whole says
// that a single one is a whole path.
func (c *Completer) files(parameter, typed string) (list []Choice, whole bool) {
	project := c.Folder()
	folder, _ := path.Split(strings.TrimPrefix(typed, "res://"))
	inside, err := commands.ProjectPath(parameter, "res://"+folder)
	if project == "" || err != nil {
		return nil, true
	}
	entries, err := os.ReadDir(onDisk(project, inside))
	if err != nil {
		return nil, true
	}
	ends := c.endings(parameter)
	if !strings.HasPrefix(typed, "res://") && !strings.HasPrefix("res://", typed) {
		// A plain path below res:// is taken too.
		inside = folder
	} else {
		inside = "res://" + folder
	}
	whole = true
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case strings.HasPrefix(name, "."):
		case isFolder(project, entry, onDisk(project, "res://"+folder+name)):
			list = append(list, Choice{Text: inside + name + "/"})
			if strings.HasPrefix(inside+name, typed) {
				whole = false
			}
		case takes(ends, name):
			list = append(list, Choice{Text: inside + name})
		}
	}
	return list, whole
}

func isFolder(project string, entry fs.DirEntry, file string) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.IsDir()
	}
	info, err := os.Stat(file)
	return err == nil && info.IsDir()
}

func onDisk(project, resPath string) string {
	return filepath.Join(project, filepath.FromSlash(strings.TrimPrefix(resPath, "res://")))
}

// scene is the scene that the call would act on: the one named, else the one that the editor had in front
// when it closed, else the main scene.
func (c *Completer) scene() string {
	if named := c.Given["scene_path"]; named != "" {
		if clean, err := commands.ProjectPath("scene_path", named); err == nil {
			return clean
		}
		return ""
	}
	project := c.Folder()
	if project == "" {
		return ""
	}
	layout := readText(filepath.Join(bridge.HiddenFolder(project), "editor", "editor_layout.cfg"))
	if scene := iniString(layout, "current_scene"); scene != "" {
		return scene
	}
	main := iniString(readText(filepath.Join(project, "project.godot")), "run/main_scene")
	if !strings.HasPrefix(main, "uid://") {
		return main
	}
	found := ""
	c.eachScene(func(resPath string, s *scenefile.Scene) bool {
		if s.UID == main {
			found = resPath
		}
		return found == ""
	})
	return found
}

// iniString is the text of a key in one of the engine's settings files.
func iniString(text, key string) string {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), key+"="); ok {
			return scenefile.Unquote(value)
		}
	}
	return ""
}

func readText(file string) string {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRead {
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return string(text)
}

func (c *Completer) sceneNodes(scene string) []scenefile.Node {
	project := c.Folder()
	if scene == "" || project == "" {
		return nil
	}
	nodes, err := scenefile.Tree(scene, func(resPath string) (*scenefile.Scene, error) {
		clean, err := commands.ProjectPath("scene_path", resPath)
		if err != nil {
			return nil, err
		}
		return scenefile.Parse(readText(onDisk(project, clean)))
	})
	if err != nil {
		return nil
	}
	return nodes
}

func (c *Completer) sceneNode(nodePath string) *scenefile.Node {
	nodePath = strings.TrimPrefix(strings.TrimPrefix(nodePath, "/"), "./")
	nodes := c.sceneNodes(c.scene())
	for i, n := range nodes {
		if n.Path == nodePath || nodePath == "%"+n.Name && n.IsUnique() {
			return &nodes[i]
		}
	}
	return nil
}

// eachScene reads the project's scenes until visit says that it is enough or the time is up.
func (c *Completer) eachScene(visit func(resPath string, s *scenefile.Scene) bool) {
	c.eachFile(".tscn", func(resPath, text string) bool {
		s, err := scenefile.Parse(text)
		return err != nil || visit(resPath, s)
	})
}

func (c *Completer) eachFile(ending string, visit func(resPath, text string) bool) {
	project := c.Folder()
	walk(project, func(resPath string, isFolder bool) bool {
		return isFolder || path.Ext(resPath) != ending || visit(resPath, readText(onDisk(project, resPath)))
	})
}

// walk visits the project's files and folders, but for hidden ones, until visit says that it is enough or the
// time is up.
func walk(project string, visit func(resPath string, isFolder bool) bool) {
	if project == "" {
		return
	}
	end := time.Now().Add(walkWait)
	_ = filepath.WalkDir(project, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case time.Now().After(end):
			return filepath.SkipAll
		case err != nil || file == project:
			return nil
		case strings.HasPrefix(entry.Name(), ".") && entry.IsDir():
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(project, file)
		if err == nil && !visit("res://"+filepath.ToSlash(rel), entry.IsDir()) {
			return filepath.SkipAll
		}
		return nil
	})
}

// paths are those of the project that the parameter takes.
func (c *Completer) paths(parameter, typed string) Choices {
	if !c.WholePaths {
		list, whole := c.files(parameter, typed)
		return Choices{List: list, Open: !whole}
	}
	ends := c.endings(parameter)
	var list []Choice
	walk(c.Folder(), func(resPath string, isFolder bool) bool {
		switch {
		case isFolder && ends != nil && len(ends) == 0:
			list = append(list, Choice{Text: resPath + "/"})
		case !isFolder && takes(ends, resPath):
			list = append(list, Choice{Text: resPath})
		}
		return true
	})
	return Choices{List: list}
}

// takes is true for a file that ends as the parameter wants; those that the engine keeps beside others are
// wanted by none.
func takes(ends []string, file string) bool {
	if ends == nil {
		return !slices.Contains([]string{".import", ".uid"}, path.Ext(file))
	}
	return slices.Contains(ends, path.Ext(file))
}

// presets are the names in the project's export settings.
func (c *Completer) presets() []Choice {
	var list []Choice
	for line := range strings.Lines(readText(filepath.Join(c.Folder(), "export_presets.cfg"))) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "name="); ok {
			list = append(list, Choice{Text: scenefile.Unquote(name)})
		}
	}
	return list
}

// projectGroups are the groups of the project's scenes and its global ones.
func (c *Completer) projectGroups() []string {
	var groups []string
	c.eachScene(func(_ string, s *scenefile.Scene) bool {
		for _, n := range s.Nodes {
			groups = append(groups, n.Groups...)
		}
		return true
	})
	inside := false
	for line := range strings.Lines(readText(filepath.Join(c.Folder(), "project.godot"))) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = line == "[global_group]"
			continue
		}
		if name, _, ok := strings.Cut(line, "="); ok && inside {
			groups = append(groups, scenefile.Unquote(name))
		}
	}
	return groups
}

var classLine = regexp.MustCompile(`(?m)^(?:@\w+ )*class_name +(\w+)`)

// classesOfFiles are the classes of the project's scripts and those that its scenes use.
func (c *Completer) classesOfFiles(ofNodes bool) []Choice {
	var list []Choice
	c.eachFile(".gd", func(resPath, text string) bool {
		if m := classLine.FindStringSubmatch(text); m != nil {
			list = append(list, Choice{m[1], resPath})
		}
		return true
	})
	if ofNodes {
		c.eachScene(func(_ string, s *scenefile.Scene) bool {
			for _, n := range s.Nodes {
				list = append(list, Choice{Text: n.Type})
			}
			return true
		})
	}
	return unique(list)
}
