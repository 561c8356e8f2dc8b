package bridgetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// ServeScript starts a fake editor for the project in dir (made if need be)
// whose answers stand in a text, one a line, parts separated by one tab:
//
//	# a comment; empty lines are skipped
//	@contract<TAB>2<TAB>1
//	node.get<TAB>{"name":"Player"}
//	node.delete<TAB>{"ok":false,"error":"RESOURCE_NOT_FOUND","hint":"no such node"}
//	node.find<TAB>raw:{"id":$id,"ok":true,"result":nan}
//
// Lines for the same command are given one after the other, the last one again
// and again. Lines that begin with @ are options: contract NEWEST OLDEST,
// versions ADDON GODOT, autostarted FILE..., display (not headless), wrong-proof, wrong-token,
// silent, silent-hello, drop-after N, close-after N CODE, max-message BYTES.
//
// The caller closes the editor and asks Unexpected. Error: the line that cannot
// be read, or as for Serve.
func ServeScript(dir string, script []byte, opts ...Option) (*Editor, error) {
	type line struct{ command, answer string }
	var lines []line
	scanner := bufio.NewScanner(bytes.NewReader(script))
	scanner.Buffer(nil, 64<<20)
	for n := 1; scanner.Scan(); n++ {
		text := strings.TrimRight(scanner.Text(), "\r")
		if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if name, ok := strings.CutPrefix(text, "@"); ok {
			o, err := scriptOption(strings.Fields(name))
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			opts = append(opts, o)
			continue
		}
		command, answer, ok := strings.Cut(text, "\t")
		if !ok || !strings.HasPrefix(answer, "raw:") && !json.Valid([]byte(answer)) {
			return nil, fmt.Errorf("line %d: want command, tab, JSON; got %q", n, text)
		}
		lines = append(lines, line{command, answer})
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	e, err := Serve(dir, opts...)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if raw, ok := strings.CutPrefix(l.answer, "raw:"); ok {
			e.ReplyRaw(l.command, raw)
		} else {
			e.Reply(l.command, l.answer)
		}
	}
	return e, nil
}

// scriptOption reads the words of a line that begins with @.
func scriptOption(words []string) (Option, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("an option has no name")
	}
	name, args := words[0], words[1:]
	switch name {
	case "versions":
		if len(args) == 2 {
			return Versions(args[0], args[1]), nil
		}
		return nil, fmt.Errorf("@versions wants ADDON GODOT")
	case "autostarted":
		return Autostarted(args...), nil
	case "display", "wrong-proof", "wrong-token", "silent", "silent-hello":
		return map[string]Option{
			"display": Headless(false), "wrong-proof": WrongProof(), "wrong-token": WrongToken(),
			"silent": Silent(), "silent-hello": SilentHello(),
		}[name], nil
	}
	n, err := numbers(args)
	switch {
	case err != nil:
		return nil, fmt.Errorf("@%s: %w", name, err)
	case name == "contract" && len(n) == 2:
		return Contract(n[0], n[1]), nil
	case name == "drop-after" && len(n) == 1:
		return DropAfter(n[0]), nil
	case name == "close-after" && len(n) == 2:
		return CloseAfter(n[0], n[1], ""), nil
	case name == "max-message" && len(n) == 1:
		return MaxMessage(int64(n[0])), nil
	}
	return nil, fmt.Errorf("no option @%s with %d arguments", name, len(n))
}

func numbers(words []string) ([]int, error) {
	var all []int
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}
