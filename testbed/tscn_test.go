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
	name := ""
	for line := range strings.Lines(text) {
		// A value may go over several lines.
		if name != "" && unfinished(at[name]) {
			at[name] += line
			continue
		}
		if m := tscnProperty.FindStringSubmatch(line); m != nil && at != nil {
			name = m[1]
			at[name] = line[len(m[0]):]
			continue
		}
		if !strings.HasPrefix(line, "[") {
			continue
		}
		name, at = "", map[string]string{}
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
	for _, node := range scene.nodes {
		for name, value := range node.properties {
			node.properties[name] = strings.TrimSuffix(value, "\n")
		}
	}
	return scene
}

// unfinished is true while a string is open; brackets are not looked at.
func unfinished(value string) bool {
	quotes := 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
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
