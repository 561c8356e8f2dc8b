package addon

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
)

// The two places of project.godot that matter here. A list may go over several lines.
var (
	pluginSection = regexp.MustCompile(`(?m)^\[editor_plugins\][ \t]*\r?$`)
	// A folder's name may hold a bracket, so what is quoted is passed over as a whole.
	enabledLine = regexp.MustCompile(`(?m)^enabled[ \t]*=[ \t]*PackedStringArray\(((?:[^")]|"(?:[^"\\]|\\.)*")*)\)`)
	nextSection = regexp.MustCompile(`(?m)^\[`)
)

// withPlugin returns project.godot with the addon in its list of plugins, and the new line; "" when it is
// there already.
func withPlugin(project string) (text []byte, line string, err error) {
	text, err = os.ReadFile(filepath.Join(project, "project.godot"))
	if err != nil {
		return nil, "", err
	}
	entry := `"` + PluginPath + `"`
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	section := pluginSection.FindIndex(text)
	if section == nil {
		line = "enabled=PackedStringArray(" + entry + ")"
		if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
			text = append(text, eol...)
		}
		return append(text, eol+"[editor_plugins]"+eol+eol+line+eol...), line, nil
	}
	begin, end := section[1], sectionEnd(text, section[1])
	list := enabledLine.FindSubmatchIndex(text[begin:end])
	if list == nil {
		line = "enabled=PackedStringArray(" + entry + ")"
		return splice(text, lineEnd(text, begin), lineEnd(text, begin), eol+line+eol), line, nil
	}
	items := text[begin+list[2] : begin+list[3]]
	if bytes.Contains(items, []byte(entry)) {
		return text, "", nil
	}
	more := entry
	if len(bytes.TrimSpace(items)) > 0 {
		more = ", " + entry
	}
	at := begin + list[3]
	out := splice(text, at, at, more)
	return out, string(out[begin+list[0] : begin+list[1]+len(more)]), nil
}

// withoutPlugin returns project.godot without the addon, and the new line; "" when it is not there.
func withoutPlugin(project string) (text []byte, line string, err error) {
	text, err = os.ReadFile(filepath.Join(project, "project.godot"))
	if err != nil {
		return nil, "", err
	}
	section := pluginSection.FindIndex(text)
	if section == nil {
		return text, "", nil
	}
	begin, end := section[1], sectionEnd(text, section[1])
	list := enabledLine.FindSubmatchIndex(text[begin:end])
	if list == nil {
		return text, "", nil
	}
	items := text[begin+list[2] : begin+list[3]]
	entry := regexp.MustCompile(`(,\s*)?"` + regexp.QuoteMeta(PluginPath) + `"(\s*,\s*)?`)
	found := entry.FindSubmatchIndex(items)
	if found == nil {
		return text, "", nil
	}
	between := ""
	if found[2] >= 0 && found[4] >= 0 {
		between = ", "
	}
	out := splice(text, begin+list[2]+found[0], begin+list[2]+found[1], between)
	cut := found[1] - found[0] - len(between)
	return out, string(out[begin+list[0] : begin+list[1]-cut]), nil
}

// isEnabled looks for the addon in the list of plugins.
func isEnabled(text []byte) bool {
	section := pluginSection.FindIndex(text)
	if section == nil {
		return false
	}
	list := enabledLine.FindSubmatch(text[section[1]:sectionEnd(text, section[1])])
	return list != nil && bytes.Contains(list[1], []byte(`"`+PluginPath+`"`))
}

// lineEnd is behind the end of the line that pos stands in.
func lineEnd(text []byte, pos int) int {
	if end := bytes.IndexByte(text[pos:], '\n'); end >= 0 {
		return pos + end + 1
	}
	return len(text)
}

func sectionEnd(text []byte, begin int) int {
	if next := nextSection.FindIndex(text[begin:]); next != nil {
		return begin + next[0]
	}
	return len(text)
}

func splice(text []byte, from, to int, insert string) []byte {
	out := append([]byte(nil), text[:from]...)
	out = append(out, insert...)
	return append(out, text[to:]...)
}
