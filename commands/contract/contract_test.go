package contract

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func facts(t *testing.T, text string) []Fact {
	t.Helper()
	out, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFactsReadBackAsTheyWereWritten(t *testing.T) {
	for _, f := range []Fact{
		{"tool", "node add", "", ""},
		{"param", "node add.index", "default", "-1"},
		{"param", "test run.op", "enum ==", ""},
		{"error", "TIMEOUT", "meaning", "It came late: a = b."},
		{"value", "Vector2", `accepts {"x": 1}`, ""},
		{"exit", "10", "", "answer_no"},
	} {
		got, err := parseFact(f.String())
		if err != nil || got != f {
			t.Errorf("%q came back as %+v, %v", f.String(), got, err)
		}
	}
	for _, line := range []string{"", "x", " "} {
		if f, err := parseFact(line); err == nil {
			t.Errorf("%q is taken for %+v", line, f)
		}
	}
}

func TestTextIsSortedAndTakesNoNoticeOfOrder(t *testing.T) {
	list := facts(t, base)
	slices.Reverse(list)
	text := Text(list)
	if lines := strings.Split(strings.TrimSpace(text), "\n"); !slices.IsSorted(lines) {
		t.Error("the lines are not sorted")
	}
	if text != Text(facts(t, "# a comment\n\n"+base)) {
		t.Error("another order gave another text")
	}
}

func TestDigestIsOfTheCatalogueAlone(t *testing.T) {
	digest := DigestOf(facts(t, base))
	if digest != DigestOf(apply(t, "contract version = 2", "contract version = 3")) {
		t.Error("the contract number is in the digest")
	}
	if digest == DigestOf(apply(t, "", "tool v")) {
		t.Error("a tool is not in the digest")
	}
}

func TestNothingIsDifferentFromItself(t *testing.T) {
	if got := Compare(facts(t, base), facts(t, base)); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestWhatGoesWithItsOwnerIsNotListed(t *testing.T) {
	old := "tool t\ntool t: class = mutating\nparam t.l\nparam t.l[]\nparam t.l[].x\nparam t.l[].x: type = string\nresult t.a\n"
	for now, want := range map[string]string{
		"": "tool t", "tool t\ntool t: class = mutating\nresult t.a\n": "param t.l",
		"tool t\ntool t: class = mutating\nparam t.l\nparam t.l[]\nresult t.a\n": "param t.l[].x",
	} {
		for _, turned := range []bool{false, true} {
			was, is := facts(t, old), facts(t, now)
			if turned {
				was, is = is, was
			}
			got := Compare(was, is)
			if len(got) != 1 || got[0].Was+got[0].Now != want {
				t.Errorf("%q, turned %t: got %v, want %s alone", now, turned, got, want)
			}
		}
	}
}

func TestAnnouncedBreaksAreCompatible(t *testing.T) {
	old := facts(t, base)
	gone := apply(t, "required confirm", "")
	if r := Check(old, gone, nil); r.Compatible || r.Breaking != 1 || r.Announced {
		t.Errorf("not announced: %+v", r)
	}
	raised := facts(t, strings.Replace(Text(gone), "version = 2", "version = 3", 1))
	if r := Check(old, raised, nil); !r.Compatible || r.Breaking != 1 || r.Additive != 1 || !r.Announced {
		t.Errorf("announced: %+v", r)
	}
}

func TestExceptionsAcceptOneFactOfTheirNumber(t *testing.T) {
	old, gone := facts(t, base), apply(t, "required confirm", "")
	for text, compatible := range map[string]bool{
		"2\trequired confirm\tnever used": true,
		"3\trequired confirm\ttoo early":  false,
		"2\trequired policy\tanother":     false,
		"# 2\trequired confirm\ta remark": false,
	} {
		exceptions, err := ParseExceptions(text)
		if err != nil {
			t.Fatal(err)
		}
		r := Check(old, gone, exceptions)
		if r.Compatible != compatible || compatible && r.Differences[0].Accepted != "never used" {
			t.Errorf("%q: %+v", text, r)
		}
	}
	for _, text := range []string{"2\tx", "x\ty\tz", "0\ty\tz", "2\ty\t "} {
		if _, err := ParseExceptions(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestTheLineToAcceptIsOneThatIsRead(t *testing.T) {
	for _, d := range Compare(facts(t, base), apply(t, "required confirm", "param t.z\nparam t.z: required = true")) {
		exceptions, err := ParseExceptions(d.Line(2, "why"))
		if err != nil || len(exceptions) != 1 || acceptedBy(exceptions, d, 2) != "why" {
			t.Errorf("%s: %v, %v", d.Line(2, "why"), exceptions, err)
		}
	}
}

func TestJSONOfShowHoldsAllFacts(t *testing.T) {
	s := &Surface{
		ContractVersion: 2, MinCompatibleContract: 1,
		Tools: []Tool{{
			Name: "godot_t", CLI: "t", Class: "mutating", Toolset: "core", Alias: "old", Answer: "ok",
			AliasMap: AliasMap{Params: map[string]string{"p": "a"}, Arguments: map[string]string{"b": ".x"}, Results: map[string]string{"r": "ok"}},
			Params:   []Param{{Name: "a", Shape: Shape{Type: "array", Items: &Result{Shape: Shape{Type: "object", Fields: []Result{{Name: "x", Shape: Shape{Type: "any"}}}}}}, Default: json.RawMessage("[]"), Position: 1, Kind: "node"}},
			Result:   []Result{{Name: "ok", Shape: Shape{Type: "boolean", Enum: []string{"a"}}, Optional: true, Nullable: true}},
		}},
		Errors: []Error{{Error: "LOST", Exit: 9, Meaning: "It is lost."}}, Required: []Required{{Name: "confirm"}},
		ExitCodes: []ExitCode{{Code: 10, Name: "answer_no"}}, Values: []Value{{Type: "Color", Out: "{}", Accepted: []string{"name"}}},
		Prompts: []Prompt{{Name: "p", Arguments: []string{"a"}}}, Resources: []Resource{{URI: "r://x"}},
		Commands: []Command{{Flags: []Flag{{Name: "g", Type: "int"}}}, {Name: "c", Flags: []Flag{{Name: "f", Short: "f", Type: "string"}}}},
		Env:      []Env{{Name: "V", Refused: true}}, Envelope: []Message{{Name: "request", Fields: []Result{{Name: "id"}}}},
		Events: []Message{{Name: "saved", Fields: []Result{{Name: "path"}}}}, Limits: []Limit{{Name: "size", Value: 10}},
	}
	encoded, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Text(facts(t, string(encoded))), Text(s.Facts()); got != want {
		t.Errorf("JSON gave\n%s\nwant\n%s", got, want)
	}
	if _, err := Parse(`{"tools": 1}`); err == nil {
		t.Error("JSON that is no surface was taken")
	}
	for _, kind := range strings.Fields("contract tool param result toolset alias error required exit value prompt resource command flag env envelope event limit") {
		if !strings.Contains(Text(s.Facts()), kind+" ") {
			t.Errorf("there is no fact of the kind %s", kind)
		}
	}
}

func TestFrozenSnapshotsAreThere(t *testing.T) {
	list, err := Frozen(1)
	if err != nil || Number(list, "version") != 1 {
		t.Errorf("contract 1: %d facts, %v", len(list), err)
	}
	if _, err := Frozen(99); err == nil {
		t.Error("contract 99 is there")
	}
}

func TestExceptionsAreOfNumbersThatAreFrozen(t *testing.T) {
	exceptions, err := Exceptions()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range exceptions {
		if _, err := Frozen(e.Contract); err != nil {
			t.Errorf("%s: %v", e.Fact, err)
		}
		if _, err := parseFact(e.Fact); err != nil {
			t.Error(err)
		}
	}
}
