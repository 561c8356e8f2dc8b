package commands

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Clients add this key to arguments on their own; it is no parameter of any tool.
const clientKey = "task_progress"

// Validate checks arguments against the tool's parameters and returns them complete: defaults filled in,
// in the table's order, stringified JSON parsed where another type is wanted. A legacy call is turned into
// ours first. Errors are VALIDATION_ERROR with the parameter in Required.
func (t *Tool) Validate(arguments json.RawMessage, legacy bool) (json.RawMessage, error) {
	given, err := parseObject(arguments)
	if err != nil {
		return nil, err
	}
	if err := t.fromOlder(given, legacy); err != nil {
		return nil, err
	}
	delete(given, clientKey)
	if err := t.checkNames(given); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for _, f := range t.Params() {
		value, err := t.value(f, given[f.Name])
		if err != nil {
			return nil, err
		}
		if value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = strconv.AppendQuote(out, f.Name)
		out = append(out, ':')
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

func parseObject(arguments json.RawMessage) (map[string]json.RawMessage, error) {
	trimmed := bytes.TrimSpace(arguments)
	given := map[string]json.RawMessage{}
	if len(trimmed) == 0 || string(trimmed) == "null" {
		return given, nil
	}
	if !utf8.Valid(trimmed) {
		return nil, bridge.Errorf(bridge.ValidationError, "arguments", "the arguments are not valid UTF-8")
	}
	if err := json.Unmarshal(trimmed, &given); err != nil {
		return nil, bridge.Errorf(bridge.ValidationError, "arguments", "the arguments must be one JSON object: %v", err)
	}
	if loneSurrogate(trimmed) {
		return nil, bridge.Errorf(bridge.ValidationError, "arguments", "the arguments hold half of a surrogate pair (\\ud800 to \\udfff): write the character itself")
	}
	return given, nil
}

func (t *Tool) checkNames(given map[string]json.RawMessage) error {
	names := make([]string, 0, 8)
	for _, f := range t.Params() {
		names = append(names, f.Name)
	}
next:
	for _, name := range slices.Sorted(maps.Keys(given)) {
		for _, known := range names {
			if name == known {
				continue next
			}
		}
		hint := "godot-mcp " + t.Name + " --help"
		if best := nearest(name, names); best != "" {
			hint = "did you mean " + best + "? " + hint
		}
		return bridge.Errorf(bridge.ValidationError, name, "%s has no parameter %s: %s", t.Name, name, hint)
	}
	return nil
}

// value is the JSON to send for one parameter, nil to leave it out.
func (t *Tool) value(f Field, given json.RawMessage) (json.RawMessage, error) {
	if given == nil || string(given) == "null" && f.Type != "any" {
		if f.Required {
			return nil, bridge.Errorf(bridge.ValidationError, f.Name, "%s needs %s: godot-mcp %s", t.Name, f.Name, ShellLine(t.Name, t.Example()))
		}
		return f.Default, nil
	}
	value, ok := fit(f, given)
	if !ok {
		return nil, bridge.Errorf(bridge.ValidationError, f.Name, "%s must be %s, was given %s", f.Name, f.wants(), shorten(given))
	}
	if len(f.Enum) > 0 && !oneOf(value, f.Enum) {
		return nil, bridge.Errorf(bridge.ValidationError, f.Name, "%s must be one of %s, was given %s", f.Name, strings.Join(f.Enum, ", "), shorten(given))
	}
	if f.Kind != "" {
		return checkKind(f, t.Class, value)
	}
	return value, nil
}

// fit returns the value in the field's type. Some clients send everything as text: text that is JSON of
// the wanted type is taken for it.
func fit(f Field, value json.RawMessage) (json.RawMessage, bool) {
	if f.Type == "any" {
		return exactFloats(value), exactIntegers(value)
	}
	if f.matches(value) {
		return f.plain(value), true
	}
	if f.Type == "string" {
		return nil, false
	}
	var text string
	if json.Unmarshal(value, &text) != nil {
		return nil, false
	}
	inner := json.RawMessage(strings.TrimSpace(text))
	if json.Valid(inner) && f.matches(inner) {
		return f.plain(inner), true
	}
	return nil, false
}

// plain writes a whole number without point and exponent, which not every reader takes for an integer, and
// the floats in an object or list exactly.
func (f Field) plain(value json.RawMessage) json.RawMessage {
	if f.Kind == "commands" {
		// Each is validated by its own tool, which wants numbers as they were given.
		return value
	}
	if f.Type == "object" || f.Type == "array" {
		return exactFloats(value)
	}
	if f.Type != "integer" || !bytes.ContainsAny(value, ".eE") {
		return value
	}
	n, _ := strconv.ParseFloat(string(value), 64) // isInteger has seen to it
	return strconv.AppendInt(nil, int64(n), 10)
}

func (f Field) matches(value json.RawMessage) bool {
	if len(value) == 0 {
		return false
	}
	switch f.Type {
	case "string":
		return value[0] == '"'
	case "boolean":
		return value[0] == 't' || value[0] == 'f'
	case "integer":
		return isInteger(value)
	case "number":
		_, err := strconv.ParseFloat(string(value), 64)
		return err == nil
	case "object":
		return value[0] == '{' && exactIntegers(value)
	case "array":
		return value[0] == '[' && f.elementsMatch(value)
	}
	return false
}

func (f Field) elementsMatch(value json.RawMessage) bool {
	var elements []json.RawMessage
	if json.Unmarshal(value, &elements) != nil {
		return false
	}
	for _, e := range elements {
		if f.Items.Type != "any" && !f.Items.matches(e) {
			return false
		}
	}
	return true
}

func (f Field) wants() string {
	switch f.Type {
	case "array":
		return "a list of " + f.Items.Type
	case "object", "integer":
		return "an " + f.Type
	case "any":
		return "JSON with numbers that the engine can hold"
	}
	return "a " + f.Type
}

// isInteger takes 3 and 3.0: JSON has one kind of number.
func isInteger(value json.RawMessage) bool {
	if _, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return true
	}
	n, err := strconv.ParseFloat(string(value), 64)
	return err == nil && n == math.Trunc(n) && math.Abs(n) <= 1<<53
}

// exactIntegers is false when a number in the value is too large for the engine: its parser would wrap it.
func exactIntegers(value json.RawMessage) bool {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return true
		}
		n, ok := token.(json.Number)
		if !ok {
			continue
		}
		if strings.ContainsAny(n.String(), ".eE") {
			if _, err := n.Float64(); err != nil {
				return false
			}
		} else if _, err := n.Int64(); err != nil {
			return false
		}
	}
}

// loneSurrogate finds an escape for half a character, which Go's decoder would replace in silence.
func loneSurrogate(text []byte) bool {
	for i := 0; i+5 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if text[i+1] != 'u' {
			i++
			continue
		}
		unit, err := strconv.ParseUint(string(text[i+2:i+6]), 16, 16)
		if err != nil || unit < 0xD800 || unit > 0xDFFF {
			i += 5
			continue
		}
		if unit >= 0xDC00 || i+11 >= len(text) || text[i+6] != '\\' || text[i+7] != 'u' {
			return true
		}
		low, err := strconv.ParseUint(string(text[i+8:i+12]), 16, 16)
		if err != nil || low < 0xDC00 || low > 0xDFFF {
			return true
		}
		i += 11
	}
	return false
}

func oneOf(value json.RawMessage, list []string) bool {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return false
	}
	for _, e := range list {
		if e == text {
			return true
		}
	}
	return false
}

func shorten(value json.RawMessage) string {
	const most = 120
	if len(value) <= most {
		return string(value)
	}
	return strings.ToValidUTF8(string(value[:most]), "") + "..."
}
