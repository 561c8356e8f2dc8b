package commands

import (
	"context"
	"encoding/json"
)

type gameScreenshotParams struct {
	MaxSize    int    `json:"max_size" default:"1280" doc:"Longest side in pixels; 0 for all that was drawn"`
	OutputPath string `json:"output_path" default:"" kind:"host-write" doc:"PNG file to write instead of an answer with the picture"`
	TimeoutMS  int    `json:"timeout_ms" default:"3000" doc:"Longest wait for a frame in milliseconds"`
}

func gameScreenshotTools() []*Tool {
	const name = "game screenshot"
	return []*Tool{
		New(Spec[gameScreenshotParams, pictureResult]{
			Name: name, Class: ReadOnly, Starter: true, Content: true,
			Alias: "runtime_capture_game_screenshot", AliasMap: AliasMap{Defaults: map[string]json.RawMessage{"timeout_ms": json.RawMessage("2000")}},
			Summary: "Take a picture of the running game.",
			Example: gameScreenshotParams{MaxSize: 640},
			Finish: func(ctx context.Context, env *Env, p gameScreenshotParams, answer json.RawMessage) (pictureResult, error) {
				return picture(ctx, env, name, p.OutputPath, answer)
			},
		}),
	}
}
