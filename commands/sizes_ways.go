package commands

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// treeFields hold a node with children, which hold nodes.
var treeFields = []string{"tree", "snapshot"}

// tree keeps the first nodes, depth first, each with its parents.
func (c *cutter) tree() bool {
	names := c.fields(func(f Field) bool { return f.Type == "object" && slices.Contains(treeFields, f.Name) })
	if len(names) == 0 {
		return false
	}
	name := names[0]
	root, err := readBranch(c.result.get(name))
	if err != nil || root == nil {
		return false
	}
	all := root.count()
	kept := root.fitting(c.room(name))
	// A page begins with the parents of its first node, which it does not count.
	lead := 0
	if c.takes("offset") {
		lead = all - (c.end(all) - c.number("offset"))
	}
	if kept <= lead || kept >= all {
		return false
	}
	c.result.set(name, root.json(kept))
	missing := leftOut{Field: name, Count: all - kept, Total: all}
	if c.takes("offset") {
		next := c.number("offset") + kept - lead
		c.goOn("offset", next)
		if json.Unmarshal(c.result.get("total"), &missing.Total) == nil {
			missing.Count = missing.Total - next
		}
	}
	c.info.LeftOut = append(c.info.LeftOut, missing)
	return true
}

// minNodeChars is less than any node of a tree takes.
const minNodeChars = 50

// bounded are the arguments with a limit that the editor may keep to: the nodes behind it have no room.
func (t *Tool) bounded(args json.RawMessage, maxChars int) json.RawMessage {
	var fields map[string]json.RawMessage
	c := &cutter{tool: t}
	if maxChars <= 0 || !c.takes("limit") || !c.takes("offset") || !t.hasTree() || json.Unmarshal(args, &fields) != nil {
		return args
	}
	c.args = fields
	most := maxChars/minNodeChars + 1
	if limit := c.number("limit"); limit > 0 && limit <= most {
		return args
	}
	fields["limit"], _ = json.Marshal(most)
	return encoded(fields, args)
}

func (t *Tool) hasTree() bool {
	return slices.ContainsFunc(t.Result(), func(f Field) bool { return f.Name == "tree" })
}

// end is the offset behind the last thing of a page.
func (c *cutter) end(otherwise int) int {
	at := otherwise
	if json.Unmarshal(c.result.get("next_offset"), &at) != nil {
		_ = json.Unmarshal(c.result.get("total"), &at) // a number by the tool's schema
	}
	return at
}

// text keeps the first lines, or the first part, of what a tool reads from a file.
func (c *cutter) text() bool {
	var content string
	if json.Unmarshal(c.result.get("content"), &content) != nil {
		return false
	}
	room := c.room("content") - 2
	switch {
	case c.takes("start_line"):
		return c.lines(content, room)
	case c.takes("offset"):
		return c.bytes(content, room)
	}
	return false
}

func (c *cutter) lines(content string, room int) bool {
	lines := strings.SplitAfter(content, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	kept, length := 0, 0
	for ; kept < len(lines); kept++ {
		cost := encodedChars(lines[kept])
		if cost > room {
			break
		}
		room -= cost
		length += len(lines[kept])
	}
	if kept == 0 || kept == len(lines) {
		return false
	}
	c.keepContent(content[:length], len(lines)-kept, len(lines))
	c.goOn("start_line", max(c.number("start_line"), 1)+kept)
	return true
}

// bytes counts as the parameter offset does.
func (c *cutter) bytes(content string, room int) bool {
	length := 0
	for i, r := range content {
		room -= encodedChars(string(r))
		if room < 0 {
			break
		}
		length = i + utf8.RuneLen(r)
	}
	if length == 0 || length >= len(content) {
		return false
	}
	c.keepContent(content[:length], len(content)-length, len(content))
	c.goOn("offset", c.number("offset")+length)
	return true
}

func (c *cutter) keepContent(content string, missing, total int) {
	text, _ := encodeText(content) // a text always encodes
	c.result.set("content", text)
	c.info.LeftOut = append(c.info.LeftOut, leftOut{Field: "content", Count: missing, Total: total})
}

func encodedChars(text string) int {
	encoded, _ := encodeText(text) // a text always encodes
	return chars(encoded) - 2
}

// page keeps the first elements of the one list that the tool has pages of.
func (c *cutter) page() bool {
	if !c.takes("offset") {
		return false
	}
	lists := c.collectionsOf("array")
	if len(lists) == 0 {
		return false
	}
	list := slices.MaxFunc(lists, func(a, b *collection) int { return a.size() - b.size() })
	if len(list.items) == 0 || list.items[0].size()+2 > c.room(list.name) || !c.keep(list, c.room(list.name)) {
		return false
	}
	c.goOn("offset", c.number("offset")+len(list.items))
	return true
}

// collections shortens all lists and objects with free keys to one size, those that are shorter not at all.
// Where a tool has pages, an empty one would lead nowhere.
func (c *cutter) collections() bool {
	if c.takes("offset") {
		return false
	}
	all := append(c.collectionsOf("array"), c.collectionsOf("object")...)
	if len(all) == 0 {
		return false
	}
	room := c.max - cutReserve - c.result.size()
	for _, one := range all {
		room += one.size()
	}
	slices.SortFunc(all, func(a, b *collection) int { return a.size() - b.size() })
	for i, one := range all {
		share := max(room/(len(all)-i), 0)
		if one.size() > share {
			c.keep(one, share)
		}
		room -= one.size()
	}
	return room >= 0 && len(c.info.LeftOut) > 0
}

// inside shortens the lists and objects of an object in the result, such as a selected node's properties.
func (c *cutter) inside() bool {
	for _, f := range c.described {
		if f.Type != "object" || f.Fields == nil {
			continue
		}
		inner := &cutter{tool: c.tool, args: c.args, max: c.room(f.Name) + cutReserve, described: f.Fields}
		if json.Unmarshal(c.result.get(f.Name), &inner.result) != nil || !inner.collections() {
			continue
		}
		c.result.set(f.Name, inner.result.json())
		for _, missing := range inner.info.LeftOut {
			missing.Field = f.Name + "." + missing.Field
			c.info.LeftOut = append(c.info.LeftOut, missing)
		}
		return true
	}
	return false
}

// collectionsOf are the result's lists, or its objects with free keys.
func (c *cutter) collectionsOf(kind string) []*collection {
	var all []*collection
	for _, name := range c.fields(func(f Field) bool { return f.Type == kind && f.Fields == nil }) {
		if one := readCollection(name, c.result.get(name)); one != nil {
			all = append(all, one)
		}
	}
	return all
}

// keep shortens a collection of the result to room.
func (c *cutter) keep(one *collection, room int) bool {
	total := len(one.items)
	entries := one.shorten(room)
	if len(one.items) == total || one.size() > room {
		return false
	}
	c.result.set(one.name, one.json())
	c.info.LeftOut = append(c.info.LeftOut, leftOut{one.name, total - len(one.items), total, entries})
	return true
}

// values leaves out the values that a tool reads back after a change. A reader must not take null for one.
func (c *cutter) values() bool {
	if c.tool.Class == ReadOnly {
		return false
	}
	for _, name := range c.fields(func(f Field) bool { return f.Type == "any" }) {
		if c.result.size() <= c.max-cutReserve {
			break
		}
		c.result.set(name, json.RawMessage("null"))
		c.info.LeftOut = append(c.info.LeftOut, leftOut{Field: name, Count: 1, Total: 1})
	}
	return len(c.info.LeftOut) > 0 && c.result.size() <= c.max-cutReserve
}
