package clients

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlText is a TOML text with the places of its statements.
type tomlText struct {
	text       []byte
	statements []statement
	values     map[string]any
}

// statement is a header of a table or an assignment, with its place in the text. A header's key is whole,
// an assignment's is counted from its table.
type statement struct {
	header bool
	key    []string
	from   int
	table  []string
	// value is where the value of an assignment begins, keyEnd where the header's name ends.
	value, keyEnd int
}

func parseTOML(text []byte) (*tomlText, error) {
	t := &tomlText{text: text, values: map[string]any{}}
	if err := toml.Unmarshal(text, &t.values); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return nil, Unreadable{fmt.Sprintf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))}
		}
		return nil, t.conflict(err)
	}
	t.locate()
	return t, nil
}

// conflict says where a text whose statements are right each by itself goes wrong.
func (t *tomlText) conflict(err error) error {
	t.locate()
	i := sort.Search(len(t.statements)-1, func(i int) bool {
		return toml.Unmarshal(t.text[:t.statements[i+1].from], &map[string]any{}) != nil
	})
	if i < 0 || i >= len(t.statements) {
		return Unreadable{err.Error()}
	}
	at := t.statements[i].from
	line, column := 1+bytes.Count(t.text[:at], []byte("\n")), at-bytes.LastIndexByte(t.text[:at], '\n')
	return Unreadable{fmt.Sprintf("line %d, column %d: %s", line, column, strings.TrimPrefix(err.Error(), "toml: "))}
}

// locate finds the statements of a text that is known to be right.
func (t *tomlText) locate() {
	var p unstable.Parser
	p.Reset(t.text)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		s := statement{header: e.Kind != unstable.KeyValue, table: table}
		for it := e.Key(); it.Next(); {
			part := it.Node()
			if s.key == nil {
				s.from = int(part.Raw.Offset)
			}
			s.key = append(s.key, string(part.Data))
			s.keyEnd = int(part.Raw.Offset + part.Raw.Length)
		}
		if s.header {
			table, s.table = s.key, s.key
			s.from = bytes.LastIndexByte(t.text[:s.from], '\n') + 1
		} else {
			s.value = s.keyEnd + 1 + bytes.IndexByte(t.text[s.keyEnd:], '=')
		}
		t.statements = append(t.statements, s)
	}
}

// endOfLine is the offset of the line's end, before its newline.
func (t *tomlText) endOfLine(from int) int {
	if i := bytes.IndexByte(t.text[from:], '\n'); i >= 0 {
		return from + len(bytes.TrimRight(t.text[from:from+i], "\r"))
	}
	return len(t.text)
}

// end is where a statement ends: a header with its line, an assignment at the first place where it is whole
// and nothing but a comment follows on the line.
func (t *tomlText) end(s statement) int {
	if s.header {
		return t.endOfLine(s.keyEnd)
	}
	for at := s.value + 1; at < len(t.text); at++ {
		rest := bytes.TrimLeft(t.text[at:t.endOfLine(at)], " \t")
		if len(rest) > 0 && rest[0] != '#' || t.text[at-1] == ' ' || t.text[at-1] == '\t' {
			continue
		}
		if toml.Unmarshal(t.text[s.from:at], &map[string]any{}) == nil {
			return at
		}
	}
	return len(t.text)
}

func (t *tomlText) eol() string { return lineEnd(t.text) }

// under is true for a key at path or below it.
func under(key, path []string) bool {
	return len(key) >= len(path) && slices.Equal(key[:len(path)], path)
}

// header is the index of the table's own header, -1 for none.
func (t *tomlText) header(path []string) int {
	return slices.IndexFunc(t.statements, func(s statement) bool { return s.header && slices.Equal(s.key, path) })
}

// inline is where the table at path is written in another form than under its own header.
func (t *tomlText) inline(path []string) error {
	for _, s := range t.statements {
		whole := append(slices.Clone(s.table), s.key...)
		if !s.header && !under(s.table, path) && (under(path, whole) || under(whole, path)) {
			line := 1 + bytes.Count(t.text[:s.from], []byte("\n"))
			return Unreadable{fmt.Sprintf("line %d: %s is not written as a table [%s]; write it so", line, strings.Join(s.key, "."), strings.Join(path, "."))}
		}
	}
	return nil
}

func (t *tomlText) entries(path []string) map[string]map[string]any {
	var at any = t.values
	for _, name := range path {
		table, _ := at.(map[string]any)
		at = table[name]
	}
	out := map[string]map[string]any{}
	all, _ := at.(map[string]any)
	for name, each := range all {
		out[name], _ = each.(map[string]any)
	}
	return out
}

// add writes a new table at the end.
func (t *tomlText) add(path []string, o object) []byte {
	eol := t.eol()
	var b strings.Builder
	b.Write(t.text)
	if len(t.text) > 0 && t.text[len(t.text)-1] != '\n' {
		b.WriteString(eol)
	}
	if len(t.text) > 0 {
		b.WriteString(eol)
	}
	b.WriteString("[" + strings.Join(path, ".") + "]" + eol)
	for _, f := range o {
		b.WriteString(f.name + " = " + tomlValue(f.value) + eol)
	}
	return []byte(b.String())
}

// put changes or adds one assignment of the table, whose header is there.
func (t *tomlText) put(path []string, f field) []byte {
	for _, s := range t.statements {
		if !s.header && slices.Equal(s.table, path) && slices.Equal(s.key, []string{f.name}) {
			return bytes.Join([][]byte{t.text[:s.value], []byte(" " + tomlValue(f.value)), t.text[t.end(s):]}, nil)
		}
	}
	at := t.end(t.statements[t.header(path)])
	return bytes.Join([][]byte{t.text[:at], []byte(t.eol() + f.name + " = " + tomlValue(f.value)), t.text[at:]}, nil)
}

// remove takes the table and those below it out. Comments that stand behind the last assignment stay, they
// may belong to what follows.
func (t *tomlText) remove(path []string) []byte {
	out := bytes.Clone(t.text)
	for i := len(t.statements) - 1; i >= 0; i-- {
		s := t.statements[i]
		if !s.header || !under(s.key, path) {
			continue
		}
		last := s
		for _, next := range t.statements[i+1:] {
			if next.header {
				break
			}
			last = next
		}
		from, to := s.from, min(t.endOfLine(t.end(last))+len(t.eol()), len(t.text))
		// The empty line before it was its own where one follows or nothing does.
		if before := bytes.TrimRight(out[:from], "\r\n"); from >= len(before)+2*len(t.eol()) && (to >= len(out) || bytes.HasPrefix(out[to:], []byte(t.eol()))) {
			from -= len(t.eol())
		}
		out = append(out[:from:from], out[to:]...)
	}
	return out
}

// drop takes an assignment out of the table at path, with its line, or the table of that name below it.
func (t *tomlText) drop(path []string, name string) []byte {
	for _, s := range slices.Backward(t.statements) {
		if s.header || !slices.Equal(s.table, path) || s.key[0] != name {
			continue
		}
		from, to := bytes.LastIndexByte(t.text[:s.from], '\n')+1, min(t.endOfLine(t.end(s))+len(t.eol()), len(t.text))
		return bytes.Join([][]byte{t.text[:from], t.text[to:]}, nil)
	}
	return t.remove(append(slices.Clone(path), name))
}

func tomlValue(value any) string {
	switch v := value.(type) {
	case object:
		out := make([]string, len(v))
		for i, f := range v {
			out[i] = quoted(f.name) + " = " + tomlValue(f.value)
		}
		return "{ " + strings.Join(out, ", ") + " }"
	case []string:
		out := make([]string, len(v))
		for i, each := range v {
			out[i] = quoted(each)
		}
		return "[" + strings.Join(out, ", ") + "]"
	case bool:
		return fmt.Sprint(v)
	}
	return quoted(value.(string))
}
