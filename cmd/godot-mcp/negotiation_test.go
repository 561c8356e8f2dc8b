package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// negotiation is a caller, a build and what comes of them; the editor serves what the build serves.
var negotiations = map[string]struct {
	build  commands.Contract
	caller int
	side   string
}{
	"the same":            {commands.Contract{Version: 1, MinCompatible: 1}, 1, ""},
	"newer server":        {commands.Contract{Version: 3, MinCompatible: 1}, 1, ""},
	"newer server, newer": {commands.Contract{Version: 3, MinCompatible: 1}, 3, ""},
	"older server":        {commands.Contract{Version: 1, MinCompatible: 1}, 2, "upgrade godot-mcp"},
	"floor moved":         {commands.Contract{Version: 3, MinCompatible: 2}, 1, "upgrade the caller"},
}

// runAs runs a command line as a build with other numbers would.
func runAs(numbers commands.Contract, input string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	a := &app{
		streams: streams{in: strings.NewReader(input), out: &out, err: &err}, table: commands.All(), contract: numbers,
	}
	code = a.run(args)
	return code, out.String(), err.String()
}

func TestNegotiationOnTheCommandLine(t *testing.T) {
	for name, n := range negotiations {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			editor := bridgetest.New(t, bridgetest.Contract(n.build.Version, n.build.MinCompatible))
			editor.Setenv(t)
			editor.Reply("scene.list", `{"scenes":[],"main_scene":null}`)
			asked := 0
			for _, way := range []func() (int, string, string){
				func() (int, string, string) {
					return runAs(n.build, "", "scene", "list", "--project", editor.Project, "--contract", fmt.Sprint(n.caller))
				},
				func() (int, string, string) {
					t.Setenv("GODOT_MCP_CONTRACT", fmt.Sprint(n.caller))
					return runAs(n.build, "", "scene", "list", "--project", editor.Project)
				},
			} {
				code, _, stderr := way()
				if n.side == "" {
					asked++
				}
				if (code == 0) != (n.side == "") || n.side != "" && (code != 3 || !strings.Contains(stderr, n.side)) {
					t.Errorf("exit %d, %s; want %q", code, stderr, n.side)
				}
				if len(editor.Calls()) != asked {
					t.Errorf("%d calls reached the editor, want %d", len(editor.Calls()), asked)
				}
			}
		})
	}
}

// One line says that it is of another contract than its neighbours.
func TestNegotiationOfOneLine(t *testing.T) {
	for name, n := range negotiations {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			editor := bridgetest.New(t, bridgetest.Contract(n.build.Version, n.build.MinCompatible))
			editor.Setenv(t)
			editor.Reply("scene.list", `{"scenes":[],"main_scene":null}`)
			input := fmt.Sprintf("{\"tool\":\"scene list\",\"contract\":%d}\n{\"tool\":\"scene list\"}\n", n.caller)
			code, stdout, stderr := runAs(n.build, input, "call", "-", "--project", editor.Project)
			lines := strings.Split(strings.TrimSpace(stdout), "\n")
			if code != 0 || len(lines) != 2 {
				t.Fatalf("exit %d, %q, %s", code, lines, stderr)
			}
			for i, side := range []string{n.side, ""} {
				var answer callAnswer
				if err := json.Unmarshal([]byte(lines[i]), &answer); err != nil {
					t.Fatal(err)
				}
				if answer.OK != (side == "") || !strings.Contains(answer.Hint, side) {
					t.Errorf("line %d: %s, want %q", i, lines[i], side)
				}
			}
		})
	}
}

func TestVersionTellsTheNumbersThatAreServed(t *testing.T) {
	for _, command := range [][]string{{"version"}, {"contract", "show"}} {
		_, stdout, _ := runAs(commands.Contract{Version: 5, MinCompatible: 4}, "", command...)
		if !strings.Contains(stdout, `"contract_version":5,"min_compatible_contract":4`) {
			t.Errorf("%q: %.200s", command, stdout)
		}
	}
}

// A number that was raised announces what breaks.
func TestRaisedNumberAnnouncesABreak(t *testing.T) {
	_, facts, _ := runAs(commands.Contract{Version: 1, MinCompatible: 1}, "", "contract", "show", "--format", "facts")
	file := t.TempDir() + "/old.txt"
	if err := os.WriteFile(file, []byte(facts+"required something\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[int]int{1: commands.ExitContractBreak, 2: 0} {
		code, stdout, _ := runAs(commands.Contract{Version: version, MinCompatible: 1}, "", "contract", "check", "--against", file)
		if code != want || !strings.Contains(stdout, `"required-removed"`) {
			t.Errorf("contract %d: exit %d, want %d: %s", version, code, want, stdout)
		}
	}
}
