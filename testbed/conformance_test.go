package testbed

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// conforming is the binary that also has the rows which the conformance suite asks for.
func conforming(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "godot-mcp")
	cmd := exec.Command("go", "build", "-tags", "conformance", "-ldflags", "-X main.version=2026.01.02", "-o", bin, "./cmd/godot-mcp")
	cmd.Dir, cmd.Env = Root(), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// scenario is a line of the suite's summary.
var scenario = regexp.MustCompile(`(?m)^([✓✗]) ([a-z0-9-]+): \d+ passed, \d+ failed$`)

// TestConformance: the official suite finds every scenario passed that a revision requires, over our
// transport, validation and policy. What the suite runs beyond that is not ours: tasks, which this server
// does not have, and headers that repeat arguments, which no tool asks for.
func TestConformance(t *testing.T) {
	folder, node := clientFolder(t)
	e := *sharedEditor(t)
	e.Bin = conforming(t)
	openScene(t, &e, "conformance.tscn", "[gd_scene format=3]\n\n[node name=\"Conformance\" type=\"Node2D\"]\n")
	suite := filepath.Join(folder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
	for revision, required := range map[string]int{"2026-07-28": 37, "2025-11-25": 30} {
		t.Run(revision, func(t *testing.T) {
			url := serveOpenly(t, &e)
			out, err := e.run(t, node, suite, "server", "--url", url, "--requirements", revision, "--output-dir", t.TempDir())
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			passed := 0
			for _, found := range scenario.FindAllStringSubmatch(string(out), -1) {
				beyond := strings.HasPrefix(found[2], "tasks-") || found[2] == "http-custom-header-server-validation"
				switch {
				case found[1] == "✓" && !beyond:
					passed++
				case !beyond:
					t.Errorf("%s failed", found[0])
				}
			}
			if passed < required {
				t.Errorf("%d scenarios passed, %d are required", passed, required)
			}
		})
	}
}

// suiteFact is a fact about one of the suite's rows, or about their toolset.
var suiteFact = regexp.MustCompile(`^[a-z]+ conformance( |$)`)

// TestConformanceRowsAreAllThatDiffers: what the suite was run against is this binary and those rows.
func TestConformanceRowsAreAllThatDiffers(t *testing.T) {
	bin, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	facts := func(bin string) []string {
		out, err := exec.Command(bin, "contract", "show", "--format", "facts").Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	ours, theirs := facts(bin), facts(conforming(t))
	known := map[string]bool{}
	for _, fact := range ours {
		known[fact] = true
	}
	rows := 0
	for _, fact := range theirs {
		switch {
		case known[fact]:
			delete(known, fact)
		case suiteFact.MatchString(fact):
			rows++
		case !strings.HasPrefix(fact, "contract digest"):
			t.Errorf("only the suite's binary has %q", fact)
		}
	}
	for fact := range known {
		if !strings.HasPrefix(fact, "contract digest") {
			t.Errorf("the suite's binary lacks %q", fact)
		}
	}
	if rows < 26 {
		t.Errorf("there are %d facts about rows of the suite", rows)
	}
}
