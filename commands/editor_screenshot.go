package commands

import (
	"context"
	"encoding/json"
)

type editorScreenshotParams struct {
	Target     string `json:"target" p:"arg" default:"editor" enum:"editor,2d,3d" doc:"The whole window, or the scene as the 2D or 3D view shows it"`
	MaxSize    int    `json:"max_size" default:"1280" doc:"Longest side in pixels; 0 for all that was drawn"`
	OutputPath string `json:"output_path" default:"" kind:"host-write" doc:"PNG file to write instead of an answer with the picture"`
	TimeoutMS  int    `json:"timeout_ms" default:"3000" doc:"Longest wait for a frame in milliseconds"`
}

func editorScreenshotTools() []*Tool {
	const name = "editor screenshot"
	return []*Tool{
		New(Spec[editorScreenshotParams, pictureResult]{
			Name: name, Class: ReadOnly, Starter: true, Content: true,
			Alias: "editor_capture_screenshot", AliasMap: AliasMap{Defaults: map[string]json.RawMessage{"timeout_ms": json.RawMessage("2000")}},
			Summary: "Take a picture of the editor's window, or of its 2D or 3D view.",
			Example: editorScreenshotParams{Target: "2d"},
			Finish: func(ctx context.Context, env *Env, p editorScreenshotParams, answer json.RawMessage) (pictureResult, error) {
				return picture(ctx, env, name, p.OutputPath, answer)
			},
		}),
	}
}
