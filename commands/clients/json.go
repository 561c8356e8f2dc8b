package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonText is a JSON text with its tree. Edits are made in the text, so that what they do not concern stays.
type jsonText struct {
	text []byte
	root hujson.Value
	// unit is one step of indentation, eol the end of a line.
	unit, eol string
	// flat is true for a text in one line.
	flat bool
}

func parseJSON(text []byte) (*jsonText, error) {
	j := &jsonText{text: text, unit: "  ", eol: lineEnd(text)}
	if len(bytes.TrimSpace(text)) == 0 {
		j.text = []byte("{}" + j.eol)
	}
	var err error
	if j.root, err = hujson.Parse(j.text); err != nil {
		return nil, Unreadable{strings.TrimPrefix(err.Error(), "hujson: ")}
	}
	root, ok := j.root.Value.(*hujson.Object)
	if !ok {
		return nil, Unreadable{j.at(j.root.StartOffset) + ": an object was expected"}
	}
	j.flat = len(root.Members) > 0 && !bytes.ContainsRune(bytes.TrimSpace(j.text), '\n')
	if len(root.Members) > 0 {
		if indent, own := j.indentOf(root.Members[0].Name.StartOffset); own && indent != "" {
			j.unit = indent
		}
	}
	return j, nil
}

// at is a place as people write it.
func (j *jsonText) at(offset int) string {
	before := j.text[:offset]
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")), offset-bytes.LastIndexByte(before, '\n'))
}

// indentOf is the white space at the front of the line; own is true when offset is the first thing on it.
func (j *jsonText) indentOf(offset int) (indent string, own bool) {
	line := j.text[bytes.LastIndexByte(j.text[:offset], '\n')+1 : offset]
	rest := bytes.TrimLeft(line, " \t")
	return string(line[:len(line)-len(rest)]), len(rest) == 0 && len(line) < offset
}

// member finds a member; of several with one name the last counts, as for every reader.
func member(obj *hujson.Object, name string) int {
	for i := len(obj.Members) - 1; i >= 0; i-- {
		if literal, ok := obj.Members[i].Name.Value.(hujson.Literal); ok && literal.String() == name {
			return i
		}
	}
	return -1
}

// object follows a path of names. Where it ends early, rest is what is missing.
func (j *jsonText) object(path []string) (at *hujson.Value, rest []string, err error) {
	at = &j.root
	for n, name := range path {
		obj := at.Value.(*hujson.Object)
		i := member(obj, name)
		if i < 0 {
			return at, path[n:], nil
		}
		at = &obj.Members[i].Value
		if _, ok := at.Value.(*hujson.Object); !ok {
			return nil, nil, Unreadable{fmt.Sprintf("%s: %q is no object", j.at(at.StartOffset), name)}
		}
	}
	return at, nil, nil
}

// splice replaces a part of the text and reads it again.
func (j *jsonText) splice(from, to int, with string) (*jsonText, error) {
	return parseJSON(bytes.Join([][]byte{j.text[:from], []byte(with), j.text[to:]}, nil))
}

// set puts an object's member in, or a new value in its place.
func (j *jsonText) set(path []string, f field) (*jsonText, error) {
	holder, rest, err := j.object(path)
	if err != nil {
		return nil, err
	}
	for i := len(rest) - 1; i >= 0; i-- {
		f = field{rest[i], object{f}}
	}
	obj := holder.Value.(*hujson.Object)
	if i := member(obj, f.name); i >= 0 {
		value := obj.Members[i].Value
		indent, _ := j.indentOf(obj.Members[i].Name.StartOffset)
		flat := j.flat || !bytes.ContainsRune(j.text[holder.StartOffset:holder.EndOffset], '\n')
		return j.splice(value.StartOffset, value.EndOffset, j.render(f.value, indent, flat))
	}
	return j.insert(holder, obj, f)
}

// insert adds a member behind the last one, in the style of the object.
func (j *jsonText) insert(holder *hujson.Value, obj *hujson.Object, f field) (*jsonText, error) {
	open, closing := holder.StartOffset+1, holder.EndOffset-1
	name := quoted(f.name) + ":"
	if len(obj.Members) == 0 {
		if j.flat {
			return j.splice(closing, closing, name+j.render(f.value, "", true))
		}
		outer, _ := j.indentOf(holder.StartOffset)
		inner := outer + j.unit
		kept := bytes.TrimRight(j.text[open:closing], " \t\r\n")
		if n := bytes.LastIndexByte(j.text[open:closing], '\n'); n >= len(kept) {
			outer = string(j.text[open+n+1 : closing])
		}
		return j.splice(open, closing, string(kept)+j.eol+inner+name+" "+j.render(f.value, inner, false)+j.eol+outer)
	}
	last := obj.Members[len(obj.Members)-1]
	end := last.Value.EndOffset
	indent, own := j.indentOf(last.Name.StartOffset)
	if !own || j.flat {
		space := ""
		if bytes.ContainsRune(j.text[open:end], ' ') {
			space = " "
		}
		return j.splice(end, end, ","+space+name+space+j.render(f.value, indent, true))
	}
	between := bytes.TrimRight(j.text[end:closing], " \t\r\n")
	comma, after := ",", ""
	if j.comma(last) >= 0 {
		comma, after = "", ","
	}
	added := comma + string(between) + j.eol + indent + name + " " + j.render(f.value, indent, false) + after
	return j.splice(end, end+len(between), added)
}

// comma is where the comma behind a member stands, -1 for none.
func (j *jsonText) comma(m hujson.ObjectMember) int {
	at := m.Value.EndOffset + len(m.Value.AfterExtra)
	if at < len(j.text) && j.text[at] == ',' {
		return at
	}
	return -1
}

// remove takes a member out, with its line where nothing else stands on that.
func (j *jsonText) remove(path []string, name string) (*jsonText, error) {
	holder, _, err := j.object(path)
	if err != nil {
		return nil, err
	}
	obj := holder.Value.(*hujson.Object)
	i := member(obj, name)
	from, to := obj.Members[i].Name.StartOffset, obj.Members[i].Value.EndOffset
	comma := j.comma(obj.Members[i])
	if comma >= 0 {
		to = comma + 1
	}
	from, to = j.wholeLines(from, to)
	if i > 0 && j.text[to] == '}' && blank(bytes.TrimPrefix(bytes.TrimLeft(j.text[obj.Members[i-1].Value.EndOffset:from], " \t\r\n"), []byte(","))) {
		// The brace stands on the entry's last line, as it stood on the one before.
		from = obj.Members[i-1].Value.EndOffset
		if at := j.comma(obj.Members[i-1]); at >= 0 {
			from = at + 1
		}
	}
	if len(obj.Members) == 1 && blank(j.text[holder.StartOffset+1:from]) && blank(j.text[to:holder.EndOffset-1]) {
		from, to = holder.StartOffset+1, holder.EndOffset-1
	}
	out := bytes.Join([][]byte{j.text[:from], j.text[to:]}, nil)
	if comma < 0 && i > 0 {
		before := j.comma(obj.Members[i-1])
		out = append(out[:before:before], out[before+1:]...)
	}
	return parseJSON(out)
}

// wholeLines widens a part of the text to its lines, or to the space beside it.
func (j *jsonText) wholeLines(from, to int) (int, int) {
	indent, own := j.indentOf(from)
	rest := to
	for rest < len(j.text) && (j.text[rest] == ' ' || j.text[rest] == '\t' || j.text[rest] == '\r') {
		rest++
	}
	switch {
	case own && rest < len(j.text) && j.text[rest] == '\n':
		return from - len(indent), rest + 1
	case own:
		return from, to
	}
	for from > 0 && (j.text[from-1] == ' ' || j.text[from-1] == '\t') {
		from--
	}
	return from, to
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// entries decodes the members of the object at a path.
func (j *jsonText) entries(path []string) (map[string]map[string]any, error) {
	out := map[string]map[string]any{}
	at, rest, err := j.object(path)
	if err != nil || rest != nil {
		return out, err
	}
	var all map[string]any
	if err := decodeJSON(j.text[at.StartOffset:at.EndOffset], &all); err != nil {
		return nil, err
	}
	for name, each := range all {
		// What is no object is somebody's entry all the same.
		out[name], _ = each.(map[string]any)
	}
	return out, nil
}

// decodeJSON reads JSON with comments.
func decodeJSON(text []byte, into any) error {
	plain, err := hujson.Standardize(bytes.Clone(text))
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(plain))
		d.UseNumber()
		err = d.Decode(into)
	}
	if err != nil {
		return Unreadable{strings.TrimPrefix(err.Error(), "hujson: ")}
	}
	return nil
}

// render writes a value; lists stand in one line.
func (j *jsonText) render(value any, indent string, flat bool) string {
	switch v := value.(type) {
	case object:
		return j.renderObject(v, indent, flat)
	case []string:
		out := make([]string, len(v))
		for i, each := range v {
			out[i] = quoted(each)
		}
		if j.flat {
			return "[" + strings.Join(out, ",") + "]"
		}
		return "[" + strings.Join(out, ", ") + "]"
	case bool:
		return strconv.FormatBool(v)
	}
	return quoted(value.(string))
}

func (j *jsonText) renderObject(o object, indent string, flat bool) string {
	space := " "
	if j.flat {
		space = ""
	}
	parts := make([]string, len(o))
	for i, f := range o {
		parts[i] = quoted(f.name) + ":" + space + j.render(f.value, indent+j.unit, flat)
	}
	if flat {
		return "{" + strings.Join(parts, ","+space) + "}"
	}
	return "{" + j.eol + indent + j.unit + strings.Join(parts, ","+j.eol+indent+j.unit) + j.eol + indent + "}"
}

// quoted is a text in JSON, which TOML reads as well.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// lineEnd is how the lines of a text end.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
