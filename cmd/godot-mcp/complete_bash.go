package main

import (
	"strings"
	"unicode"
)

// bashLine is a command line as far as it is typed, read as bash reads it but for everything that bash would
// carry out: a $ stays a $.
type bashLine struct {
	words []string
	// fixed is the part of the last word that bash leaves as it stands, since one of its break characters
	// comes behind it.
	fixed string
	// open is the quote that the last word is in, 0 for none.
	open byte
}

// readLine takes a line apart.
func readLine(line, breaks string) bashLine {
	r := &bashReader{line: line, breaks: breaks}
	r.read()
	return bashLine{words: append(r.words, r.word.String()), fixed: r.fixed, open: r.open}
}

type bashReader struct {
	line, breaks string
	words        []string
	word         strings.Builder
	fixed        string
	begun        bool
	open         byte
}

func (r *bashReader) read() {
	for i := 0; i < len(r.line); i++ {
		c := r.line[i]
		switch {
		case r.open == '\'' && c != '\'', r.open == '"' && c != '"' && c != '\\':
			r.word.WriteByte(c)
		case r.open != 0 && c == r.open:
			r.open = 0
			r.fix(c)
		case c == '\\':
			i = r.escaped(i)
		case c == '\'' || c == '"':
			r.open, r.begun = c, true
			r.fixed = r.word.String()
		case c == ' ' || c == '\t' || c == '\n':
			r.end()
		case strings.IndexByte("|;&()<>", c) >= 0:
			// Another command or a file begins here.
			r.end()
			if c != '<' && c != '>' {
				r.words = nil
			}
		default:
			r.word.WriteByte(c)
			r.begun = true
			r.fix(c)
		}
	}
}

// fix notes that what stands so far is left as it is when bash breaks words at this character.
func (r *bashReader) fix(c byte) {
	if strings.IndexByte(r.breaks, c) >= 0 {
		r.fixed = r.word.String()
	}
}

// escaped reads a backslash and what it stands before; at the end of the line it stands before nothing yet.
func (r *bashReader) escaped(i int) int {
	r.begun = true
	if i+1 == len(r.line) {
		return i
	}
	next := r.line[i+1]
	if r.open == '"' && strings.IndexByte("\"\\$`\n", next) < 0 {
		r.word.WriteByte('\\')
	}
	if next != '\n' {
		r.word.WriteByte(next)
	}
	return i + 1
}

func (r *bashReader) end() {
	if r.begun || r.word.Len() > 0 {
		r.words = append(r.words, r.word.String())
	}
	r.word.Reset()
	r.begun, r.fixed = false, ""
}

// quote is the text as it goes on in the quotes that are open, so that bash reads it as itself.
func (l bashLine) quote(text string) string {
	switch l.open {
	case '\'':
		return strings.ReplaceAll(text, "'", `'\''`)
	case '"':
		// An exclamation mark cannot be escaped in there.
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "!", `"'!'"`).Replace(text)
	}
	var b strings.Builder
	for i, r := range text {
		if !isPlain(r) || r == '~' && i == 0 {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isPlain is true for a character that means nothing to bash.
func isPlain(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./:@%+=,-~", r) || r > 0x7f && !unicode.IsSpace(r)
}
