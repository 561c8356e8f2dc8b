package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
)

// member is one of an object's, as it was written.
type member struct {
	name  string
	value json.RawMessage
}

// members are an object in the order in which it was written.
type members []member

// UnmarshalJSON reads an object.
func (m *members) UnmarshalJSON(text []byte) error {
	return eachMember(json.NewDecoder(bytes.NewReader(text)), func(d *json.Decoder, name string) error {
		var value json.RawMessage
		err := d.Decode(&value)
		*m = append(*m, member{name, value})
		return err
	})
}

var errNotAnObject = errors.New("not an object")

// eachMember reads an object's names, and leaves the values to do.
func eachMember(d *json.Decoder, do func(d *json.Decoder, name string) error) error {
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return errors.Join(errNotAnObject, err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if err := do(d, name.(string)); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

func (m members) get(name string) json.RawMessage {
	for _, one := range m {
		if one.name == name {
			return one.value
		}
	}
	return nil
}

func (m *members) set(name string, value json.RawMessage) {
	for i, one := range *m {
		if one.name == name {
			(*m)[i].value = value
			return
		}
	}
	*m = append(*m, member{name, value})
}

func (m members) size() int {
	n := 2
	for _, one := range m {
		n += one.size()
	}
	return n
}

// size counts the comma behind it.
func (m member) size() int {
	n := chars(m.value) + 1
	if m.name != "" {
		n += encodedChars(m.name) + 3
	}
	return n
}

func (m members) json() json.RawMessage { return m.appendTo([]byte{'{'}, '}') }

// appendTo writes the members behind a bracket; those of a list have no names.
func (m members) appendTo(out []byte, end byte) []byte {
	for i, one := range m {
		if i > 0 {
			out = append(out, ',')
		}
		if end == '}' {
			name, _ := encodeText(one.name) // a text always encodes
			out = append(append(out, name...), ':')
		}
		out = append(out, one.value...)
	}
	return append(out, end)
}

// encodeText is JSON without the escapes that only HTML needs.
func encodeText(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

// collection is a list, or an object with free keys.
type collection struct {
	name  string
	items members
	list  bool
}

// readCollection returns nil for what is neither, such as null.
func readCollection(name string, value json.RawMessage) *collection {
	one := &collection{name: name}
	if startsWith(value, '[') {
		var elements []json.RawMessage
		if json.Unmarshal(value, &elements) != nil {
			return nil
		}
		for _, e := range elements {
			one.items = append(one.items, member{"", e})
		}
		one.list = true
		return one
	}
	if json.Unmarshal(value, &one.items) != nil {
		return nil
	}
	return one
}

func (c *collection) size() int { return c.items.size() }

func (c *collection) json() json.RawMessage {
	if c.list {
		return c.items.appendTo([]byte{'['}, ']')
	}
	return c.items.json()
}

// shorten keeps a list's first elements. Of an object it takes out the largest entries, so that one long
// value does not hide all others, and returns the names of the first of them.
func (c *collection) shorten(room int) (entries []string) {
	left := room - 2
	if c.list {
		for i, one := range c.items {
			if left -= one.size(); left < 0 {
				c.items = c.items[:i]
				return nil
			}
		}
		return nil
	}
	order := make([]int, len(c.items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return c.items[a].size() - c.items[b].size() })
	out := map[int]bool{}
	for _, i := range order {
		if left -= c.items[i].size(); left < 0 {
			out[i] = true
		}
	}
	var kept members
	shown := 0
	for i, one := range c.items {
		switch {
		case !out[i]:
			kept = append(kept, one)
		case len(entries) < maxEntryNames && shown+len(one.name) <= maxEntryChars:
			entries = append(entries, one.name)
			shown += len(one.name) + 3
		}
	}
	c.items = kept
	return entries
}

// branch is a node of a tree with those below it.
type branch struct {
	own      members
	children []*branch
	// parent is true where there is a list of children, if an empty one.
	parent bool
}

// readBranch returns nil for null.
func readBranch(value json.RawMessage) (*branch, error) {
	if string(value) == "null" {
		return nil, nil
	}
	return decodeBranch(json.NewDecoder(bytes.NewReader(value)))
}

// decodeBranch reads each text once, however deep it lies.
func decodeBranch(d *json.Decoder) (*branch, error) {
	b := &branch{}
	return b, eachMember(d, func(d *json.Decoder, name string) error {
		if name != "children" {
			var value json.RawMessage
			err := d.Decode(&value)
			b.own = append(b.own, member{name, value})
			return err
		}
		if begin, err := d.Token(); err != nil || begin != json.Delim('[') {
			return err
		}
		b.parent = true
		for d.More() {
			child, err := decodeBranch(d)
			if err != nil {
				return err
			}
			b.children = append(b.children, child)
		}
		_, err := d.Token()
		return err
	})
}

// childCount is what the node says of itself; a page may hold fewer of its children.
func (b *branch) childCount() int {
	n := len(b.children)
	_ = json.Unmarshal(b.own.get("child_count"), &n) // a number where there is one
	return n
}

func (b *branch) count() int {
	n := 1
	for _, child := range b.children {
		n += child.count()
	}
	return n
}

// What a node takes for its children, and for those that are left out.
const (
	childrenChars = len(`"children":[],`)
	omittedChars  = len(`"children_omitted":100000,`)
)

// fitting is how many nodes, depth first, have room.
func (b *branch) fitting(room int) int {
	n := 0
	var visit func(*branch) bool
	visit = func(b *branch) bool {
		room -= b.own.size() + 1
		if b.parent {
			room -= childrenChars + omittedChars
		}
		if room < 0 {
			return false
		}
		n++
		for _, child := range b.children {
			if !visit(child) {
				return false
			}
		}
		return true
	}
	visit(b)
	return n
}

// json is the tree of the first nodes. Each says how many of its children are not there.
func (b *branch) json(nodes int) json.RawMessage {
	return b.appendTo(nil, &nodes)
}

func (b *branch) appendTo(out []byte, nodes *int) []byte {
	*nodes--
	out = b.own.appendTo(append(out, '{'), '}')
	if !b.parent {
		return out
	}
	out = out[:len(out)-1]
	if len(b.own) > 0 {
		out = append(out, ',')
	}
	out = append(out, `"children":[`...)
	shown := 0
	for ; shown < len(b.children) && *nodes > 0; shown++ {
		if shown > 0 {
			out = append(out, ',')
		}
		out = b.children[shown].appendTo(out, nodes)
	}
	out = append(out, ']')
	if omitted := b.childCount() - shown; omitted > 0 {
		out = append(out, `,"children_omitted":`...)
		out = strconv.AppendInt(out, int64(omitted), 10)
	}
	return append(out, '}')
}
