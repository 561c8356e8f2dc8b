package mcp

import (
	"bytes"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// callResult is a tools/call result. The SDK's own says that it is complete only when the tool is registered
// with it, and encodes the structured content several times.
type callResult struct {
	sdk.ResultBase
	// text is the result's JSON, or what an error says.
	text string
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
	b.Grow(len(text) + len(r.text) + 300)
	b.WriteString(`{"content":[{"type":"text","text":`)
	b.Write(text)
	if r.note != "" {
		note, _ := json.Marshal(r.note) // a text always encodes
		b.WriteString(`},{"type":"text","text":`)
		b.Write(note)
	}
	b.WriteString(`}]`)
	if r.isError {
		b.WriteString(`,"isError":true`)
	} else {
		b.WriteString(`,"structuredContent":`)
		b.WriteString(r.text)
	}
	return finish(&b, r.modern, ``, r.Meta)
}

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
