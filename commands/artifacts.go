package commands

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands/artifact"
)

// ArtifactURI is what the URIs of artifacts begin with; the id follows.
const ArtifactURI = "godot://artifact/"

type artifactListParams struct {
	Kind  string `json:"kind" default:"" doc:"Only these: picture, recording or log"`
	Limit int    `json:"limit" default:"50" doc:"Most artifacts, at least 1; the youngest come first"`
}

type artifactEntry struct {
	ArtifactID string `json:"artifact_id"`
	Kind       string `json:"kind"`
	MIME       string `json:"mime"`
	Bytes      int    `json:"bytes"`
	SHA256     string `json:"sha256"`
	CreatedAt  string `json:"created_at" doc:"RFC 3339, UTC"`
	Tool       string `json:"tool" doc:"Made it"`
}

type artifactListResult struct {
	Artifacts []artifactEntry `json:"artifacts"`
	Total     int             `json:"total" doc:"Those beyond limit too"`
	Truncated bool            `json:"truncated,omitempty"`
}

type artifactGetParams struct {
	ArtifactID string `json:"artifact_id" p:"required" doc:"As artifact list or the tool that made it says"`
	OutputPath string `json:"output_path" default:"" kind:"host-write" doc:"File to write instead of an answer with the content"`
}

type artifactGetResult struct {
	ArtifactID string `json:"artifact_id"`
	MIME       string `json:"mime"`
	Bytes      int    `json:"bytes"`
	SHA256     string `json:"sha256" doc:"Of the content, checked just now"`
	Path       string `json:"path,omitempty" doc:"File that was written"`
	DataBase64 string `json:"data_base64,omitempty" doc:"The content, unless a file was written"`
}

func artifactTools() []*Tool {
	return []*Tool{
		New(Spec[artifactListParams, artifactListResult]{
			Name: "artifact list", Class: ReadOnly, OwnText: true,
			Summary: "List kept pictures, recordings and logs of the project.",
			Example: artifactListParams{Kind: "picture"},
			Run:     artifactList,
		}),
		New(Spec[artifactGetParams, artifactGetResult]{
			Name: "artifact get", Class: ReadOnly, Content: true,
			Summary: "Get a kept picture, recording or log by its id.",
			Example: artifactGetParams{ArtifactID: exampleArtifact},
			Run:     artifactGet,
		}),
	}
}

// exampleArtifact has the form of an id.
const exampleArtifact = "k3v7q2mzt4ehw5jxa6nrcu2ydg"

func artifactList(_ context.Context, env *Env, p artifactListParams) (artifactListResult, error) {
	if p.Kind != "" && !slices.Contains(artifact.Kinds, p.Kind) {
		return artifactListResult{}, bridge.Errorf(bridge.ValidationError, "kind", "kind must be %s, or left out for all, was given %s", strings.Join(artifact.Kinds, ", "), quote(p.Kind))
	}
	if p.Limit < 1 {
		return artifactListResult{}, bridge.Errorf(bridge.ValidationError, "limit", "limit must be at least 1, was given %d", p.Limit)
	}
	result := artifactListResult{Artifacts: []artifactEntry{}}
	for _, a := range env.OwnArtifacts() {
		if p.Kind != "" && a.Kind != p.Kind {
			continue
		}
		if result.Total++; result.Total > p.Limit {
			result.Truncated = true
			continue
		}
		result.Artifacts = append(result.Artifacts, artifactEntry{a.ID, a.Kind, a.MIME, a.Bytes, a.SHA256, a.Created.Format("2006-01-02T15:04:05.000Z"), a.Tool})
	}
	return result, nil
}

// OwnArtifacts are those of the project, or all where none is meant.
func (e *Env) OwnArtifacts() []artifact.Artifact {
	project := ""
	if ed, linked := e.Bridge.Editor(); linked {
		project = ed.ProjectPath
	} else if named, err := e.Project(); err == nil {
		project = named
	}
	return ArtifactsOf(e.Artifacts, project)
}

// ArtifactsOf are those of the project in this folder, of all for "".
func ArtifactsOf(store *artifact.Store, project string) []artifact.Artifact {
	return slices.DeleteFunc(store.List(), func(a artifact.Artifact) bool {
		return project != "" && !bridge.SameDir(a.Project, project)
	})
}

func artifactGet(_ context.Context, env *Env, p artifactGetParams) (artifactGetResult, error) {
	a, content, err := env.Artifacts.Get(p.ArtifactID)
	switch {
	case errors.Is(err, artifact.ErrNotFound):
		return artifactGetResult{}, bridge.Errorf(bridge.ResourceNotFound, "artifact_id", "there is no artifact %s, or it was too old and is gone: godot-mcp artifact list", quote(p.ArtifactID))
	case err != nil:
		return artifactGetResult{}, bridge.Errorf(bridge.InternalError, "", "the artifact %s cannot be read: %w; take it anew, see the others: godot-mcp artifact list", quote(p.ArtifactID), err)
	}
	result := artifactGetResult{ArtifactID: a.ID, MIME: a.MIME, Bytes: a.Bytes, SHA256: a.SHA256}
	if p.OutputPath != "" {
		result.Path, err = writeHost("output_path", p.OutputPath, content)
		return result, err
	}
	result.DataBase64 = base64.StdEncoding.EncodeToString(content)
	return result, nil
}
