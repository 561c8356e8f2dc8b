package testbed

import (
	"regexp"
	"strings"
	"testing"
)

// tscn is a scene file, read as text by nothing of the engine's.
type tscn struct {
	header   map[string]string
	nodes    map[string]tscnNode
	editable []string
}

type tscnNode struct {
	attributes, properties map[string]string
}

var (
	tscnAttribute = regexp.MustCompile(`(\w+)=("(?:[^"\\]|\\.)*"|[^\s"\]]+)`)
	tscnProperty  = regexp.MustCompile(`^([\w/:.]+) = `)
)

// readTSCN reads the sections of a scene file; values stay in the engine's spelling, strings with quotes.
func readTSCN(text string) tscn {
	scene := tscn{nodes: map[string]tscnNode{}}
	var at map[string]string
	name, inString := "", false
	var value strings.Builder
	for line := range strings.Lines(text) {
		m := tscnProperty.FindStringSubmatch(line)
		switch {
		case inString:
			// A string may go over several lines.
		case m != nil && at != nil:
			name = m[1]
			line = line[len(m[0]):]
			value.Reset()
		case !strings.HasPrefix(line, "["):
			continue
		default:
			name = ""
		}
		if name != "" {
			value.WriteString(line)
			inString = inString != oddQuotes(line)
			if !inString {
				at[name] = strings.TrimSuffix(value.String(), "\n")
			}
			continue
		}
		at = map[string]string{}
		kind := strings.Fields(strings.Trim(line, "[]\n"))[0]
		attributes := map[string]string{}
		for _, m := range tscnAttribute.FindAllStringSubmatch(line, -1) {
			attributes[m[1]] = strings.Trim(m[2], `"`)
		}
		switch kind {
		case "gd_scene":
			scene.header = attributes
		case "editable":
			scene.editable = append(scene.editable, attributes["path"])
		case "node":
			path := attributes["name"]
			switch parent, below := attributes["parent"]; {
			case !below:
				path = "."
			case parent != ".":
				path = parent + "/" + path
			}
			scene.nodes[path] = tscnNode{attributes, at}
		}
	}
	return scene
}

// oddQuotes is true when a line begins or ends a string that goes over several lines.
func oddQuotes(line string) bool {
	quotes := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			quotes++
		}
	}
	return quotes%2 == 1
}

func TestReadTSCN(t *testing.T) {
	scene := readTSCN("[gd_scene format=3 uid=\"uid://abc\"]\n\n[node name=\"Top\" type=\"Node\"]\n\n" +
		"[node name=\"A b\" type=\"Label\" parent=\".\"]\ntext = \"one\n[node name=\\\"x\\\"]\ntwo\"\nvisible = false\n\n" +
		"[node name=\"C\" parent=\"A b\" instance=ExtResource(\"1\")]\n\n[editable path=\"A b/C\"]\n")
	label := scene.nodes["A b"]
	if scene.header["uid"] != "uid://abc" || scene.nodes["."].attributes["type"] != "Node" ||
		label.properties["text"] != "\"one\n[node name=\\\"x\\\"]\ntwo\"" || label.properties["visible"] != "false" ||
		scene.nodes["A b/C"].attributes["name"] != "C" || len(scene.nodes) != 3 || scene.editable[0] != "A b/C" {
		t.Errorf("read %+v", scene)
	}
}
