package contract

import (
	"strings"
	"testing"
)

// base is a contract in small; each proof changes one line of it.
const base = `
contract min_compatible = 1
contract version = 2
tool t
tool t: answer = ok
tool t: class = mutating
tool t: executes_code = false
tool t: mcp_name = godot_t
tool t: starter = true
tool t: toolset = core
tool u
tool u: executes_code = true
tool u: starter = false
toolset core
param t.a
param t.a: default = 1
param t.a: position = 0
param t.a: required = false
param t.a: type = integer
param t.n
param t.n: default = 1
param t.n: position = 2
param t.n: required = false
param t.n: type = number
param t.r
param t.r: default = null
param t.r: kind = node
param t.r: position = 1
param t.r: required = true
param t.r: type = string
param t.e: enum one
param t.e: enum two
param t.e
param t.e: type = string
param t.l
param t.l: type = array
param t.l[]
param t.l[]: nullable = false
param t.l[].x
param t.l[].x: nullable = true
param t.l[].x: optional = true
param t.l[].y
param t.l[].y: optional = false
result t.a
result t.a: nullable = false
result t.a: optional = false
result t.a: type = integer
result t.n
result t.n: nullable = true
result t.n: optional = true
result t.n: type = number
result t.e
result t.e: enum one
result t.e: enum two
result t.e: type = string
result t.f
result t.f: type = string
alias old = t
alias old: param p = a
error LOST
error LOST: exit = 9
error LOST: meaning = It is lost.
required confirm
exit 10 = answer_no
command c
flag c --f
flag c --f: short = f
flag c --f: type = string
flag c --g
flag c --g: type = string
env V
env V: refused = false
env W
env W: refused = true
value Color
value Color: accepts name
value Color: out = object
prompt p
prompt p: argument a
env T: refused = false
resource r://x
limit size = 10
envelope request
envelope request.id
envelope request.id: optional = false
envelope request.key
envelope request.key: optional = true
event saved
event saved.path
event saved.path: type = string
event closed
`

// proof shows that a rule fires when the lines was become now, and not when they become near, the nearest
// change with the other verdict.
type proof struct{ rule, was, now, near string }

var proofs = []proof{
	{"snapshot-torn", "", "env T", "env X"},
	{"contract-raised", "contract version = 2", "contract version = 3", "contract version = 1"},
	{"contract-lowered", "contract version = 2", "contract version = 1", "contract version = 3"},
	{"floor-raised", "contract min_compatible = 1", "contract min_compatible = 2", "contract min_compatible = 0"},
	{"floor-lowered", "contract min_compatible = 1", "contract min_compatible = 0", "contract min_compatible = 2"},
	{"limit-raised", "limit size = 10", "limit size = 11", "limit size = 9"},
	{"limit-lowered", "limit size = 10", "limit size = 9", "limit size = 11"},

	{"param-added-required", "", "param t.z\nparam t.z: required = true", "param t.z\nparam t.z: required = false"},
	{"confirm-added", "", "param t.confirm\nparam t.confirm: required = false", "param t.confirmed\nparam t.confirmed: required = false"},
	{"param-type-widened", "param t.a: type = integer", "param t.a: type = number", "param t.a: type = string"},
	{"param-type-changed", "param t.n: type = number", "param t.n: type = integer", "param t.n: type = any"},
	{"param-default-new", "param t.r: default = null", `param t.r: default = "x"`, ""},
	{"param-default-changed", "param t.a: default = 1", "param t.a: default = 2", "param t.a: default = 1\nparam t.z\nparam t.z: default = 2"},
	{"param-made-required", "param t.a: required = false", "param t.a: required = true", "param t.a: required = false\nparam t.z\nparam t.z: required = false"},
	{"param-made-optional", "param t.r: required = true", "param t.r: required = false", ""},
	{"param-made-positional", "param t.a: position = 0", "param t.a: position = 3", ""},
	{"param-position-changed", "param t.n: position = 2", "param t.n: position = 3", "param t.n: position = 2\nparam t.z\nparam t.z: position = 3"},
	{"param-enum-opened", "param t.e: enum one\nparam t.e: enum two", "", "param t.e: enum one"},
	{"param-enum-removed", "param t.e: enum two", "", "param t.e: enum three\nparam t.e: enum two"},
	{"param-enum-closed", "", "param t.r: enum one", "param t.e: enum three"},
	{"param-enum-added", "", "param t.e: enum three", "param t.r: enum three"},
	{"param-kind-dropped", "param t.r: kind = node", "", "param t.r: kind = project"},
	{"param-kind-changed", "param t.r: kind = node", "param t.r: kind = project", ""},
	{"param-nullable", "param t.l[]: nullable = false", "param t.l[]: nullable = true", ""},
	{"param-not-nullable", "param t.l[].x: nullable = true", "param t.l[].x: nullable = false", "param t.l[].x: nullable = true\nparam t.l[].z\nparam t.l[].z: nullable = false"},

	{"result-type-narrowed", "result t.n: type = number", "result t.n: type = integer", "result t.n: type = string"},
	{"result-type-changed", "result t.a: type = integer", "result t.a: type = number", "result t.a: type = integer\nresult t.z\nresult t.z: type = number"},
	{"result-made-optional", "result t.a: optional = false", "result t.a: optional = true", "result t.a: optional = false\nresult t.z\nresult t.z: optional = true"},
	{"result-made-nullable", "result t.a: nullable = false", "result t.a: nullable = true", "result t.a: nullable = false\nresult t.z\nresult t.z: nullable = true"},
	{"result-always-there", "result t.n: optional = true", "result t.n: optional = false", ""},
	{"result-enum-opened", "result t.e: enum one\nresult t.e: enum two", "", "result t.e: enum one"},
	{"result-enum-removed", "result t.e: enum two", "", "result t.e: enum two\nresult t.e: enum three"},
	{"result-enum-closed", "", "result t.f: enum one", "result t.e: enum three"},
	{"result-enum-added", "", "result t.e: enum three", "result t.f: enum three"},

	{"class-changed", "tool t: class = mutating", "tool t: class = destructive", "tool t: class = mutating\ntool v\ntool v: class = destructive"},
	{"toolset-changed", "tool t: toolset = core", "tool t: toolset = node", "tool t: toolset = core\ntool v\ntool v: toolset = node"},
	{"mcp-name-changed", "tool t: mcp_name = godot_t", "tool t: mcp_name = t", "tool t: mcp_name = godot_t\ntool v\ntool v: mcp_name = t"},
	{"executes-code", "tool t: executes_code = false", "tool t: executes_code = true", "tool t: executes_code = false\ntool v\ntool v: executes_code = true"},
	{"executes-no-code", "tool u: executes_code = true", "tool u: executes_code = false", ""},
	{"starter-left", "tool t: starter = true", "tool t: starter = false", "tool t: starter = true\ntool v\ntool v: starter = false"},
	{"starter-joined", "tool u: starter = false", "tool u: starter = true", ""},
	{"answer-changed", "tool t: answer = ok", "", "tool t: answer = ok\ntool v\ntool v: answer = ok"},
	{"alias-moved", "alias old = t", "alias old = u", "alias old = t\nalias older = t"},
	{"alias-map-added", "", "alias old: result x = y", "alias old: param p = b"},
	{"alias-map-changed", "alias old: param p = a", "alias old: param p = n", "alias old: param p = a\nalias old: param q = n"},

	{"error-exit-changed", "error LOST: exit = 9", "error LOST: exit = 8", "error LOST: exit = 9\nerror NEW\nerror NEW: exit = 8"},
	{"error-meaning-changed", "error LOST: meaning = It is lost.", "error LOST: meaning = It is found.", "error LOST: meaning = It is lost.\nerror NEW\nerror NEW: meaning = It is found."},
	{"exit-meaning-changed", "exit 10 = answer_no", "exit 10 = ok", "exit 10 = answer_no\nexit 11 = ok"},
	{"flag-type-changed", "flag c --f: type = string", "flag c --f: type = int", "flag c --f: type = string\nflag c --h\nflag c --h: type = int"},
	{"flag-short-added", "", "flag c --g: short = g", "flag c --f: short = g"},
	{"flag-short-changed", "flag c --f: short = f", "", "flag c --f: short = f\nflag c --g: short = g"},
	{"env-refused", "env V: refused = false", "env V: refused = true", "env V: refused = false\nenv X\nenv X: refused = true"},
	{"env-allowed", "env W: refused = true", "env W: refused = false", ""},
	{"value-form-added", "", "value Color: accepts array", ""},
	{"value-form-removed", "value Color: accepts name", "", "value Color: accepts name\nvalue Color: accepts array"},
	{"value-out-changed", "value Color: out = object", "value Color: out = array", "value Color: out = object\nvalue Rect2\nvalue Rect2: out = array"},
	{"prompt-argument-added", "", "prompt p: argument b", ""},
	{"prompt-argument-removed", "prompt p: argument a", "", "prompt p: argument a\nprompt p: argument b"},
	{"envelope-field-added", "", "envelope request.raw\nenvelope request.raw: optional = true", "envelope request.raw\nenvelope request.raw: optional = false"},
	{"envelope-message-added", "", "envelope cut\nenvelope cut.count\nenvelope cut.count: optional = false", "envelope request.count\nenvelope request.count: optional = false"},
	{"envelope-changed", "envelope request.id: optional = false", "envelope request.id: optional = true", "envelope request.id: optional = false\nenvelope request.raw\nenvelope request.raw: optional = true"},
	{"event-changed", "event saved.path: type = string", "event saved.path: type = any", "event saved.path: type = string\nevent saved.time\nevent saved.time: type = any"},
	{"unforeseen", "", "moon full", ""},
}

// existence are the kinds that come and go as a whole, with a line that is in base and one that is not.
var existence = map[string][2]string{
	"tool": {"tool u\ntool u: executes_code = true\ntool u: starter = false", "tool v"}, "toolset": {"toolset core", "toolset node"},
	"param":  {"param t.e\nparam t.e: enum one\nparam t.e: enum two\nparam t.e: type = string", "param t.z\nparam t.z: required = false"},
	"result": {"result t.f\nresult t.f: type = string", "result t.z\nresult t.z: optional = false"},
	"alias":  {"alias old = t\nalias old: param p = a", "alias older = u"}, "required": {"required confirm", "required policy"},
	"error": {"error LOST\nerror LOST: exit = 9\nerror LOST: meaning = It is lost.", "error NEW\nerror NEW: exit = 20"},
	"exit":  {"exit 10 = answer_no", "exit 20 = new"}, "command": {"command c\nflag c --f\nflag c --f: short = f\nflag c --f: type = string\nflag c --g\nflag c --g: type = string", "command d"},
	"flag": {"flag c --g\nflag c --g: type = string", "flag c --h\nflag c --h: type = int"}, "env": {"env V\nenv V: refused = false", "env X\nenv X: refused = false"},
	"value":  {"value Color\nvalue Color: accepts name\nvalue Color: out = object", "value Rect2\nvalue Rect2: out = object"},
	"prompt": {"prompt p\nprompt p: argument a", "prompt q"}, "resource": {"resource r://x", "resource r://y"}, "limit": {"limit size = 10", "limit count = 1"},
	"event": {"event closed", "event opened\nevent opened.path\nevent opened.path: type = any"},
}

func allProofs() []proof {
	all := append([]proof(nil), proofs...)
	for kind, lines := range existence {
		all = append(all,
			proof{kind + "-removed", lines[0], "", lines[0] + "\n" + lines[1]},
			proof{kind + "-added", "", lines[1], "-" + lines[0]})
	}
	return all
}

// apply takes lines out of base and puts others in; lines after a minus are taken out as well.
func apply(t *testing.T, was, now string) []Fact {
	t.Helper()
	text := base
	if out, ok := strings.CutPrefix(now, "-"); ok {
		was, now = out, ""
	}
	for line := range strings.SplitSeq(was, "\n") {
		if line != "" && !strings.Contains(text, "\n"+line+"\n") {
			t.Fatalf("base has no line %q", line)
		}
		text = strings.Replace(text, "\n"+line+"\n", "\n", 1)
	}
	facts, err := Parse(text + now)
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

func TestEveryRuleFiresAndLeavesItsNeighbourAlone(t *testing.T) {
	old := apply(t, "", "")
	for _, p := range allProofs() {
		t.Run(p.rule, func(t *testing.T) {
			differences := Compare(old, apply(t, p.was, p.now))
			if len(differences) == 0 {
				t.Fatal("nothing is different")
			}
			for _, d := range differences {
				if d.Rule != p.rule {
					t.Errorf("%s fired for %s -> %s", d.Rule, d.Was, d.Now)
				}
			}
			for _, d := range Compare(old, apply(t, p.was, p.near)) {
				if d.Rule == p.rule || d.Breaking == differences[0].Breaking {
					t.Errorf("near: %s fired for %s -> %s", d.Rule, d.Was, d.Now)
				}
			}
		})
	}
}

func TestEveryRuleHasAProof(t *testing.T) {
	proven := map[string]int{}
	for _, p := range allProofs() {
		proven[p.rule]++
	}
	for _, r := range Rules {
		if proven[r.ID] != 1 {
			t.Errorf("%s has %d proofs", r.ID, proven[r.ID])
		}
		delete(proven, r.ID)
	}
	for id := range proven {
		t.Errorf("there is no rule %s", id)
	}
}
