package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
	"github.com/godot-mcp/godot-mcp/commands/artifact"
)

// noise is a PNG that cannot be made small.
func noise(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = byte(r.Uint32())
	}
	img.Set(0, 0, color.NRGBA{1, 2, 3, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// drawing is a fake editor that has this picture.
func drawing(t *testing.T, picture []byte, width, height int) *bridgetest.Editor {
	t.Helper()
	e := bridgetest.New(t)
	e.On("editor.screenshot", func(json.RawMessage) (any, error) {
		return map[string]any{"width": width, "height": height, "original_width": 2 * width, "original_height": 2 * height, "blank": false, "data_base64": picture}, nil
	})
	return e
}

func discard() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// blocks are the content of a result by their types.
type blocks struct {
	order  string
	byType map[string]map[string]any
	raw    string
}

func blocksOf(t *testing.T, raw json.RawMessage) blocks {
	t.Helper()
	var result struct {
		Content           []map[string]any
		StructuredContent any
		IsError           bool
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	if result.StructuredContent != nil || result.IsError {
		t.Errorf("structured %v, error %t: %.300s", result.StructuredContent, result.IsError, raw)
	}
	b := blocks{byType: map[string]map[string]any{}, raw: string(raw)}
	for _, one := range result.Content {
		b.order += one["type"].(string) + " "
		b.byType[one["type"].(string)] = one
	}
	b.order = strings.TrimSpace(b.order)
	return b
}

func callParams(tool, arguments string) string {
	return fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments)
}

func TestAPictureIsAnImageAndKept(t *testing.T) {
	small, large := noise(t, 20, 10), noise(t, 200, 100)
	for _, revision := range []string{"modern", "2025-06-18", "2025-03-26"} {
		for name, c := range map[string]struct {
			picture []byte
			width   int
			order   string
		}{
			"small": {small, 20, "image text"},
			"large": {large, 200, "image resource_link text"},
		} {
			t.Run(revision+"_"+name, func(t *testing.T) {
				w, era, want := plug(t, drawing(t, c.picture, c.width, c.width/2).Query()), "modern", c.order
				if revision != "modern" {
					era = "older"
					w.begin(revision)
				}
				if revision == "2025-03-26" {
					want = "image text" // it knows no links
				}
				b := blocksOf(t, w.asked(era, 2, "tools/call", callParams("godot_editor_screenshot", `{}`)).Result)
				if b.order != want || b.byType["image"]["data"] != base64.StdEncoding.EncodeToString(c.picture) || b.byType["image"]["mimeType"] != "image/png" {
					t.Fatalf("%s: %.300s", b.order, b.raw)
				}
				var about map[string]any
				if err := json.Unmarshal([]byte(b.byType["text"]["text"].(string)), &about); err != nil {
					t.Fatal(err)
				}
				uri, _ := about["uri"].(string)
				if about["scale"] != 0.5 || about["bytes"] != float64(len(c.picture)) || about["data_base64"] != nil || !strings.HasPrefix(uri, "godot://artifact/") {
					t.Errorf("%v", about)
				}
				if link := b.byType["resource_link"]; link != nil && link["uri"] != uri {
					t.Errorf("the link is %v, the text says %s", link, uri)
				}
				r := w.asked(era, 3, "resources/read", fmt.Sprintf(`"uri":%q`, uri))
				var read struct {
					Contents []struct{ URI, MIMEType, Blob, Text string }
				}
				if err := json.Unmarshal(r.Result, &read); err != nil || len(read.Contents) != 1 {
					t.Fatalf("%s %+v, %v", r.Result, r.Error, err)
				}
				if got := read.Contents[0]; got.Blob != b.byType["image"]["data"] || got.MIMEType != "image/png" || got.URI != uri || got.Text != "" {
					t.Errorf("%.300s", r.Result)
				}
				again := blocksOf(t, w.asked(era, 4, "tools/call", callParams("godot_artifact_get", fmt.Sprintf(`{"artifact_id":%q}`, about["artifact_id"]))).Result)
				if again.order != want || again.byType["image"]["data"] != b.byType["image"]["data"] {
					t.Errorf("artifact get: %s %.300s", again.order, again.raw)
				}
			})
		}
	}
}

func TestAPictureByOtherNames(t *testing.T) {
	w := plug(t, drawing(t, noise(t, 20, 10), 20, 10).Query())
	for tool, arguments := range map[string]string{
		"godot_editor_capture_screenshot": `{"timeout_ms":100}`,
		"godot_tool_call":                 `{"tool":"editor screenshot","arguments":{"target":"2d"}}`,
	} {
		if b := blocksOf(t, w.asked("modern", 2, "tools/call", callParams(tool, arguments)).Result); b.order != "image text" {
			t.Errorf("%s: %.300s", tool, b.raw)
		}
	}
}

func TestOtherArtifactsAreEmbeddedOrLinked(t *testing.T) {
	env := envFor(t, nowhere(t))
	keep := func(kind, mime string, content []byte) string {
		a, err := env.Artifacts.Put(artifact.Artifact{Kind: kind, MIME: mime}, content)
		if err != nil {
			t.Fatal(err)
		}
		return a.ID
	}
	w := plugServer(t, NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, discard()))
	for name, c := range map[string]struct {
		id, order, field, want string
	}{
		"text":       {keep("log", "text/plain", []byte("Grüße\n")), "resource text", "text", "Grüße\n"},
		"bytes":      {keep("recording", "application/x-inputs", []byte{0xff, 0}), "resource text", "blob", "/wA="},
		"no UTF-8":   {keep("log", "text/plain", []byte{0xff}), "resource text", "blob", "/w=="},
		"just less":  {keep("log", "text/plain", bytes.Repeat([]byte("a"), embedBelow-1)), "resource text", "text", strings.Repeat("a", embedBelow-1)},
		"large":      {keep("log", "text/plain", bytes.Repeat([]byte("a"), embedBelow)), "resource_link text", "", ""},
		"no model's": {keep("picture", "image/png", make([]byte, maxImage+1)), "resource_link text", "", ""},
	} {
		b := blocksOf(t, w.asked("modern", 2, "tools/call", callParams("godot_artifact_get", fmt.Sprintf(`{"artifact_id":%q}`, c.id))).Result)
		if b.order != c.order {
			t.Errorf("%s: %s", name, b.order)
			continue
		}
		if held, ok := b.byType["resource"]["resource"].(map[string]any); ok && (held[c.field] != c.want || held["uri"] != commands.ArtifactURI+c.id) {
			t.Errorf("%s: %.300s", name, b.raw)
		}
	}
	large := keep("recording", "application/x-inputs", make([]byte, maxBlob+1))
	if r := w.asked("modern", 3, "resources/read", fmt.Sprintf(`"uri":%q`, commands.ArtifactURI+large)); r.Error == nil || !strings.Contains(r.Error.Message, "output") {
		t.Errorf("%.300s %+v", r.Result, r.Error)
	}
	fits := keep("recording", "application/x-inputs", make([]byte, maxBlob))
	if r := w.asked("modern", 3, "resources/read", fmt.Sprintf(`"uri":%q`, commands.ArtifactURI+fits)); r.Error != nil || len(r.Result) > 16<<20 {
		t.Errorf("%d bytes, %+v", len(r.Result), r.Error)
	}
}

func TestAnArtifactThatIsNotThere(t *testing.T) {
	eachEra(t, alone, func(t *testing.T, w *wire, era string) {
		want := map[string]float64{"modern": -32602, "older": -32002}[era]
		for _, id := range []string{"k3v7q2mzt4ehw5jxa6nrcu2ydg", "..", "%2e%2e%2fconfig", "12"} {
			r := w.asked(era, 2, "resources/read", fmt.Sprintf(`"uri":%q`, commands.ArtifactURI+id))
			if r.Error == nil || float64(r.Error.Code) != want || !strings.Contains(r.Error.Message, "godot_artifact_list") {
				t.Errorf("%s: %s %+v", id, r.Result, r.Error)
			}
		}
		r := w.asked(era, 3, "tools/call", callParams("godot_artifact_get", `{"artifact_id":"k3v7q2mzt4ehw5jxa6nrcu2ydg"}`))
		if text := string(r.Result); !strings.Contains(text, `"isError":true`) || !strings.Contains(text, "RESOURCE_NOT_FOUND: ") || !strings.Contains(text, "[required=artifact_id]") {
			t.Errorf("%s", text)
		}
	})
}

func TestImageToolsHaveNoOutputSchema(t *testing.T) {
	session := connect(t, setup{query: nowhere(t), listed: []string{"all"}})
	for _, name := range []string{"godot_editor_screenshot", "godot_artifact_get"} {
		if tool := listedToolOf(t, session, name); tool.OutputSchema != nil {
			t.Errorf("%s has %v", name, tool.OutputSchema)
		}
	}
	if tool := listedToolOf(t, session, "godot_artifact_list"); tool.OutputSchema == nil {
		t.Error("godot_artifact_list has none")
	}
}

// A client names files of the machine only below the folders that the server was told of.
func TestFilesAreWrittenWhereAllowed(t *testing.T) {
	allowed, elsewhere := t.TempDir(), t.TempDir()
	env := envFor(t, drawing(t, noise(t, 20, 10), 20, 10).Query())
	env.AllowPaths = []string{allowed}
	w := plugServer(t, NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, discard()))
	if err := os.Symlink(elsewhere, filepath.Join(allowed, "out")); err != nil {
		t.Log(err) // there is one case less
	}
	shoot := func(path string) string {
		return string(w.asked("modern", 2, "tools/call", callParams("godot_editor_screenshot", string(marshalled(map[string]string{"output_path": path})))).Result)
	}
	for _, path := range []string{
		"a.png", "out/a.png", filepath.Join(elsewhere, "a.png"), filepath.Join(allowed, "..", "a.png"), filepath.Join(allowed, "out", "a.png"),
		filepath.Join(allowed, "none", "a.png"), allowed, filepath.Dir(allowed), filepath.Join(elsewhere, "none", "a.png"), "/dev/null",
	} {
		if got := shoot(path); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "[required=output_path]") {
			t.Errorf("%s: %s", path, got)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(elsewhere, "*")); len(left) > 0 {
		t.Errorf("%q was written", left)
	}
	good := filepath.Join(allowed, "a.png")
	for range 2 {
		if b := blocksOf(t, json.RawMessage(shoot(good))); b.order != "text" || strings.Contains(b.raw, "artifact") {
			t.Errorf("%s", b.raw)
		}
	}
	if written, err := os.ReadFile(good); err != nil || !bytes.Equal(written, noise(t, 20, 10)) {
		t.Errorf("%d bytes, %v", len(written), err)
	}
}

func TestArtifactIDsAreCompleted(t *testing.T) {
	env := envFor(t, nowhere(t))
	a, err := env.Artifacts.Put(artifact.Artifact{Kind: "log", MIME: "text/plain", Project: env.Query.Project}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := env.Artifacts.Put(artifact.Artifact{Kind: "log", MIME: "text/plain", Project: t.TempDir()}, nil); err != nil {
		t.Fatal(err)
	}
	w := plugServer(t, NewServer(&commands.Dispatcher{Table: env.Table, Env: env}, discard()))
	r := w.asked("modern", 2, "completion/complete", `"ref":{"type":"ref/resource","uri":"godot://artifact/{id}"},"argument":{"name":"id","value":""}`)
	if want := fmt.Sprintf(`"values":[%q]`, a.ID); !strings.Contains(string(r.Result), want) {
		t.Errorf("%s %+v, want %s", r.Result, r.Error, want)
	}
}
