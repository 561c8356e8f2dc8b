package mcp

import (
	"bytes"
	"crypto/rand"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// callResult is a tools/call result. The SDK's own says that it is complete only when the tool is registered
// with it, and encodes the structured content several times.
type callResult struct {
	sdk.ResultBase
	// text is the result's JSON, or what an error says.
	text string
	// fenced puts the text between two of the same name, since it may hold text of the project.
	fenced bool
	// note is a second text, "" for none.
	note    string
	isError bool
	modern  bool
}

// MarshalJSON writes the result both ways: as text, and structured unless it is an error.
func (r *callResult) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(r.text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(len(text) + len(r.text) + 400)
	b.WriteString(`{"content":[`)
	for i, block := range r.blocks(text) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"type":"text","text":`)
		b.Write(block)
		b.WriteByte('}')
	}
	b.WriteByte(']')
	if r.isError {
		b.WriteString(`,"isError":true`)
	} else {
		b.WriteString(`,"structuredContent":`)
		b.WriteString(r.text)
	}
	return finish(&b, r.modern, ``, r.Meta)
}

// blocks are the texts of the content, as JSON: the result by itself, between the two of a fence where it may
// hold text of the project, and the note. The name of the fence is new for each result, so nothing that was
// in the project before can close it.
func (r *callResult) blocks(text []byte) [][]byte {
	blocks := [][]byte{text}
	if r.fenced {
		name := rand.Text()[:fenceName]
		blocks = [][]byte{[]byte(`"<project-data ` + name + `>"`), text, []byte(`"</project-data ` + name + `>"`)}
	}
	if r.note != "" {
		note, _ := json.Marshal(r.note) // a text always encodes
		blocks = append(blocks, note)
	}
	return blocks
}

// fenceName is how many characters of five random bits a fence's name has.
const fenceName = 12

// finish writes what results end with. Only newer clients know the fields about their kind and age.
func finish(b *bytes.Buffer, modern bool, age string, meta sdk.Meta) ([]byte, error) {
	if modern {
		b.WriteString(`,"resultType":"complete"`)
		b.WriteString(age)
	}
	if len(meta) > 0 {
		text, err := json.Marshal(meta)
		if err != nil {
			return nil, err
		}
		b.WriteString(`,"_meta":`)
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
