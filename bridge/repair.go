package bridge

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The engine's own JSON writer lets through what JSON has no word for: raw
// control characters in strings, an escape \v, and infinities and NaN as bare
// tokens (godotengine/godot#89777 and relatives). A reader that drops such a frame lets the
// caller wait for nothing; here it is put right where its meaning is plain.

// repair returns frame with control characters in strings escaped, \v too, and
// bare infinities and NaN written as the strings "inf", "-inf", "nan". Bytes that
// are not UTF-8 become U+FFFD. The result need not be valid JSON: what is
// broken in other ways stays broken.
func repair(frame []byte) []byte {
	if !utf8.Valid(frame) {
		frame = bytes.ToValidUTF8(frame, []byte("\uFFFD"))
	}
	out := make([]byte, 0, len(frame)+len(frame)/16+64)
	for i := 0; i < len(frame); {
		switch c := frame[i]; {
		case c == '"':
			n := repairString(&out, frame[i:])
			i += n
		case isTokenByte(c):
			n := tokenLen(frame[i:])
			out = append(out, repairToken(frame[i:i+n])...)
			i += n
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

// repairString copies the string at the start of b, escaping what must be, and
// returns how many bytes of b it took.
func repairString(out *[]byte, b []byte) int {
	*out = append(*out, '"')
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			*out = append(*out, '"')
			return i + 1
		case c == '\\' && i+1 < len(b) && b[i+1] == 'v':
			*out = append(*out, `\u000b`...)
			i++
		case c == '\\' && i+1 < len(b) && b[i+1] >= 0x20:
			*out = append(*out, c, b[i+1])
			i++
		case c < 0x20:
			*out = fmt.Appendf(*out, `\u%04x`, c)
		default:
			*out = append(*out, c)
		}
	}
	return len(b)
}

// isTokenByte tells the bytes of which numbers and bare words are made.
func isTokenByte(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

func tokenLen(b []byte) int {
	n := 0
	for n < len(b) && isTokenByte(b[n]) {
		n++
	}
	return n
}

// repairToken gives the string for a number that is none; others it returns as
// they are.
func repairToken(token []byte) []byte {
	text := strings.ToLower(string(token))
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign = "-"
	}
	switch strings.TrimLeft(text, "+-") {
	case "inf", "infinity":
		return []byte(`"` + sign + `inf"`)
	case "nan":
		return []byte(`"nan"`)
	}
	if validJSON(token) && overflows(token) {
		return []byte(`"` + sign + `inf"`)
	}
	return token
}

// overflows reports whether a JSON number is beyond what a float64 can hold.
func overflows(number []byte) bool {
	f, err := strconv.ParseFloat(string(number), 64)
	return err != nil && math.IsInf(f, 0)
}

// peekID looks for the id of a frame that cannot be read as a whole: the
// member "id" of the outermost object.
func peekID(frame []byte) (int64, bool) {
	depth := 0
	for i := 0; i < len(frame); i++ {
		switch c := frame[i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := stringEnd(frame, i)
			if depth == 1 && string(frame[i:end]) == `"id"` {
				if id, ok := idBehind(frame[end:]); ok {
					return id, true
				}
			}
			i = end - 1
		}
	}
	return 0, false
}

// stringEnd returns the place behind the string that starts at i.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(b)
}

// idBehind reads `: 12` and what ends it.
func idBehind(b []byte) (int64, bool) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) == 0 || b[0] != ':' {
		return 0, false
	}
	b = bytes.TrimLeft(b[1:], " \t\r\n")
	return parseID(b[:tokenLen(b)])
}
