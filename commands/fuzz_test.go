package commands

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// FuzzArguments: whatever arguments a tool is called with, they are refused or come out as an object that
// holds parameters of the tool and nothing else.
func FuzzArguments(f *testing.F) {
	table := All()
	for i, t := range table.Tools {
		f.Add(uint16(i), []byte(t.Example()))
	}
	for _, arguments := range []string{
		``, `null`, `[]`, `{}`, `{"node_path":".","property":"position","value":"{\"x\":1e400}"}`, `{"a":{"a":1,"a":2}}`,
		`{"node_path":"\ud800"}`, `{"dry_run":"true","confirm":1.0}`, `{"limit":1e0,"offset":"-0"}`, `{"limit":9007199254740993}`,
		`{"task_progress":1}`, strings.Repeat(`{"value":`, 200) + `1` + strings.Repeat(`}`, 200), "{\"scene_path\":\"res://\xff\"}",
	} {
		f.Add(uint16(3), []byte(arguments))
	}
	f.Fuzz(func(t *testing.T, which uint16, arguments []byte) {
		tool := table.Tools[int(which)%len(table.Tools)]
		for _, legacy := range []bool{false, true} {
			given := bytes.Clone(arguments)
			clean, err := tool.Validate(given, legacy && tool.Alias != "")
			if !bytes.Equal(given, arguments) {
				t.Fatalf("%s: the arguments themselves were changed to %q", tool.Name, given)
			}
			if err != nil {
				continue
			}
			var out map[string]json.RawMessage
			if err := json.Unmarshal(clean, &out); err != nil {
				t.Fatalf("%s: %q: %v", tool.Name, clean, err)
			}
			for _, p := range tool.Params() {
				delete(out, p.Name)
			}
			if len(out) > 0 {
				t.Errorf("%s: %q holds what is no parameter", tool.Name, clean)
			}
		}
	})
}

// FuzzPath: a path that is taken stays in the project, out of the engine's folder, and is taken as it is the
// next time.
func FuzzPath(f *testing.F) {
	for _, given := range []string{
		"res://main.tscn", "./a//b/./c", "res://", "", "uid://abc", "res://../x", "res://a/../../x", `C:\x`, "res://%2e%2e/x",
		"res://a/%252e%252e/x", "res://.godot/x", "res://a b/ä.tscn", "res://..%5cx", "/C:/Program Files/Git/x", "res://a\x00", "%", "res://x::1",
	} {
		f.Add(given)
	}
	f.Fuzz(func(t *testing.T, given string) {
		got, err := ProjectPath("path", given)
		if err != nil || strings.HasPrefix(got, "uid://") {
			return
		}
		rest, isRes := strings.CutPrefix(got, "res://")
		if again, err := ProjectPath("path", got); !isRes || again != got || err != nil {
			t.Fatalf("%q became %q, and that %q, %v", given, got, again, err)
		}
		for spelling := rest; ; {
			if rest := strings.TrimSuffix(spelling, "/"); rest != "" && !filepath.IsLocal(filepath.FromSlash(rest)) {
				t.Errorf("%q became %q, which leads out", given, got)
			}
			for part := range strings.SplitSeq(strings.ToLower(spelling), "/") {
				if part == ".godot" {
					t.Errorf("%q became %q, in the engine's folder", given, got)
				}
			}
			plain := decoded(spelling)
			if plain == spelling || spelling != rest { // decoded once: no file system does it twice
				return
			}
			spelling = plain
		}
	})
}

// FuzzValues: a value is sent to the engine as it was given, and floats that it would misread with their bits.
func FuzzValues(f *testing.F) {
	for _, value := range []string{
		`1`, `0.1`, `5e-324`, `1.7976931348623157e308`, `[0.30000000000000004,-0.0,"1e999"]`, `{"x":1e22,"\"":"\\\""}`, `9007199254740993`, `"\u12345.6789012345678901234"`,
		`{"$type":"float","value":"0.1","bits":"00"}`, `[1E+2,1e-30]`,
	} {
		f.Add([]byte(value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		before, ok := numbersKept(value)
		if !ok {
			return
		}
		sent := exactFloats(bytes.Clone(value))
		after, ok := numbersKept(sent)
		if !ok {
			t.Fatalf("%q became %q", value, sent)
		}
		if !sameValue(before, after) {
			t.Errorf("%q became %q", value, sent)
		}
	})
}

// numbersKept reads JSON with its numbers as text; false for what Validate refuses before.
func numbersKept(text []byte) (value any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if !json.Valid(text) || decoder.Decode(&value) != nil {
		return nil, false
	}
	return value, finite(value)
}

func finite(value any) bool {
	switch v := value.(type) {
	case json.Number:
		_, err := strconv.ParseFloat(v.String(), 64)
		return err == nil
	case []any:
		for _, element := range v {
			if !finite(element) {
				return false
			}
		}
	case map[string]any:
		for _, element := range v {
			if !finite(element) {
				return false
			}
		}
	}
	return true
}

func sameValue(before, after any) bool {
	switch b := before.(type) {
	case json.Number:
		return sameNumber(b, after)
	case []any:
		a, ok := after.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range b {
			if !sameValue(b[i], a[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		a, ok := after.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key := range b {
			if !sameValue(b[key], a[key]) {
				return false
			}
		}
		return true
	}
	return before == after
}

func sameNumber(before json.Number, after any) bool {
	tagged, ok := after.(map[string]any)
	if !ok {
		return after == any(before)
	}
	text, _ := tagged["bits"].(string)
	bits, err := hex.DecodeString(text)
	want, _ := strconv.ParseFloat(before.String(), 64)
	return err == nil && len(bits) == 8 && tagged["$type"] == "float" && tagged["value"] == before.String() &&
		binary.LittleEndian.Uint64(bits) == math.Float64bits(want)
}
