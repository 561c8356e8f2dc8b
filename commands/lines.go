package commands

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// ErrLineTooLong is the error of one line over the limit; the lines after it can be read.
var ErrLineTooLong error = bridge.Errorf(bridge.ValidationError, "line", "the line has more than %d bytes, which is the limit (16 MiB): send the work in several lines, see godot-mcp call --help", bridge.MaxMessage)

// ReadLine reads one line of at most bridge.MaxMessage bytes and skips empty ones and a BOM. The rest of a
// longer one is read past, and the error is ErrLineTooLong. At the end of input it is io.EOF.
func ReadLine(r *bufio.Reader) ([]byte, error) {
	for {
		line, err := readWhole(r)
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
		if len(line) > 0 {
			return line, nil
		}
	}
}

func readWhole(r *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > bridge.MaxMessage {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (len(line) == 0 && !tooLong || !errors.Is(err, io.EOF)):
			return nil, err
		case tooLong:
			return nil, ErrLineTooLong
		}
		return line, nil
	}
}
