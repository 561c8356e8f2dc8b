package commands

import (
	"encoding/json"
	"regexp"
	"strings"
)

var shellSafe = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// ShellLine is a call as a person would type it after "godot-mcp ": positionals by themselves, the rest as
// flags, quoted for a POSIX shell.
func ShellLine(name string, arguments json.RawMessage) string {
	return shellLine(name, arguments, All())
}

func shellLine(name string, arguments json.RawMessage, table *Table) string {
	tool, _ := table.Lookup(name)
	given := map[string]json.RawMessage{}
	if tool == nil || json.Unmarshal(arguments, &given) != nil {
		return name
	}
	words := []string{tool.Name}
	var flags []string
	skipped := false
	for _, f := range tool.Params() {
		value, ok := given[f.Name]
		switch {
		case !ok:
			skipped = skipped || f.Positional
		case f.Positional && !skipped && !looksLikeFlag(asTyped(f, value)):
			words = append(words, quote(asTyped(f, value)))
		default:
			skipped = skipped || f.Positional
			flags = append(flags, flagWord(f, value))
		}
	}
	return strings.Join(append(words, flags...), " ")
}

var number = regexp.MustCompile(`^-(\d|\.\d|inf$)`)

// looksLikeFlag is true for a word that the command line would not take for a value.
func looksLikeFlag(word string) bool {
	return strings.HasPrefix(word, "-") && word != "-" && !number.MatchString(word)
}

func flagWord(f Field, value json.RawMessage) string {
	flag := "--" + strings.ReplaceAll(f.Name, "_", "-")
	if f.Type == "boolean" && string(value) == "true" {
		return flag
	}
	return flag + "=" + quote(asTyped(f, value))
}

// asTyped is the text that stands for the value on a command line.
func asTyped(f Field, value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	if f.Type == "any" && json.Valid([]byte(text)) {
		return string(value)
	}
	return text
}

func quote(word string) string {
	if shellSafe.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
