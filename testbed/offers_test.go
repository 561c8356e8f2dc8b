package testbed

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// offered is a client that hears of resources.
type offered struct {
	session
	told chan string
}

func offeredBy(t *testing.T, e *Editor, revision string) offered {
	t.Helper()
	o := offered{told: make(chan string, 1000)}
	client := sdk.NewClient(&sdk.Implementation{Name: "go", Version: "1"}, &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, n *sdk.ResourceUpdatedNotificationRequest) { o.told <- n.Params.URI },
	})
	server := exec.Command(e.Bin, "mcp", "--toolsets", "all")
	server.Dir, server.Env = e.Project, e.Env
	connected, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: server}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connected.Close() })
	o.client = connected
	return o
}

// read is what a resource holds.
func (o offered) read(t *testing.T, uri string) map[string]any {
	t.Helper()
	result, err := o.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil || len(result.Contents) != 1 || result.Contents[0].URI != uri {
		t.Fatalf("%s: %+v, %v", uri, result, err)
	}
	var fields map[string]any
	if err := json.Unmarshal([]byte(result.Contents[0].Text), &fields); err != nil {
		t.Fatalf("%s: %v", uri, err)
	}
	return fields
}

// hears waits until each of these was told of; others may be.
func (o offered) hears(t *testing.T, what string, uris ...string) {
	t.Helper()
	limit := time.After(30 * time.Second)
	for missing := slices.Clone(uris); len(missing) > 0; {
		select {
		case uri := <-o.told:
			missing = slices.DeleteFunc(missing, func(one string) bool { return one == uri })
		case <-limit:
			t.Fatalf("after %s nobody told of %q", what, missing)
		}
	}
}

// quiet takes what was told so far, once nothing more comes for a moment.
func (o offered) quiet() {
	for {
		select {
		case <-o.told:
		case <-time.After(500 * time.Millisecond):
			return
		}
	}
}

var everyEra = []string{"2026-07-28", "2025-11-25", "2024-11-05"}

// TestResourcesOfTheLiveEditor: each resource says what the editor has, and is told of when that changes, by
// tools and by the person at the editor.
func TestResourcesOfTheLiveEditor(t *testing.T) {
	e := sharedEditor(t)
	for _, revision := range everyEra {
		t.Run(revision, func(t *testing.T) {
			scene := openScene(t, e, "offers/"+revision+".tscn", scene2d("Offered"))
			o, s := offeredBy(t, e, revision), cli(e)
			const info, current, tree, top, selected = "godot://project/info", "godot://scene/current", "godot://scene/tree", "godot://scene/tree/0", "godot://node/selected"
			for _, uri := range []string{info, current, tree, top, selected} {
				if err := o.client.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
					t.Fatalf("%s: %v", uri, err)
				}
			}
			if got := o.read(t, current); got["scene_path"] != scene || got["dirty"] != false {
				t.Errorf("%s is %v", current, got)
			}
			s.call(t, "node add", args{"node_name": "Fresh"}).ok(t)
			o.hears(t, "node add", current, tree, top)
			if got := o.read(t, current); got["dirty"] != true {
				t.Errorf("%s is %v", current, got)
			}
			if got := asJSON(o.read(t, tree)); !strings.Contains(got, `"Fresh"`) {
				t.Errorf("%s is %s", tree, got)
			}
			if got := o.read(t, top); asJSON(got["total"]) != "1" {
				t.Errorf("%s is %v", top, got)
			}
			s.call(t, "node select", args{"node_paths": []string{"Fresh"}}).ok(t)
			o.hears(t, "node select", selected)
			if got := o.read(t, selected); asJSON(got["node_paths"]) != `["Fresh"]` {
				t.Errorf("%s is %v", selected, got)
			}
			o.quiet()
			s.call(t, "scene save", nil).ok(t)
			o.hears(t, "scene save", current)
			o.quiet()
			user(t, e, "step", "x") // the person moves a node
			o.hears(t, "a person's step", tree)
			o.quiet()
			s.call(t, "input-map add-action", args{"action": "offered"}).ok(t)
			o.hears(t, "input-map add-action", info)
			if got := asJSON(o.read(t, info)["input_actions"]); !strings.Contains(got, `"offered"`) {
				t.Errorf("%s has the actions %s", info, got)
			}
			s.call(t, "input-map remove-action", args{"action": "offered", "confirm": true}).ok(t)
			o.hears(t, "input-map remove-action", info)
			s.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
			o.hears(t, "scene open", current, tree, selected)
			if got := o.read(t, current); got["scene_path"] != "res://main.tscn" {
				t.Errorf("%s is %v", current, got)
			}
			closeTab(t, e, "res://main.tscn")
		})
	}
}

// TestPromptsAndCompletionOfTheLiveEditor: what is offered is what the editor has.
func TestPromptsAndCompletionOfTheLiveEditor(t *testing.T) {
	e := sharedEditor(t)
	openScene(t, e, "offers/complete.tscn", scene2d("Complete"))
	for _, revision := range everyEra {
		t.Run(revision, func(t *testing.T) {
			o := offeredBy(t, e, revision)
			for asked, want := range map[string]string{
				"script_edit node_path Ta": "Tail", "build_scene root_type CharacterBody": "CharacterBody2D CharacterBody3D",
				"debug_scene scene_path res://offers/com": "res://offers/complete.tscn", "author_resource resource_kind StandardM": "StandardMaterial3D",
				"script_edit script_path res://enemy.": "res://enemy.gd", "batch_refactor property tooltip_t node_type=Label": "tooltip_text",
			} {
				part := strings.Fields(asked)
				params := &sdk.CompleteParams{
					Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: part[0]}, Argument: sdk.CompleteParamsArgument{Name: part[1], Value: part[2]},
				}
				if len(part) > 3 {
					name, value, _ := strings.Cut(part[3], "=")
					params.Context = &sdk.CompleteContext{Arguments: map[string]string{name: value}}
				}
				// A busy editor is not waited for; the files then tell less.
				awaitEvery(t, 100*time.Millisecond, asked, func() bool {
					got, err := o.client.Complete(t.Context(), params)
					if err != nil {
						t.Fatalf("%s: %v", asked, err)
					}
					return strings.Join(got.Completion.Values, " ") == want
				})
			}
			list, err := o.client.ListPrompts(t.Context(), nil)
			if err != nil || len(list.Prompts) != 9 {
				t.Errorf("%+v, %v", list, err)
			}
			var coded *jsonrpc.Error
			if _, err := o.client.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "build_scene"}); !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInvalidParams {
				t.Errorf("a prompt without its argument: %v", err)
			}
			missing := int64(-32602)
			if revision < "2026" {
				missing = -32002
			}
			if _, err := o.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "godot://nowhere"}); !errors.As(err, &coded) || coded.Code != missing {
				t.Errorf("a resource that is not there: %v", err)
			}
		})
	}
}

// TestF15TreeAsAResource: the resource of a long tree says what it lacks, and its next brings all of the rest.
func TestF15TreeAsAResource(t *testing.T) {
	e := sharedEditor(t)
	var scene strings.Builder
	scene.WriteString("[gd_scene format=3]\n\n[node name=\"Wide\" type=\"Node2D\"]\n")
	for i := range 3000 {
		scene.WriteString("\n[node name=\"Item" + asJSON(i) + "\" type=\"Node2D\" parent=\".\"]\n")
	}
	openScene(t, e, "offers/wide.tscn", scene.String())
	o := offeredBy(t, e, "2026-07-28")
	for _, uri := range []string{"godot://scene/tree", "godot://scene/tree/1"} {
		page := o.read(t, uri)
		if page["truncated"] != true || asJSON(page["total"]) != "3001" || page["left_out"] == nil || !strings.Contains(asJSON(page["hint"]), "godot_scene_tree") {
			t.Fatalf("%s: %.300s", uri, asJSON(page))
		}
		seen := map[string]bool{}
		collect := func(tree any) {
			walkTree(decoded(t, tree), func(path string) { seen[path] = true })
		}
		collect(page["tree"])
		given := args{}
		for next, pages := page["next"], 0; next != nil && pages < 50; pages++ {
			maps.Copy(given, next.(map[string]any))
			answer := o.call(t, "scene tree", given).ok(t)
			collect(answer.fields["tree"])
			next = answer.fields["next"]
		}
		if len(seen) != 3001 {
			t.Errorf("%s and what follows held %d nodes of 3001", uri, len(seen))
		}
	}
}

// decoded is a value with its numbers as they were written.
func decoded(t *testing.T, value any) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(asJSON(value)))
	d.UseNumber()
	var out map[string]any
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// inspectOffers has the Inspector list and read what the server offers beside tools.
func inspectOffers(t *testing.T, inspect func(args ...string) ([]byte, int)) {
	t.Helper()
	for line, want := range map[string]string{
		"--method resources/list":                               "godot://scene/current",
		"--method resources/templates/list":                     "godot://scene/tree/{max_depth}",
		"--method resources/read --uri godot://project/info":    "input_actions",
		"--method prompts/list":                                 "batch_refactor",
		"--method prompts/get --prompt-name toolset_discovery":  "godot_tool_search",
		"--method resources/read --uri godot://scene/tree/none": "",
	} {
		out, exit := inspect(strings.Fields(line)...)
		if (exit == 0) != (want != "") || !strings.Contains(string(out), want) {
			t.Errorf("%s ended with %d: %.300s", line, exit, out)
		}
	}
}
