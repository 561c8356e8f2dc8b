package commands

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/artifact"
)

const pngType = "image/png"

// pictureResult is a picture as an answer. Over MCP its bytes are an image instead of data_base64.
type pictureResult struct {
	Width          int     `json:"width"`
	Height         int     `json:"height"`
	OriginalWidth  int     `json:"original_width" doc:"Pixels that were drawn"`
	OriginalHeight int     `json:"original_height"`
	Scale          float64 `json:"scale" doc:"Width by original_width"`
	Blank          bool    `json:"blank" doc:"True: all pixels have one colour, nothing is to be seen"`
	MIME           string  `json:"mime"`
	Bytes          int     `json:"bytes"`
	SHA256         string  `json:"sha256"`
	Path           string  `json:"path,omitempty" doc:"File that was written"`
	ArtifactID     string  `json:"artifact_id,omitempty" doc:"Keeps the picture for a while, see artifact get"`
	DataBase64     string  `json:"data_base64,omitempty" doc:"The PNG, unless a file was written"`
	Hint           string  `json:"hint,omitempty" doc:"Why no artifact keeps it"`
}

// shot is what the addon answers with a picture: the PNG, or the name of its file.
type shot struct {
	Width          int    `json:"width"`
	Height         int    `json:"height"`
	OriginalWidth  int    `json:"original_width"`
	OriginalHeight int    `json:"original_height"`
	Blank          bool   `json:"blank"`
	DataBase64     string `json:"data_base64"`
	File           string `json:"file"`
}

// picture makes the answer of a tool out of the addon's: the file that was asked for is written, else an
// artifact keeps the picture.
func picture(ctx context.Context, env *Env, tool, outputPath string, answer json.RawMessage) (pictureResult, error) {
	var s shot
	if err := json.Unmarshal(answer, &s); err != nil {
		return pictureResult{}, err
	}
	ed, err := env.editor(ctx)
	if err != nil {
		return pictureResult{}, err
	}
	content, err := s.content(ed.ProjectPath)
	if err != nil {
		return pictureResult{}, err
	}
	sum := sha256.Sum256(content)
	result := pictureResult{
		Width: s.Width, Height: s.Height, OriginalWidth: s.OriginalWidth, OriginalHeight: s.OriginalHeight,
		Scale: float64(s.Width) / float64(s.OriginalWidth), Blank: s.Blank,
		MIME: pngType, Bytes: len(content), SHA256: hex.EncodeToString(sum[:]),
	}
	if outputPath != "" {
		result.Path, err = writeHost("output_path", outputPath, content)
		return result, err
	}
	result.DataBase64 = base64.StdEncoding.EncodeToString(content)
	kept, err := env.Artifacts.Put(artifact.Artifact{Kind: "picture", MIME: pngType, Tool: tool, Project: ed.ProjectPath}, content)
	if err != nil {
		result.Hint = fmt.Sprintf("no artifact keeps the picture: %v; see godot-mcp config list", err)
		return result, nil
	}
	result.ArtifactID = kept.ID
	return result, nil
}

// content is the PNG, which must be what the answer says.
func (s shot) content(project string) ([]byte, error) {
	content, err := s.bytes(project)
	if err != nil {
		return nil, unusable(err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, unusable(err)
	}
	if size.Width != s.Width || size.Height != s.Height || s.OriginalWidth < 1 {
		return nil, unusable(fmt.Errorf("it has %dx%d pixels where the editor says %dx%d", size.Width, size.Height, s.Width, s.Height))
	}
	return content, nil
}

func unusable(err error) error {
	return bridge.Errorf(bridge.InternalError, "", "the picture that the editor sent cannot be used: %w; see godot-mcp editor log --level error", err)
}

// maxPicture is more than the bytes of any picture that an engine can draw.
const maxPicture = 512 << 20

// bytes takes the picture's file away after it was read.
func (s shot) bytes(project string) ([]byte, error) {
	if s.File == "" {
		return base64.StdEncoding.DecodeString(s.DataBase64)
	}
	if !filepath.IsLocal(s.File) || filepath.Base(s.File) != s.File {
		return nil, fmt.Errorf("its file %q is elsewhere", s.File)
	}
	path := filepath.Join(bridgeFolder(project), "pictures", s.File)
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(path) }()
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxPicture))
}
