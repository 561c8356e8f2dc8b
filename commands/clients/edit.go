package clients

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// ErrForeign says that the name belongs to a server that is not this program's.
var ErrForeign = errors.New("the name belongs to another server")

// Entries are the servers of a config by name; nil for one whose entry is no object.
func (c Client) Entries(text []byte) (map[string]map[string]any, error) {
	d, err := c.read(text)
	if err != nil {
		return nil, err
	}
	return d.entries()
}

// Ours are the names of the entries that lead to this program's server, sorted; own is its path.
func (c Client) Ours(entries map[string]map[string]any, own string) []string {
	var names []string
	for name, entry := range entries {
		if l, ok := c.Launch(entry); ok && l.Ours(own) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Install returns the config with the server in it. An entry of that name which leads to this program keeps
// what else it says; another one is an error, or replaced with force.
func (c Client) Install(text []byte, name string, l Launch, own string, force bool) ([]byte, error) {
	return c.edit(text, name, func(d document, present map[string]any, there bool) (document, object, error) {
		was, ok := c.Launch(present)
		ours := ok && (was.Ours(own) || was.sameServer(l))
		var err error
		if there && !ours {
			if !force {
				return nil, nil, ErrForeign
			}
			if d, err = d.remove(name); err != nil {
				return nil, nil, err
			}
			present, there = nil, false
		}
		// Whether the server is switched on is its owner's, once it is there.
		entry := c.entry(l, present, d.mayEnable() && !there)
		if d, err = d.put(name, entry); err != nil {
			return nil, nil, err
		}
		if there && (was.URL == "") != (l.URL == "") {
			d, err = c.dropStale(d, name, present, l)
		}
		return d, entry, err
	})
}

// dropStale takes out what belongs to the entry's other form: some clients refuse an entry with both.
func (c Client) dropStale(d document, name string, present map[string]any, l Launch) (document, error) {
	for _, member := range c.stale(l) {
		if _, there := present[member]; !there || member == "" {
			continue
		}
		var err error
		if d, err = d.drop(name, member); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Uninstall returns the config without the server. A name that is not there is no error.
func (c Client) Uninstall(text []byte, name, own string, force bool) ([]byte, error) {
	entries, err := c.Entries(text)
	if err != nil {
		return nil, err
	}
	entry, there := entries[name]
	if !there {
		return text, nil
	}
	if l, ok := c.Launch(entry); !(ok && l.Ours(own)) && !force {
		return nil, ErrForeign
	}
	return c.edit(text, name, func(d document, _ map[string]any, _ bool) (document, object, error) {
		d, err := d.remove(name)
		return d, nil, err
	})
}

// document is a config in one of the formats.
type document interface {
	entries() (map[string]map[string]any, error)
	// put sets one member of the entry, making the entry where need be.
	put(name string, entry object) (document, error)
	remove(name string) (document, error)
	// drop takes one member out of the entry.
	drop(name, member string) (document, error)
	// mayEnable is true where entries may say enabled.
	mayEnable() bool
	bytes() []byte
	// rest is everything but the entry.
	rest(name string) (map[string]any, error)
}

func (c Client) read(text []byte) (document, error) {
	text = bytes.TrimPrefix(text, byteOrderMark)
	if c.Format == TOML {
		t, err := parseTOML(text)
		return tomlDocument{t, c.Key}, err
	}
	j, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	return jsonDocument{j, c.keyIn(j)}, nil
}

// edit changes the config by change, which returns the entry that it has then, nil for none, and looks whether
// that, and nothing else, has come out.
func (c Client) edit(text []byte, name string, change func(d document, present map[string]any, there bool) (document, object, error)) ([]byte, error) {
	d, err := c.read(text)
	if err != nil {
		return nil, err
	}
	entries, err := d.entries()
	if err != nil {
		return nil, err
	}
	before, err := d.rest(name)
	if err != nil {
		return nil, err
	}
	present, there := entries[name]
	d, entry, err := change(d, present, there)
	if err != nil {
		return nil, err
	}
	if err := verify(d, name, before, entry); err != nil {
		return nil, err
	}
	out := d.bytes()
	if bytes.HasPrefix(text, byteOrderMark) {
		out = append(slices.Clone(byteOrderMark), out...)
	}
	if there && entry != nil && bytes.Equal(out, text) {
		return text, nil
	}
	return out, nil
}

// verify reads the text that was made.
func verify(d document, name string, before map[string]any, entry object) error {
	after, err := d.rest(name)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(before, after) {
		return fmt.Errorf("the edit would have changed something else")
	}
	entries, err := d.entries()
	if err != nil {
		return err
	}
	have, there := entries[name]
	if there != (entry != nil) {
		return fmt.Errorf("the edit would not have had its effect")
	}
	for key, want := range entry.plain() {
		if !covers(have[key], want) {
			return fmt.Errorf("the edit would have written another %s", key)
		}
	}
	return nil
}

// covers is true for a value that is as wanted; an object may have more members.
func covers(have, want any) bool {
	members, isObject := want.(map[string]any)
	all, _ := have.(map[string]any)
	if !isObject {
		return reflect.DeepEqual(have, want)
	}
	for name, value := range members {
		if !covers(all[name], value) {
			return false
		}
	}
	return true
}

type jsonDocument struct {
	*jsonText
	key []string
}

// keyIn is where the config has its servers: version 2 of OpenCode has them a level deeper.
func (c Client) keyIn(j *jsonText) []string {
	if c.ID != "opencode" {
		return c.Key
	}
	deeper := append(slices.Clone(c.Key), "servers")
	at, rest, err := j.object(deeper)
	if err != nil || rest != nil {
		return c.Key
	}
	var servers map[string]any
	if decodeJSON(j.text[at.StartOffset:at.EndOffset], &servers) != nil {
		return c.Key
	}
	// A server that is called servers has a type.
	if _, isServer := servers["type"].(string); isServer {
		return c.Key
	}
	return deeper
}

func (d jsonDocument) mayEnable() bool { return len(d.key) == 1 }

func (d jsonDocument) bytes() []byte { return d.text }

func (d jsonDocument) entries() (map[string]map[string]any, error) { return d.jsonText.entries(d.key) }

func (d jsonDocument) put(name string, entry object) (document, error) {
	all, err := d.entries()
	if err != nil {
		return nil, err
	}
	if all[name] == nil {
		j, err := d.set(d.key, field{name, entry})
		return jsonDocument{j, d.key}, err
	}
	j, err := d.merge(append(slices.Clone(d.key), name), all[name], entry)
	return jsonDocument{j, d.key}, err
}

// merge sets the members of the object at path that differ; objects among them keep what else they have.
func (j *jsonText) merge(path []string, present map[string]any, o object) (*jsonText, error) {
	want := o.plain()
	var err error
	for _, f := range o {
		inner, isObject := f.value.(object)
		there, has := present[f.name].(map[string]any)
		switch {
		case isObject && has:
			j, err = j.merge(append(slices.Clone(path), f.name), there, inner)
		case !reflect.DeepEqual(present[f.name], want[f.name]):
			j, err = j.set(path, f)
		}
		if err != nil {
			return nil, err
		}
	}
	return j, nil
}

func (d jsonDocument) drop(name, member string) (document, error) {
	j, err := d.jsonText.remove(append(slices.Clone(d.key), name), member)
	return jsonDocument{j, d.key}, err
}

func (d jsonDocument) remove(name string) (document, error) {
	j, err := d.jsonText.remove(d.key, name)
	return jsonDocument{j, d.key}, err
}

func (d jsonDocument) rest(name string) (map[string]any, error) {
	var all map[string]any
	if err := decodeJSON(d.text, &all); err != nil {
		return nil, err
	}
	return without(all, d.key, name), nil
}

type tomlDocument struct {
	*tomlText
	key []string
}

func (d tomlDocument) mayEnable() bool { return true }

func (d tomlDocument) bytes() []byte { return d.text }

func (d tomlDocument) entries() (map[string]map[string]any, error) {
	return d.tomlText.entries(d.key), nil
}

func (d tomlDocument) again(text []byte) (document, error) {
	t, err := parseTOML(text)
	return tomlDocument{t, d.key}, err
}

func (d tomlDocument) put(name string, entry object) (document, error) {
	path := append(slices.Clone(d.key), name)
	if err := d.inline(path); err != nil {
		return nil, err
	}
	if d.header(path) < 0 {
		return d.again(d.add(path, entry))
	}
	t, err := d.merge(path, d.tomlText.entries(d.key)[name], entry)
	return tomlDocument{t, d.key}, err
}

// merge sets the assignments of the table at path that differ; what else a table inside it has stays.
func (t *tomlText) merge(path []string, present map[string]any, o object) (*tomlText, error) {
	var err error
	for _, f := range slices.Backward(o) {
		inner, isObject := f.value.(object)
		there, _ := present[f.name].(map[string]any)
		own := append(slices.Clone(path), f.name)
		switch {
		case covers(present[f.name], o.plain()[f.name]):
		case isObject && t.header(own) >= 0:
			t, err = t.merge(own, there, inner)
		case isObject:
			t, err = parseTOML(t.put(path, field{f.name, inner.with(there)}))
		default:
			t, err = parseTOML(t.put(path, f))
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (d tomlDocument) drop(name, member string) (document, error) {
	return d.again(d.tomlText.drop(append(slices.Clone(d.key), name), member))
}

func (d tomlDocument) remove(name string) (document, error) {
	path := append(slices.Clone(d.key), name)
	if err := d.inline(path); err != nil {
		return nil, err
	}
	return d.again(d.tomlText.remove(path))
}

func (d tomlDocument) rest(name string) (map[string]any, error) {
	return without(d.values, d.key, name), nil
}

// without is a copy that lacks one entry, and what holds entries when it is empty then.
func without(all map[string]any, key []string, name string) map[string]any {
	out := maps.Clone(all)
	if out == nil {
		out = map[string]any{}
	}
	if len(key) == 0 {
		delete(out, name)
		return out
	}
	inner, ok := out[key[0]].(map[string]any)
	if !ok {
		return out
	}
	if rest := without(inner, key[1:], name); len(rest) > 0 {
		out[key[0]] = rest
	} else {
		delete(out, key[0])
	}
	return out
}

// Diff is a unified diff of a change to a config, with the token and the values of what looks like a secret
// hidden: the lines around the change are other servers'.
func Diff(path string, before, after []byte, token string) string {
	text := string(diff.Diff(path, before, path, after))
	if token != "" {
		text = strings.ReplaceAll(text, token, "***")
	}
	return shorten(hideSecrets(text))
}
