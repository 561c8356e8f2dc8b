package mcp

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/godot-mcp/godot-mcp/commands"
)

const (
	// embedBelow is how many bytes of an artifact are put into a result; of larger ones the link is.
	embedBelow = 64 << 10
	// maxImage is how many bytes a picture may have to be shown in a result; models take no larger ones.
	maxImage = 3 << 20
	// linksSince is the first revision that knows links to resources in results.
	linksSince = "2025-06-18"
)

// content is the answer of a tool that is shown as what it holds.
type content struct {
	ID    string `json:"artifact_id"`
	MIME  string `json:"mime"`
	Bytes int    `json:"bytes"`
	Data  []byte `json:"data_base64"`
	// about is the answer without the data.
	about json.RawMessage
}

func readContent(answer json.RawMessage) (content, error) {
	var c content
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(answer, &c); err != nil {
		return c, err
	}
	if err := json.Unmarshal(answer, &fields); err != nil {
		return c, err
	}
	delete(fields, "data_base64")
	if c.ID != "" {
		fields["uri"] = marshalled(c.uri())
	}
	c.about = marshalled(fields)
	return c, nil
}

func (c content) uri() string { return commands.ArtifactURI + c.ID }

// held is the content as a resource holds it: what is text as text.
func (c content) held(uri string) map[string]any {
	held := map[string]any{"uri": uri, "mimeType": c.MIME, "_meta": sdk.Meta{metaProjectText: true}}
	if strings.HasPrefix(c.MIME, "text/") && utf8.Valid(c.Data) || c.MIME == jsonType {
		held["text"] = string(c.Data)
	} else {
		held["blob"] = c.Data
	}
	return held
}

// blocks are those of the result: a picture as an image, another artifact as a resource while it is small, the
// link to a large one, and what is known of it as text.
func (c content) blocks(links bool) []json.RawMessage {
	var blocks []json.RawMessage
	isImage, small := strings.HasPrefix(c.MIME, "image/"), c.Bytes < embedBelow
	switch {
	case len(c.Data) == 0:
	case isImage && c.Bytes <= maxImage:
		blocks = append(blocks, marshalled(map[string]any{"type": "image", "data": c.Data, "mimeType": c.MIME}))
	case small && c.ID != "":
		blocks = append(blocks, marshalled(map[string]any{"type": "resource", "resource": c.held(c.uri())}))
	}
	if c.ID != "" && !small && links {
		blocks = append(blocks, marshalled(map[string]any{"type": "resource_link", "uri": c.uri(), "name": c.ID, "mimeType": c.MIME, "size": c.Bytes}))
	}
	return append(blocks, marshalled(map[string]any{"type": "text", "text": string(c.about)}))
}

// contentResult is a tools/call result that is shown. It has no structured form: clients would give their
// models that alone.
type contentResult struct {
	sdk.ResultBase
	blocks []json.RawMessage
	modern bool
}

// MarshalJSON writes the result.
func (r *contentResult) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"content":[`)
	b.Write(bytes.Join(asBytes(r.blocks), []byte{','}))
	b.WriteByte(']')
	return finish(&b, r.modern, ``, r.Meta)
}

func asBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, one := range list {
		out[i] = one
	}
	return out
}

// showContent makes the result of an answer that is shown.
func (s *Server) showContent(answer json.RawMessage, request *sdk.CallToolRequest) (sdk.Result, error) {
	c, err := readContent(answer)
	if err != nil {
		return nil, err
	}
	result := &contentResult{blocks: c.blocks(knowsLinks(request)), modern: modern(request.Params.Meta)}
	if notice := s.dispatcher.Env.Notice(); notice != "" {
		result.blocks = append(result.blocks, marshalled(map[string]string{"type": "text", "text": "note: " + asCall(s.dispatcher.Table, notice)}))
	}
	result.Meta = sdk.Meta{metaProjectText: true}
	return result, nil
}

// knowsLinks is false for clients of revisions before there were links.
func knowsLinks(request *sdk.CallToolRequest) bool {
	p := request.Session.InitializeParams()
	return modern(request.Params.Meta) || p != nil && p.ProtocolVersion >= linksSince
}
