package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestPromptListHasArguments(t *testing.T) {
	eachEra(t, alone, func(t *testing.T, w *wire, era string) {
		var list struct{ Prompts []listedPrompt }
		r := w.asked(era, 2, "prompts/list", "")
		if err := json.Unmarshal(r.Result, &list); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range list.Prompts {
			line := p.Name
			for _, a := range p.Arguments {
				line += " " + a.Name
				if a.Required {
					line += "!"
				}
				if a.Description == "" {
					t.Errorf("%s.%s has no description", p.Name, a.Name)
				}
			}
			got = append(got, line)
		}
		want := []string{
			"author_resource resource_kind! save_path!", "batch_refactor node_type! property! value!", "build_scene scene_path! root_type",
			"debug_scene scene_path", "export_build preset! output_path!", "play_test scene_path", "script_edit script_path! node_path",
			"toolset_discovery", "troubleshoot error_message",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("listed\n%s", strings.Join(got, "\n"))
		}
		if aged := strings.Contains(string(r.Result), `"ttlMs":300000,"cacheScope":"private"`); aged != (era == "modern") {
			t.Errorf("%.300s", r.Result)
		}
	})
}

func TestPromptIsFilledIn(t *testing.T) {
	eachEra(t, alone, func(t *testing.T, w *wire, era string) {
		r := w.asked(era, 2, "prompts/get", `"name":"build_scene","arguments":{"scene_path":"res://a \"b\".tscn"}`)
		var prompt struct {
			Description string
			Messages    []struct {
				Role    string
				Content struct{ Type, Text string }
			}
		}
		if err := json.Unmarshal(r.Result, &prompt); err != nil || len(prompt.Messages) != 1 {
			t.Fatalf("%s %+v", r.Result, r.Error)
		}
		m := prompt.Messages[0]
		if m.Role != "user" || m.Content.Type != "text" || !strings.Contains(m.Content.Text, `{"root_type":"Node2D","scene_path":"res://a \"b\".tscn"}`) {
			t.Errorf("%+v", m)
		}
		if complete := strings.Contains(string(r.Result), `"resultType":"complete"`); complete != (era == "modern") {
			t.Errorf("%.200s", r.Result)
		}
	})
}

func TestPromptsThatCannotBeHad(t *testing.T) {
	eachEra(t, alone, func(t *testing.T, w *wire, era string) {
		for params, text := range map[string]string{
			`"name":"no_such"`:     "unknown prompt",
			`"name":"build_scene"`: "[required=scene_path]",
			`"name":"build_scene","arguments":{"scene_path":""}`:                    "[required=scene_path]",
			`"name":"build_scene","arguments":{"scene_path":"res://a","color":"x"}`: "[required=color]",
			`"name":"toolset_discovery","arguments":{"x":"y"}`:                      "[required=x]",
		} {
			if r := w.asked(era, 2, "prompts/get", params); r.Error == nil || r.Error.Code != -32602 || !strings.Contains(r.Error.Message, text) {
				t.Errorf("%s got %s %+v", params, r.Result, r.Error)
			}
		}
	})
}

func TestCapabilitiesAreWhatIsServed(t *testing.T) {
	const want = `{"completions":{},"prompts":{},"resources":{"subscribe":true},"tools":{"listChanged":true}}`
	of := func(result json.RawMessage) string {
		var r struct{ Capabilities map[string]any }
		if err := json.Unmarshal(result, &r); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(r.Capabilities)
		return string(text)
	}
	w := alone(t)
	if got := of(w.asked("modern", 1, "server/discover", "").Result); got != want {
		t.Errorf("newer clients are told %s", got)
	}
	w.send(fmt.Sprintf(initialize, "2025-11-25"))
	if got := of(w.next().Result); got != want {
		t.Errorf("older clients are told %s", got)
	}
}
