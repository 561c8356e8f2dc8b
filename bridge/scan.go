package bridge

import (
	"encoding/binary"
	"math/bits"
)

// A JSON checker that also remembers where the members of the top-level object
// are. encoding/json would go over an answer of a megabyte two or three times;
// this goes over it once and copies nothing.

// maxDepth is how deep values may be nested, as in encoding/json.
const maxDepth = 10000

// member is one key of the top-level object with its value, both as they stand
// in the text, the key without its quotes.
type member struct{ key, value []byte }

// scanner walks over one JSON text.
type scanner struct {
	data []byte
	pos  int
	// overflow says that a number was seen that no float64 can hold.
	overflow bool
}

// validJSON reports whether data is one JSON value and nothing else.
func validJSON(data []byte) bool {
	s := scanner{data: data}
	return s.value(0) && s.atEnd()
}

// object reads the whole text as one object. It returns false when the text is
// not valid JSON or not an object.
func (s *scanner) object() ([]member, bool) {
	var members []member
	s.space()
	if !s.accept('{') {
		return nil, false
	}
	ok := s.members(1, func(key, value []byte) { members = append(members, member{key, value}) })
	return members, ok && s.atEnd()
}

func (s *scanner) atEnd() bool {
	s.space()
	return s.pos == len(s.data)
}

// space skips white space. The editor sends none, so the common case is first.
func (s *scanner) space() {
	for s.pos < len(s.data) && s.data[s.pos] <= ' ' && isSpace(s.data[s.pos]) {
		s.pos++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// accept takes one byte if it is c.
func (s *scanner) accept(c byte) bool {
	if s.pos < len(s.data) && s.data[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) value(depth int) bool {
	s.space()
	if s.pos == len(s.data) || depth > maxDepth {
		return false
	}
	switch c := s.data[s.pos]; c {
	case '"':
		return s.text()
	case '{':
		s.pos++
		return s.members(depth+1, nil)
	case '[':
		s.pos++
		return s.elements(depth + 1)
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

// members reads an object behind its opening brace and tells see of each.
func (s *scanner) members(depth int, see func(key, value []byte)) bool {
	s.space()
	if s.accept('}') {
		return depth <= maxDepth
	}
	for {
		s.space()
		from := s.pos
		if !s.text() {
			return false
		}
		key := s.data[from+1 : s.pos-1]
		s.space()
		if !s.accept(':') {
			return false
		}
		s.space()
		from = s.pos
		if !s.value(depth) {
			return false
		}
		if see != nil {
			see(key, s.data[from:s.pos])
		}
		s.space()
		if !s.accept(',') {
			return s.accept('}')
		}
	}
}

func (s *scanner) elements(depth int) bool {
	s.space()
	if s.accept(']') {
		return depth <= maxDepth
	}
	for {
		if !s.value(depth) {
			return false
		}
		s.space()
		if !s.accept(',') {
			return s.accept(']')
		}
	}
}

// text reads a string with its quotes.
func (s *scanner) text() bool {
	if !s.accept('"') {
		return false
	}
	data, i := s.data, s.pos
	for {
		i = plainEnd(data, i)
		if i >= len(data) {
			return false
		}
		switch data[i] {
		case '"':
			s.pos = i + 1
			return true
		case '\\':
			n := escapeLength(data[i:])
			if n == 0 {
				return false
			}
			i += n
		default:
			return false // a control character
		}
	}
}

// plainEnd returns the place of the first byte from i on that is a quote, a
// backslash or a control character. It looks at eight bytes at a time: most of
// an answer is text.
func plainEnd(data []byte, i int) int {
	const low, high = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(data); i += 8 {
		word := binary.LittleEndian.Uint64(data[i:])
		quote := word ^ '"'*low
		slash := word ^ '\\'*low
		// The top bit of a byte is set where the byte is zero after the exclusive
		// or, or below a space; bytes above the first such one may be wrong.
		found := ((quote-low)&^quote | (slash-low)&^slash | (word-' '*low)&^word) & high
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c == '"' || c == '\\' || c < ' ' {
			return i
		}
	}
	return i
}

// escapeLength returns how many bytes the escape at the start of b has, 0 for
// one that JSON does not know.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) >= 6 && isHex(b[2]) && isHex(b[3]) && isHex(b[4]) && isHex(b[5]) {
			return 6
		}
	}
	return 0
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (s *scanner) word(w string) bool {
	if len(s.data)-s.pos < len(w) || string(s.data[s.pos:s.pos+len(w)]) != w {
		return false
	}
	s.pos += len(w)
	return true
}

// number reads a number by JSON's grammar.
func (s *scanner) number() bool {
	from := s.pos
	s.accept('-')
	if !s.accept('0') && !s.digits() {
		return false
	}
	if s.accept('.') && !s.digits() {
		return false
	}
	if s.accept('e') || s.accept('E') {
		if !s.accept('+') {
			s.accept('-')
		}
		mark := s.pos
		if !s.digits() {
			return false
		}
		if s.pos-mark >= 3 {
			s.noteOverflow(s.data[from:s.pos])
		}
	} else if s.pos-from > 300 {
		s.noteOverflow(s.data[from:s.pos])
	}
	return true
}

func (s *scanner) noteOverflow(number []byte) {
	if overflows(number) {
		s.overflow = true
	}
}

// digits reads one or more digits.
func (s *scanner) digits() bool {
	from := s.pos
	for s.pos < len(s.data) && isDigit(s.data[s.pos]) {
		s.pos++
	}
	return s.pos > from
}
