package jq

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	Worker()
	os.Exit(m.Run())
}

const scene = `{"name":"Main","children":[{"name":"Player","id":9007199254740993},{"name":"Zażółć"}],"ratio":1.50}`

func TestRunGivesAllValues(t *testing.T) {
	for expression, want := range map[string]string{
		".name":                           `["Main"]`,
		".children[].name":                `["Player","Zażółć"]`,
		".children[0].id":                 `[9007199254740993]`,
		"empty":                           `[]`,
		"[.children[]|select(.id)]":       `[[{"id":9007199254740993,"name":"Player"}]]`,
		"1, halt, 2":                      `[1]`,
		"env, $ENV":                       `[{},{}]`,
		"reduce range(1000) as $i(0;.+1)": `[1000]`,
	} {
		got, err := Self().Run(context.Background(), expression, json.RawMessage(scene))
		if err != nil || string(got) != want {
			t.Errorf("%s gave %s %v, want %s", expression, got, err, want)
		}
	}
}

func TestWhatReachesOutOfTheResultIsRefused(t *testing.T) {
	t.Setenv("GODOT_MCP_SECRET", "x")
	for _, expression := range []string{
		"input", "[inputs]", "input_filename", "debug", "stderr", `import "a" as a; .`, `include "a"; .`,
		`env.GODOT_MCP_SECRET | error`, `$ENV.GODOT_MCP_SECRET | error`, `get_search_list`, `"a" | modulemeta`,
	} {
		got, err := Self().Run(context.Background(), expression, json.RawMessage(scene))
		if err == nil {
			t.Errorf("%s gave %s", expression, got)
		}
	}
}

// Each goes over a bound; which of two it meets first is a matter of the machine. Many are one step that
// nothing inside the process could end.
func TestRunsWithoutEndAreEnded(t *testing.T) {
	const either = "memory|longer than 2s"
	for expression, want := range map[string]string{
		"[range(1e12)]":                                       either,
		`"x" * 2147483646`:                                    either,
		`reduce range(60) as $i ("x"; . + .)`:                 either,
		"reduce range(60) as $i (1; [.,.]) | tojson | length": either,
		"def f: [f]; f":                                       either,
		"reduce range(1e7) as $i (0; [.])":                    either,
		"last(range(1e15))":                                   either,
		"reduce range(60) as $i (1; [.,.]) | . == (reduce range(60) as $i (1; [.,.]))": either,
		"repeat(.)":                          "more than 4 MiB|longer",
		"reduce range(20000) as $i (0; [.])": "nested deeper",
		`error("no such \(.name)")`:          "no such Main",
	} {
		t.Run(expression, func(t *testing.T) {
			t.Parallel()
			got, err := Self().Run(context.Background(), expression, json.RawMessage(scene))
			if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
				t.Errorf("gave %d bytes and %v, want %q", len(got), err, want)
			}
		})
	}
}

// An expression is read in the server itself: whatever it nests, the longest that is taken is read or refused,
// a longer one is not looked at and not repeated.
func TestNoExpressionEndsTheProcessThatReadsIt(t *testing.T) {
	for _, part := range []string{"(", "[", "-", "{a:", "def f: ", `"\\(`, "if ", "try ", ".[", ".a", ".|", "?", "reduce ", ". as [", "label $a|"} {
		_, _ = Compile(strings.Repeat(part, MaxExpression/len(part)))
		_, err := Compile(strings.Repeat(part, 1<<20))
		if err == nil || len(err.Error()) > 200 || !strings.Contains(err.Error(), "the most is 16384") {
			t.Errorf("%s: %.200v", part, err)
		}
	}
	nested := MaxExpression/2 - 1
	if _, err := Compile(strings.Repeat("(", nested) + "." + strings.Repeat(")", nested)); err != nil {
		t.Errorf("the longest expression is refused: %.200v", err)
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Self().Run(ctx, ".", json.RawMessage(scene))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTheZeroRunnerIsNotAvailable(t *testing.T) {
	if (Runner{}).Available() || !Self().Available() {
		t.Error("it is the other way round")
	}
}
