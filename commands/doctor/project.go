package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/godot-mcp/godot-mcp/addon"
	"github.com/godot-mcp/godot-mcp/bridge"
)

func project(w *World) Check {
	c := Check{Name: "project", Status: Problem}
	if w.projectErr != nil {
		// What the error proposes as the next step is not the next one here.
		c.Found, _, _ = strings.Cut(bridge.AsError(w.projectErr).Hint, "; ")
		c.Found, _, _ = strings.Cut(c.Found, ": give ")
		c.Fix = "cd into the folder of your project (the one with project.godot), then godot-mcp doctor"
		return c
	}
	file := filepath.Join(w.project, "project.godot")
	version := configVersion.FindStringSubmatch(w.settings)
	switch {
	case w.settings == "":
		c.Found, c.Fix = file+" cannot be read, or is empty", "mend that, then godot-mcp doctor"
	case version == nil:
		c.Status, c.Found = Warning, file+" states no config_version"
		c.Fix = "open the project once in Godot 4 and save its settings"
	case version[1] < "5" || len(version[1]) > 1:
		c.Found = fmt.Sprintf("%s has config_version %s, Godot 4 has 5", file, version[1])
		c.Fix = "convert a copy of the project with Godot 4 first"
	default:
		c.Status, c.Found = OK, w.project
		if _, err := os.Stat(bridge.HiddenFolder(w.project)); err != nil {
			c.Found += "; not imported yet, so the first start takes longer"
		}
	}
	return c
}

func addonFiles(w *World) Check {
	if w.project == "" {
		return Check{}
	}
	c := Check{Name: "addon", Status: Warning, Fix: w.Env.CommandLine("addon update")}
	state, err := addon.Status(w.project)
	if err != nil {
		return Check{Name: "addon", Status: Unknown, Found: err.Error(), Fix: w.Env.CommandLine("addon status")}
	}
	switch state.State {
	case addon.Missing:
		c.Status, c.Found, c.Fix = Problem, "not in the project", w.Env.CommandLine("addon install")
	case addon.NotEnabled:
		c.Status, c.Found, c.Fix = Problem, state.Version+", switched off in project.godot", w.Env.CommandLine("addon install")
	case addon.Older:
		c.Found = state.Version + ", older than " + addon.Version() + " of this godot-mcp"
	case addon.Newer:
		c.Found, c.Fix = state.Version+", newer than "+addon.Version()+" of this godot-mcp", "upgrade godot-mcp"
	case addon.Modified:
		c.Found = fmt.Sprintf("%s, with %d files that are not as they were delivered: %s", state.Version, len(state.Modified), firstOf(state.Modified))
	default:
		c.Status, c.Found, c.Fix = OK, state.Version+", enabled", ""
	}
	if c.Status != Problem && !state.Enabled {
		c.Status, c.Found, c.Fix = Problem, c.Found+"; switched off in project.godot", w.Env.CommandLine("addon install")
	}
	if state.Link != "" {
		c.Found += "; its folder is a symbolic link to " + state.Link
	}
	return c
}

const maxNamed = 3

func firstOf(names []string) string {
	if len(names) <= maxNamed {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:maxNamed], ", ") + fmt.Sprintf(" and %d more", len(names)-maxNamed)
}

// addonRunning compares what runs with what is on the disk.
func addonRunning(w *World) Check {
	if len(w.running) == 0 {
		return Check{}
	}
	for _, ed := range w.running {
		if ed.AddonVersion != addon.Version() {
			return Check{
				Name: "addon_running", Status: Warning, Fix: w.Env.CommandLine("addon update"),
				Found: fmt.Sprintf("the editor %d runs %s, this godot-mcp brings %s", ed.PID, ed.AddonVersion, addon.Version()),
			}
		}
	}
	return Check{Name: "addon_running", Status: OK, Found: addon.Version()}
}

func editors(w *World) Check {
	if w.project == "" {
		return Check{}
	}
	c := Check{Name: "editors", Status: OK}
	if len(w.running) == 0 {
		c.Found, c.Fix = "none runs for this project", w.Env.CommandLine("editor start")
		return c
	}
	var all []string
	for _, ed := range w.running {
		kind := "with a window"
		if ed.Headless {
			kind = "headless"
		}
		all = append(all, fmt.Sprintf("%d %s", ed.PID, kind))
		if !ed.Answers {
			return Check{Name: "editors", Status: Problem, Found: fmt.Sprintf("the editor %d does not answer: %s", ed.PID, ed.Reason), Fix: w.Env.CommandLine("editor wait")}
		}
	}
	c.Found = strings.Join(all, ", ")
	if len(w.running) > 1 {
		c.Status, c.Found = Warning, "several run for this project: "+c.Found
		c.Fix = fmt.Sprintf("name one with --editor %d, or close the others", w.running[0].PID)
	}
	return c
}

// bridgeFiles tells of files that were not believed. Those of ended processes do no harm.
func bridgeFiles(w *World) Check {
	if w.project == "" {
		return Check{}
	}
	c := Check{Name: "bridge_files", Status: OK, Found: "nothing left over"}
	var ended, refused []string
	for _, one := range w.ignored {
		if !w.ofProject(one) {
			continue
		}
		if strings.Contains(one.Reason, "has ended") || strings.Contains(one.Reason, "number was reused") {
			ended = append(ended, one.File)
		} else {
			refused = append(refused, one.File+" "+one.Reason)
		}
	}
	switch {
	case len(refused) > 0:
		c.Status, c.Found = Problem, "not believed: "+firstOf(refused)
		c.Fix = "close the editor, remove " + filepath.Join(bridge.HiddenFolder(w.project), "godot_mcp_bridge") + ", then godot-mcp editor start"
	case len(ended) > 0:
		c.Status, c.Found = Warning, "left by editors that were killed, and passed over: "+firstOf(ended)
		c.Fix = "they may be removed"
	}
	return c
}

// lostGames tells of games that a killed editor left behind.
func lostGames(w *World) Check {
	if w.project == "" {
		return Check{}
	}
	lost, _ := bridge.LostGames(w.project)
	if len(lost) == 0 {
		return Check{}
	}
	return Check{
		Name: "lost_games", Status: Warning, Fix: w.Env.CommandLine("editor start"),
		Found: fmt.Sprintf("%d games still run whose editor was killed; the next editor start or stop ends them, process %d first", len(lost), lost[0].PID),
	}
}

// ofProject is false for a file of another project's editor, which the registry has too.
func (w *World) ofProject(one bridge.Ignored) bool {
	return strings.HasPrefix(one.File, w.project+string(filepath.Separator))
}

// permissions tells of folders that cannot be written.
func permissions(w *World) Check {
	c := Check{Name: "permissions", Status: OK, Found: "the folders that are written to can be"}
	var folders []string
	if w.project != "" {
		folders = append(folders, w.project, filepath.Join(w.project, "addons"), filepath.Join(w.project, filepath.FromSlash(addon.Folder)), bridge.HiddenFolder(w.project))
	}
	if w.Registry != "" {
		folders = append(folders, nearest(w.Registry))
	}
	var bad []string
	for _, folder := range folders {
		info, err := os.Stat(folder)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			bad = append(bad, folder+" cannot be read")
		case !info.IsDir():
			bad = append(bad, folder+" is a file")
		case addon.MayWrite(folder) != nil:
			bad = append(bad, folder+" cannot be written")
		}
	}
	if len(bad) > 0 {
		c.Status, c.Found, c.Fix = Problem, firstOf(bad), "give yourself the right to write there, then godot-mcp doctor"
	}
	return c
}

// nearest is the folder itself or the nearest one above it that is there.
func nearest(folder string) string {
	for folder != filepath.Dir(folder) {
		if _, err := os.Stat(folder); err == nil {
			return folder
		}
		folder = filepath.Dir(folder)
	}
	return folder
}
