package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands"
)

const getGodot = "get Godot 4.5 or newer from https://godotengine.org/download, then set GODOT_BIN to its program and run godot-mcp doctor again"

func engine(w *World) Check {
	c := Check{Name: "engine", Status: Problem}
	switch {
	case w.godot == "":
		c.Found, c.Fix = "no godot or godot4 on PATH, and GODOT_BIN is not set", getGodot
	case errors.Is(w.godotErr, context.DeadlineExceeded):
		c.Found = fmt.Sprintf("%s did not answer --version within %v", w.godot, versionWait)
		c.Fix = "set GODOT_BIN to the engine's program itself"
	case w.godotErr != nil:
		c.Found = fmt.Sprintf("%s --version failed: %v%s", w.godot, w.godotErr, w.from())
		c.Fix = getGodot
	case !commands.VersionServed(w.godotSays):
		c.Found = fmt.Sprintf("%s is version %q; 4.5 or newer, below 5, is needed%s", w.godot, w.godotSays, w.from())
		c.Fix = getGodot
	default:
		c.Status, c.Found = OK, fmt.Sprintf("%s, %s%s", w.godotSays, w.godot, w.from())
	}
	return c
}

// from says where the engine was set.
func (w *World) from() string {
	if w.GodotFrom == "" {
		return ""
	}
	return " (" + w.GodotFrom + ")"
}

var (
	configVersion = regexp.MustCompile(`(?m)^config_version[ \t]*=[ \t]*(\d+)`)
	featureList   = regexp.MustCompile(`(?m)^config/features[ \t]*=[ \t]*PackedStringArray\(([^)]*)\)`)
	quoted        = regexp.MustCompile(`"([^"]*)"`)
)

// dotnet compares what the project needs with what the engine can.
func dotnet(w *World) Check {
	sharp := hasFeature(w.settings, "C#")
	files, _ := filepath.Glob(filepath.Join(w.project, "*.csproj"))
	sharp = sharp || w.project != "" && len(files) > 0
	if w.godotSays == "" || !sharp {
		return Check{}
	}
	if strings.Contains(w.godotSays, ".mono") {
		return Check{Name: "dotnet", Status: OK, Found: "the project uses C#, the engine is built with .NET"}
	}
	return Check{
		Name: "dotnet", Status: Problem,
		Found: "the project uses C# and this engine is built without .NET: scenes with C# scripts do not open",
		Fix:   "set GODOT_BIN to the .NET build of Godot, from https://godotengine.org/download",
	}
}

func projectFeatures(settings string) []string {
	var out []string
	list := featureList.FindStringSubmatch(settings)
	if list == nil {
		return nil
	}
	for _, m := range quoted.FindAllStringSubmatch(list[1], -1) {
		out = append(out, m[1])
	}
	return out
}

func hasFeature(settings, name string) bool {
	for _, f := range projectFeatures(settings) {
		if f == name {
			return true
		}
	}
	return false
}

// features tells when the project was last saved by a newer engine than the one found.
func features(w *World) Check {
	if w.project == "" {
		return Check{}
	}
	c := Check{Name: "features", Status: OK, Found: strings.Join(projectFeatures(w.settings), ", ")}
	if c.Found == "" {
		c.Found = "none stated"
	}
	for _, f := range projectFeatures(w.settings) {
		major, minor, isVersion := versionOf(f)
		_, have, known := versionOf(w.godotSays)
		if isVersion && major == 4 && known && minor > have {
			c.Status = Warning
			c.Found += fmt.Sprintf("; the engine found is %s, older than the one that saved the project", w.godotSays)
			c.Fix = "set GODOT_BIN to Godot " + f + " or newer"
		}
	}
	return c
}

// versionOf reads "4.6" and "4.6.3.stable".
func versionOf(text string) (major, minor int, ok bool) {
	parts := strings.SplitN(text, ".", 3)
	if len(parts) < 2 {
		return 0, 0, false
	}
	major, errMajor := strconv.Atoi(parts[0])
	minor, errMinor := strconv.Atoi(parts[1])
	return major, minor, errMajor == nil && errMinor == nil
}

// sandbox tells of engines that see the machine through a sandbox.
func sandbox(w *World) Check {
	kind, limits := w.sandboxOf(w.godot)
	if kind != "" {
		return Check{Name: "sandbox", Status: Warning, Found: "the engine is a " + kind + ": " + limits, Fix: "where something is missing, set GODOT_BIN to the plain build from https://godotengine.org/download"}
	}
	if w.godot != "" {
		return Check{}
	}
	if found := w.onPath("org.godotengine.Godot"); len(found) > 0 {
		return Check{Name: "sandbox", Status: Warning, Found: "there is a Flatpak of Godot: " + found[0], Fix: "export GODOT_BIN=" + found[0]}
	}
	return Check{}
}

func (w *World) sandboxOf(program string) (kind, limits string) {
	if program == "" {
		return "", ""
	}
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		real = program
	}
	for _, at := range []string{filepath.ToSlash(program), filepath.ToSlash(real)} {
		switch {
		case strings.Contains(at, "/flatpak/") || strings.HasSuffix(at, "/org.godotengine.Godot"):
			return "Flatpak", "its process numbers and its runtime folder are its own, so a running editor may not be found; the project must be in a folder that it may see"
		case strings.HasPrefix(at, "/snap/") || strings.HasSuffix(at, "/snap"):
			return "Snap", "it sees only your home folder without hidden folders, so the project must be there"
		case strings.HasSuffix(strings.ToLower(at), ".appimage"):
			return "AppImage", "it works where FUSE is there; the editor's process is a child of the one that was started"
		}
	}
	return "", ""
}
