package clients

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

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

// Ours are the names of the entries that start this program's server, sorted; own is its path.
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

// Install returns the config with the server in it. An entry of that name which starts this program keeps
// what else it says; another one is an error, or replaced with force.
func (c Client) Install(text []byte, name string, l Launch, own string, force bool) ([]byte, error) {
	return c.edit(text, name, func(d document, present map[string]any, there bool) (document, object, error) {
		was, ok := c.Launch(present)
		if there && !(ok && was.Ours(own)) {
			if !force {
				return nil, nil, ErrForeign
			}
			d, err := d.remove(name)
			return d, c.entry(l, d.mayEnable()), err
		}
		// Whether the server is switched on is its owner's, once it is there.
		return d, c.entry(l, d.mayEnable() && !there), nil
	})
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

// edit changes the config by change, which returns the entry that it is to have, nil for none, and looks
// whether that, and nothing else, has come out.
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
	if entry != nil {
		if d, err = d.put(name, entry); err != nil {
			return nil, err
		}
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
		if !reflect.DeepEqual(have[key], want) {
			return fmt.Errorf("the edit would have written another %s", key)
		}
	}
	return nil
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
	want := entry.plain()
	for _, f := range entry {
		if reflect.DeepEqual(all[name][f.name], want[f.name]) {
			continue
		}
		if d.jsonText, err = d.set(append(slices.Clone(d.key), name), f); err != nil {
			return nil, err
		}
	}
	return d, nil
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
	present, want := d.tomlText.entries(d.key)[name], entry.plain()
	out := document(d)
	for _, f := range slices.Backward(entry) {
		if reflect.DeepEqual(present[f.name], want[f.name]) {
			continue
		}
		var err error
		if out, err = d.again(out.(tomlDocument).tomlText.put(path, f)); err != nil {
			return nil, err
		}
	}
	return out, nil
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

// Diff is a unified diff of a change to a config, with the values of what looks like a secret hidden: the
// lines around the change are other servers'.
func Diff(path string, before, after []byte) string {
	return shorten(hideSecrets(string(diff.Diff(path, before, path, after))))
}
