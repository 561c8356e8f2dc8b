package bridge

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Request is one command for the editor.
type Request struct {
	// Command is the tool's name with a dot for the first space, such as
	// "node.set-property".
	Command string
	// Params is a JSON object; nil means {}.
	Params json.RawMessage
	// Raw maps names of any-typed params to the text typed on a command line.
	Raw map[string]string
	// Key is the request key: the editor carries out one key once and repeats
	// its answer; "" = none.
	Key string
	// OnProgress is told of progress before the answer, in order. It is called
	// from the goroutine that reads the socket and must not block or call the
	// client. Once Wait has returned it may still be finishing its last call.
	OnProgress func(Progress)
}

// Progress is how far a command has come.
type Progress struct {
	// Progress grows from call to call.
	Progress float64
	// Total is what Progress will reach; 0 = not known.
	Total float64
	// Message is for people; may be empty.
	Message string
}

// headRoom is the room kept in front of a request for `{"id":<number>`.
const headRoom = 32

// encodedRequest is a request but for its id, which depends on the link.
type encodedRequest struct{ buf []byte }

// encode checks a request and makes its frame. Errors: VALIDATION_ERROR for
// params that are not JSON and for a frame over MaxMessage.
func (r *Request) encode() (encodedRequest, error) {
	params := []byte(r.Params)
	if params == nil {
		params = []byte("{}")
	}
	if !validJSON(params) {
		return encodedRequest{}, Errorf(ValidationError, "", "the parameters of %s are not valid JSON; see its parameters: godot-mcp contract show --format markdown", r.Command)
	}
	buf := make([]byte, headRoom, headRoom+len(params)+len(r.Command)+len(r.Key)+64)
	buf = append(buf, `,"command":`...)
	buf = appendJSON(buf, r.Command)
	buf = append(buf, `,"params":`...)
	buf = append(buf, params...)
	if len(r.Raw) > 0 {
		buf = append(buf, `,"raw":`...)
		buf = appendJSON(buf, r.Raw)
	}
	if r.Key != "" {
		buf = append(buf, `,"key":`...)
		buf = appendJSON(buf, r.Key)
	}
	e := encodedRequest{append(buf, '}')}
	return e, checkSize(r.Command, e.size(firstID))
}

// size is how many bytes the frame has with this id.
func (e encodedRequest) size(id int64) int {
	return len(e.buf) - headRoom + len(`{"id":`) + len(strconv.FormatInt(id, 10))
}

// frame puts the id in front, in place. It may be called again with another id.
func (e encodedRequest) frame(id int64) []byte {
	var head [headRoom]byte
	h := strconv.AppendInt(append(head[:0], `{"id":`...), id, 10)
	start := headRoom - len(h)
	copy(e.buf[start:], h)
	return e.buf[start:]
}

func checkSize(command string, size int) error {
	if size <= MaxMessage {
		return nil
	}
	return Errorf(ValidationError, "",
		"%s was not sent: the message has %d bytes, the limit is %d bytes (16 MiB); send it in parts or let the editor read a file: godot-mcp contract show --format markdown",
		command, size, MaxMessage)
}

func cancelFrame(id int64) []byte {
	return append(strconv.AppendInt([]byte(`{"id":`), id, 10), `,"cancel":true}`...)
}

// appendJSON appends v, a string or a map of strings, without HTML escapes.
func appendJSON(buf []byte, v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return append(buf, "null"...)
	}
	return append(buf, bytes.TrimRight(out.Bytes(), "\n")...)
}
