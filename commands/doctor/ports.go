package doctor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Ports of the engine's own servers, unless an editor was told others.
const (
	languagePort = 6005
	debugPort    = 6006
)

// bridgePort judges a port that was set for the editor's bridge.
func bridgePort(w *World) Check {
	text := w.Getenv("GODOT_MCP_BRIDGE_PORT")
	if text == "" {
		return Check{}
	}
	c := Check{Name: "bridge_port", Status: OK, Found: "GODOT_MCP_BRIDGE_PORT=" + text}
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 {
		c.Status, c.Found, c.Fix = Problem, c.Found+" is no port", "unset GODOT_MCP_BRIDGE_PORT"
		return c
	}
	for _, ed := range w.running {
		if ed.Port == port {
			c.Found += fmt.Sprintf(", where the editor %d listens", ed.PID)
			return c
		}
	}
	listening, known := w.listening()
	switch {
	case !known:
		c.Status, c.Found = Unknown, c.Found+"; whether it is free cannot be told here"
	case slices.Contains(listening, port):
		c.Status, c.Found = Problem, c.Found+" is taken by another program, so no editor can listen there"
		c.Fix = "unset GODOT_MCP_BRIDGE_PORT"
	}
	return c
}

// languagePorts tells who has the ports of the engine's language server and debug adapter. Of two editors
// only the first has them.
func languagePorts(w *World) Check {
	c := Check{Name: "ports", Status: OK}
	listening, known := w.listening()
	if !known {
		c.Status, c.Found = Unknown, "which ports are taken cannot be told here"
		return c
	}
	var taken []string
	for _, port := range []int{languagePort, debugPort} {
		if slices.Contains(listening, port) {
			taken = append(taken, strconv.Itoa(port))
		}
	}
	switch {
	case len(taken) == 0:
		c.Found = fmt.Sprintf("%d and %d, of language server and debug adapter, are free", languagePort, debugPort)
	case len(w.running) > 1:
		c.Status = Warning
		c.Found = fmt.Sprintf("%d editors want %s; only the first has them", len(w.running), strings.Join(taken, " and "))
		c.Fix = "start the second editor with --lsp-port and --dap-port of its own"
	case len(w.running) == 0:
		c.Status = Warning
		c.Found = strings.Join(taken, " and ") + " are taken, by an editor of another project or another program: language server and debug adapter of a new editor would not start"
		c.Fix = "close the other one, or start the editor with --lsp-port and --dap-port of its own"
	default:
		c.Found = strings.Join(taken, " and ") + " are in use, as they should be while an editor runs"
	}
	return c
}

// listening are the TCP ports on which somebody listens, where the system tells that without a try.
func (w *World) listening() (ports []int, known bool) {
	const listen = "0A"
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text := w.text(file)
		known = known || text != ""
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			if len(fields) < 4 || fields[3] != listen {
				continue
			}
			_, hex, _ := strings.Cut(fields[1], ":")
			if port, err := strconv.ParseUint(hex, 16, 16); err == nil {
				ports = append(ports, int(port))
			}
		}
	}
	return ports, known && w.OS == "linux"
}
