package scenefile

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reader goes through the text of a file once.
type reader struct {
	text string
	at   int
}

func (r *reader) atEnd() bool { return r.at >= len(r.text) }
func (r *reader) peek() byte  { return r.text[r.at] }

// skipBlank goes to the next section or property, past comments.
func (r *reader) skipBlank() {
	for !r.atEnd() {
		switch c := r.peek(); {
		case c == ';':
			for !r.atEnd() && r.peek() != '\n' {
				r.at++
			}
		case c == ' ', c == '\t', c == '\r', c == '\n', c == 0xEF, c == 0xBB, c == 0xBF:
			r.at++
		default:
			return
		}
	}
}

// heading reads [tag name=value ...].
func (r *reader) heading() (tag string, attributes map[string]string, err error) {
	r.at++
	attributes = map[string]string{}
	tag = r.word()
	for {
		for !r.atEnd() && strings.IndexByte(" \t\r\n", r.peek()) >= 0 {
			r.at++
		}
		if r.atEnd() {
			return "", nil, r.wrong("a section does not end")
		}
		if r.peek() == ']' {
			r.at++
			return tag, attributes, nil
		}
		name := r.word()
		if name == "" || r.atEnd() || r.peek() != '=' {
			return "", nil, r.wrong("a section cannot be read")
		}
		r.at++
		value, err := r.value(" \t\r\n]")
		if err != nil {
			return "", nil, err
		}
		attributes[name] = value
	}
}

// word reads up to what ends the name of a section or of an attribute.
func (r *reader) word() string {
	begin := r.at
	for !r.atEnd() && strings.IndexByte(" \t\r\n=]", r.peek()) < 0 {
		r.at++
	}
	return r.text[begin:r.at]
}

// property reads name = value; the engine quotes names with characters of their own.
func (r *reader) property() (Property, error) {
	name, err := r.value("=\n")
	if err != nil || r.atEnd() || r.peek() != '=' {
		return Property{}, r.wrong("a line is no property")
	}
	r.at++
	value, err := r.value("\n")
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, `"`) {
		name = Unquote(name)
	}
	return Property{name, strings.TrimSpace(value)}, err
}

// value reads up to one of the end bytes outside of strings and brackets.
func (r *reader) value(end string) (string, error) {
	begin, depth := r.at, 0
	for !r.atEnd() {
		c := r.peek()
		if depth == 0 && strings.IndexByte(end, c) >= 0 {
			break
		}
		switch c {
		case '"':
			if err := r.skipString(); err != nil {
				return "", err
			}
			continue
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		r.at++
	}
	if depth != 0 {
		return "", r.wrong("a value does not end")
	}
	return r.text[begin:r.at], nil
}

func (r *reader) skipString() error {
	for r.at++; !r.atEnd(); r.at++ {
		switch r.peek() {
		case '\\':
			r.at++
		case '"':
			r.at++
			return nil
		}
	}
	return r.wrong("a string does not end")
}

func (r *reader) wrong(what string) error {
	return fmt.Errorf("line %d: %s", 1+strings.Count(r.text[:min(r.at, len(r.text))], "\n"), what)
}

// Unquote is the text of a string literal of the engine; what is no literal stays as it is.
func Unquote(literal string) string {
	text := strings.TrimLeft(literal, "&^")
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return literal
	}
	text = text[1 : len(text)-1]
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case 'u', 'U':
			digits := map[byte]int{'u': 4, 'U': 6}[c]
			if code, err := strconv.ParseUint(text[i+1:min(i+1+digits, len(text))], 16, 32); err == nil {
				b.WriteString(string(utf8.AppendRune(nil, rune(code))))
				i += digits
			}
		default:
			if at := strings.IndexByte("abfnrtv", c); at >= 0 {
				c = "\a\b\f\n\r\t\v"[at]
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Strings are the texts of the string literals in a value, such as the groups of a node or the elements of a
// PackedStringArray.
func Strings(value string) []string {
	var out []string
	r := &reader{text: value}
	for !r.atEnd() {
		if r.peek() != '"' {
			r.at++
			continue
		}
		begin := r.at
		if r.skipString() != nil {
			return out
		}
		out = append(out, Unquote(value[begin:r.at]))
	}
	return out
}
