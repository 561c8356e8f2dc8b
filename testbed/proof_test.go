package testbed

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/commands"
)

var update = flag.Bool("update", false, "write the expected diffs in testbed/proof and docs/proof.md")

// proof shows of one mutating tool, on the real engine, that its preview changes nothing and tells what the
// run then does, that the saved and reopened file holds the change and nothing else, and that undo takes it
// back. Its second target is one that a save drops, and must be told so.
type proof struct {
	tool string
	// scene is the text of the scene that is edited; base, when set, the text of another one that it uses as
	// BASE.
	scene, base string
	// dropScene is the scene of drop when that is another one.
	dropScene string
	args      args
	// drop is a call whose change a save drops, for this reason; nil where the tool has no such target.
	drop   args
	reason string
	// before are calls that are made first.
	before []step
	// signals is a node whose connections are looked at too.
	signals string
}

// step is one call.
type step struct {
	tool string
	args args
}

// record is what the harness itself saw.
type record struct {
	tool, call, diff, drop         string
	pure, reopened, undone, redone bool
	note                           string
}

// records are what the proofs of this run saw, by tool.
var records = map[string]record{}

func TestProof(t *testing.T) {
	e := sharedEditor(t)
	for _, p := range proofs() {
		t.Run(strings.ReplaceAll(p.tool, " ", "_"), func(t *testing.T) {
			r := record{tool: p.tool, call: commands.ShellLine(p.tool, []byte(asJSON(p.args)))}
			prove(t, e, p, &r)
			if p.drop != nil {
				proveDrop(t, e, p)
				r.drop = p.reason
			}
			if !t.Failed() {
				records[p.tool] = r
			}
		})
	}
	proveFiles(t, e)
	proveReads(t, e)
	t.Run("page", func(t *testing.T) { checkPage(t) })
}

func (p proof) file(what string) string {
	return "proof/" + strings.NewReplacer(" ", "_", "-", "_").Replace(p.tool) + "_" + what + ".tscn"
}

// look is what the harness compares: the nodes and, where the tool changes them, connections.
func (p proof) look(t *testing.T, e *Editor) string {
	t.Helper()
	seen := builtInPath.ReplaceAllString(nodes(t, e, ""), "")
	if p.signals == "" {
		return seen
	}
	return seen + "\n" + cli(e).call(t, "signal list-connections", args{"node_path": p.signals}).ok(t).text("connections")
}

// builtInPath is what a built-in resource is called once it was saved.
var builtInPath = regexp.MustCompile(`"\$path":(?:"[^"]*"|null),`)

// prepare opens the scene as the engine itself would have written it, so that a later diff is the tool's
// alone.
func (p proof) prepare(t *testing.T, e *Editor, what string) string {
	t.Helper()
	text := p.scene
	if p.base != "" {
		text = strings.ReplaceAll(text, "BASE", write(t, e, p.file(what+"_base"), p.base))
	}
	scene := openScene(t, e, p.file(what), text)
	s := cli(e)
	for _, b := range p.before {
		s.call(t, b.tool, b.args).ok(t)
	}
	s.call(t, "scene save", nil).ok(t)
	return scene
}

func prove(t *testing.T, e *Editor, p proof, r *record) {
	s := cli(e)
	scene := p.prepare(t, e, "keep")
	textBefore, nodesBefore := read(t, e, scene), p.look(t, e)

	real := previewed(t, e, s, p.tool, p.args)
	r.pure = true
	real.has(t, map[string]string{"persisted": "true", "undoable": "true"})
	if tool, _ := commands.All().Lookup(p.tool); tool.Scene {
		real.has(t, map[string]string{"scene_path": scene})
	}
	nodesAfter := p.look(t, e)
	if nodesAfter == nodesBefore {
		t.Fatalf("nothing changed; the answer was %s", real.raw)
	}
	s.call(t, "scene save", nil).ok(t)
	textAfter := read(t, e, scene)
	r.diff = checkDiff(t, p.tool, textBefore, textAfter)

	s.call(t, "undo", nil).ok(t).has(t, map[string]string{"undone": "1", "last_action": p.tool, "by": "tool"})
	if got := p.look(t, e); got != nodesBefore {
		t.Fatalf("undo gave\n%s\nwant\n%s", got, nodesBefore)
	}
	s.call(t, "scene save", nil).ok(t)
	if got := read(t, e, scene); masked(got) != masked(textBefore) {
		t.Errorf("after undo the file differs from what it was:\n%s", lineDiff(textBefore, got))
	}
	r.undone = true

	s.call(t, "redo", nil).ok(t).has(t, map[string]string{"redone": "1", "last_action": p.tool})
	if got := p.look(t, e); got != nodesAfter {
		t.Fatalf("redo gave\n%s\nwant\n%s", got, nodesAfter)
	}
	s.call(t, "scene save", nil).ok(t)
	r.redone = true

	closeTab(t, e, scene)
	s.call(t, "scene open", args{"scene_path": scene}).ok(t)
	if got := p.look(t, e); got != nodesAfter {
		t.Errorf("the reopened file holds\n%s\nwant\n%s", got, nodesAfter)
	}
	r.reopened = true
}

// proveDrop makes the change that a save drops: preview and run must both say so, and the reopened file must
// agree, when its text is not the same anyway.
func proveDrop(t *testing.T, e *Editor, p proof) {
	s := cli(e)
	if p.dropScene != "" {
		p.scene = p.dropScene
	}
	scene := p.prepare(t, e, "drop")
	before, text := nodes(t, e, ""), read(t, e, scene)
	previewed(t, e, s, p.tool, p.drop).has(t, map[string]string{"persisted": "false", "reason": p.reason})
	s.call(t, "scene save", nil).ok(t)
	if masked(read(t, e, scene)) == masked(text) {
		return
	}
	closeTab(t, e, scene)
	s.call(t, "scene open", args{"scene_path": scene}).ok(t)
	// What the base scene brings in is back; a node renamed or moved may have been written beside it.
	got := "\n" + unordered(nodes(t, e, "")) + "\n"
	for _, line := range strings.Split(unordered(before), "\n") {
		if !strings.Contains(got, "\n"+line+"\n") {
			t.Errorf("the answer was that a save drops it, and the reopened file lacks\n%s\nit holds%s", line, got)
		}
	}
}

// unordered are the nodes without their order: a deleted node of a base scene comes back at another place.
func unordered(nodes string) string {
	lines := strings.Split(nodes, "\n")[1:]
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

var uniqueID = regexp.MustCompile(` unique_id=\d+| uid="uid://[a-z0-9]+"|parent_id_path=PackedInt32Array\([0-9, ]*\) ?`)

// drawnID is the name in a file that the engine gives a resource which has none.
var drawnID = regexp.MustCompile(`("[A-Za-z0-9]+_)[a-z0-9]{5}"`)

// masked hides what the engine draws by lot.
func masked(text string) string {
	return drawnID.ReplaceAllString(uniqueID.ReplaceAllString(text, ""), `${1}*"`)
}

// checkDiff compares the change of the file with the expected one and returns that one's name.
func checkDiff(t *testing.T, tool, before, after string) string {
	t.Helper()
	name := strings.ReplaceAll(tool, " ", "_") + ".diff"
	path := filepath.Join(Root(), "testbed", "proof", name)
	got := lineDiff(masked(before), masked(after))
	if got == "" {
		t.Errorf("the saved file is the same as before")
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the file changed by\n%s\nwant\n%s\nif that is right: go test ./testbed -run TestProof -update", got, want)
	}
	return name
}

// lineDiff is the shortest edit from one text to the other by lines, - for what went and + for what came.
func lineDiff(before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	// common[i][j] is the length of the longest common part of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out strings.Builder
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			out.WriteString("- " + a[i])
			i++
		default:
			out.WriteString("+ " + b[j])
			j++
		}
	}
	return out.String()
}

func TestLineDiff(t *testing.T) {
	got := lineDiff("a\nb\nc\n", "a\nx\nc\nd\n")
	if got != "- b\n+ x\n+ d\n" {
		t.Errorf("got %q", got)
	}
	if lineDiff("a\n", "a\n") != "" {
		t.Error("equal texts differ")
	}
}

// checkPage holds docs/proof.md against what was seen, and every mutating tool against having been seen.
func checkPage(t *testing.T) {
	for _, tool := range commands.All().Tools {
		changes := tool.Class == commands.Mutating || tool.Class == commands.Destructive
		if _, seen := records[tool.Name]; changes && !seen {
			t.Errorf("%s has no proof: add one to proofs() or proveFiles()", tool.Name)
		}
		if _, seen := readRecords[tool.Name]; tool.Class == commands.ReadOnly && !slices.Contains(needsDisplay, tool.Name) && !seen {
			t.Errorf("%s was not seen to read", tool.Name)
		}
		if _, seen := runRecords[tool.Name]; actsOnGame(tool) && !seen {
			t.Errorf("%s was not seen to act on a game", tool.Name)
		}
	}
	if t.Failed() {
		return
	}
	path := filepath.Join(Root(), "docs", "proof.md")
	if *update {
		if err := os.WriteFile(path, []byte(page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil || string(have) != page() {
		t.Errorf("docs/proof.md is stale (%v); run: go test ./testbed -run TestProof -update", err)
	}
}

func page() string {
	var b strings.Builder
	b.WriteString("# Proof\n\nWritten by `go test ./testbed -run TestProof -update` from what the tests saw on a real editor. Do not edit.\n\n" +
		"Of each tool that changes something: the preview left every file, time, open scene and history as it was and told what the run then did; " +
		"the saved file changed by just the lines of the linked diff; undo and redo led to the same nodes and the same file; the reopened file held the change; " +
		"and a target whose change a save drops was told so, by preview and run, and was indeed dropped.\n\n" +
		"| tool | call | preview changes nothing | file | undo | redo | reopened | a save would drop |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, name := range sortedKeys(records) {
		r := records[name]
		diff := "no change"
		if r.diff != "" {
			diff = fmt.Sprintf("[diff](../testbed/proof/%s)", r.diff)
		}
		if r.note != "" {
			diff = r.note
		}
		drop := r.drop
		if drop == "" {
			drop = "no such target"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s | %s | %s |\n", r.tool, inCell(r.call),
			seenWord(r.pure), diff, seenWord(r.undone), seenWord(r.redone), seenWord(r.reopened), drop)
	}
	return b.String() + readsPage() + runsPage()
}

func seenWord(seen bool) string {
	if seen {
		return "seen"
	}
	return "does not apply"
}
