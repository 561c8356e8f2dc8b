package testbed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// valueCase is a value as it is given, and as get-property prints it afterwards; out "" is the same text.
type valueCase struct {
	property, in, out string
}

// values are all types of the contract's table with their limits and accepted forms. One property may stand
// here several times: the last one is in the saved file.
func values() []valueCase {
	return []valueCase{
		{"a_bool", `false`, ""},
		{"an_int", `0`, ""},
		{"an_int", `-9007199254740992`, ""},
		{"an_int", `"42"`, `42`},
		{"an_int", `7.0`, `7`},
		{"an_int", `{"$type":"int","value":"12"}`, `12`},
		{"an_int", `9223372036854775807`, `"9223372036854775807"`},
		{"an_int", `"-9223372036854775808"`, ""},
		{"a_float", `0.1`, ""},
		{"a_float", `3`, `3.0`},
		{"a_float", `"4.5"`, `4.5`},
		{"a_float", `-4.711828560943344e-18`, ""},
		{"a_float", `6.91669781822709e-29`, ""},
		{"a_float", `1.7976931348623157e308`, `1.7976931348623157e+308`},
		{"a_float", `5e-324`, `5e-324`},
		{"a_float", `"inf"`, ""},
		{"a_float", `"-inf"`, ""},
		{"a_float", `"nan"`, ""},
		{"a_float", `0.30000000000000004`, ""},
		{"a_string", `""`, ""},
		{"a_string", `"quote \" slash \\ tab \t 玩家 \u001b[0m \u000b 😀"`, `"quote \" slash \\ tab \t 玩家 \u001b[0m \u000b 😀"`},
		{"a_string_name", `"jump"`, ""},
		{"a_node_path", `"Child/Grandchild:position:x"`, ""},
		{"a_vector2", `{"x":1.5,"y":-2.25}`, ""},
		{"a_vector2", `[3, 4]`, `{"x":3.0,"y":4.0}`},
		{"a_vector2", `"Vector2(5, 6.5)"`, `{"x":5.0,"y":6.5}`},
		{"a_vector2", `{"x":"inf","y":"nan"}`, ""},
		{"a_vector2", `{"x":0.1,"y":0.7}`, ""},
		{"a_vector2", `{"x":1.23456789012345678,"y":1e30}`, `{"x":1.2345679,"y":1e+30}`},
		{"a_vector2i", `{"x":2147483647,"y":-2147483648}`, ""},
		{"a_vector2i", `[3, -4]`, `{"x":3,"y":-4}`},
		{"a_rect2", `[1, 2, 3, 4]`, `{"position":{"x":1.0,"y":2.0},"size":{"x":3.0,"y":4.0}}`},
		{"a_rect2", `"Rect2(1, 2, 3, 4.5)"`, `{"position":{"x":1.0,"y":2.0},"size":{"x":3.0,"y":4.5}}`},
		{"a_rect2i", `{"position":{"x":1,"y":2},"size":{"x":3,"y":4}}`, ""},
		{"a_vector3", `{"x":1.5,"y":-2.0,"z":0.1}`, ""},
		{"a_vector3", `[1, 2, 3]`, `{"x":1.0,"y":2.0,"z":3.0}`},
		{"a_vector3i", `"Vector3i(1, 2, 3)"`, `{"x":1,"y":2,"z":3}`},
		{"a_vector4", `[1, 2, 3, 4]`, `{"x":1.0,"y":2.0,"z":3.0,"w":4.0}`},
		{"a_vector4i", `{"x":1,"y":2,"z":3,"w":4}`, ""},
		{"a_transform2d", `{"x":{"x":0.0,"y":2.0},"y":{"x":-2.0,"y":0.0},"origin":{"x":5.0,"y":6.0}}`, ""},
		{"a_transform2d", `{"rotation":0,"scale":[2,3],"origin":[4,5]}`, `{"x":{"x":2.0,"y":0.0},"y":{"x":0.0,"y":3.0},"origin":{"x":4.0,"y":5.0}}`},
		{"a_transform2d", `"Transform2D(1, 0, 0, 1, 7, 8)"`, `{"x":{"x":1.0,"y":0.0},"y":{"x":0.0,"y":1.0},"origin":{"x":7.0,"y":8.0}}`},
		{"a_plane", `{"normal":{"x":0.0,"y":1.0,"z":0.0},"d":3.5}`, ""},
		{"a_plane", `[0, 0, 1, 2]`, `{"normal":{"x":0.0,"y":0.0,"z":1.0},"d":2.0}`},
		{"a_quaternion", `{"x":0.0,"y":0.6,"z":0.0,"w":0.8}`, ""},
		{"an_aabb", `[1, 2, 3, 4, 5, 6]`, `{"position":{"x":1.0,"y":2.0,"z":3.0},"size":{"x":4.0,"y":5.0,"z":6.0}}`},
		{"a_basis", `{"x":{"x":1.0,"y":0.0,"z":0.0},"y":{"x":0.0,"y":2.0,"z":0.0},"z":{"x":0.0,"y":0.0,"z":3.0}}`, ""},
		{"a_basis", `{"euler":[0,0,0]}`, `{"x":{"x":1.0,"y":0.0,"z":0.0},"y":{"x":0.0,"y":1.0,"z":0.0},"z":{"x":0.0,"y":0.0,"z":1.0}}`},
		{"a_transform3d", `{"basis":{"x":{"x":1.0,"y":0.0,"z":0.0},"y":{"x":0.0,"y":1.0,"z":0.0},"z":{"x":0.0,"y":0.0,"z":1.0}},"origin":{"x":1.0,"y":2.0,"z":3.0}}`, ""},
		{"a_transform3d", `{"rotation":[0,0,0],"scale":[2,2,2],"origin":[1,2,3]}`, `{"basis":{"x":{"x":2.0,"y":0.0,"z":0.0},"y":{"x":0.0,"y":2.0,"z":0.0},"z":{"x":0.0,"y":0.0,"z":2.0}},"origin":{"x":1.0,"y":2.0,"z":3.0}}`},
		{"a_projection", `{"x":{"x":1.0,"y":0.0,"z":0.0,"w":0.0},"y":{"x":0.0,"y":1.0,"z":0.0,"w":0.0},"z":{"x":0.0,"y":0.0,"z":1.0,"w":0.5},"w":{"x":0.0,"y":0.0,"z":0.0,"w":1.0}}`, ""},
		{"a_color", `{"r":0.25,"g":0.5,"b":0.75,"a":1.0}`, ""},
		{"a_color", `"#ff8000"`, `{"r":1.0,"g":0.5019608,"b":0.0,"a":1.0}`},
		{"a_color", `"#ff800080"`, `{"r":1.0,"g":0.5019608,"b":0.0,"a":0.5019608}`},
		{"a_color", `"red"`, `{"r":1.0,"g":0.0,"b":0.0,"a":1.0}`},
		{"a_color", `[0.5, 0.25, 1]`, `{"r":0.5,"g":0.25,"b":1.0,"a":1.0}`},
		{"a_dictionary", `{"key":1,"deep":{"list":[1,1.5,"x",null,true]}}`, ""},
		{"a_dictionary", `{"$dict":[[1,"one"],[{"$type":"Vector2","value":{"x":1.0,"y":2.0}},2.5],["$odd",{"$type":"StringName","value":"n"}]]}`, ""},
		{"a_dictionary", `{"big":{"$type":"int","value":"9007199254740993"},"gone":{"$type":"float","value":"inf"}}`, ""},
		{"a_typed_dictionary", `{"one":1,"two":9007199254740993}`, `{"one":1,"two":"9007199254740993"}`},
		{"an_array", `[3, 3.0, 3e0, "3", {"$type":"NodePath","value":"A/B"}, [1, [2.5]], {"a":null}]`, `[3,3.0,3.0,"3",{"$type":"NodePath","value":"A/B"},[1,[2.5]],{"a":null}]`},
		{"an_array", `[{"$bytes":"AAH/"},{"$type":"PackedInt32Array","value":[1,2]},{"$type":"Color","value":{"r":1.0,"g":0.0,"b":0.0,"a":1.0}}]`, ""},
		{"an_int_array", `[1, -2, 9223372036854775807]`, `[1,-2,"9223372036854775807"]`},
		{"an_int_array", `[]`, ""},
		{"a_string_array", `["a", "", "玩"]`, `["a","","玩"]`},
		{"a_node_array", `[{"$node":"Child"},"Child/Grandchild"]`, `[{"$node":"Child"},{"$node":"Child/Grandchild"}]`},
		{"a_packed_byte_array", `{"$bytes":"AH//"}`, ""},
		{"a_packed_byte_array", `[0, 1, 255]`, `{"$bytes":"AAH/"}`},
		{"a_packed_int32_array", `[-2147483648, 2147483647]`, `[-2147483648,2147483647]`},
		{"a_packed_int64_array", `["-9223372036854775808", 1]`, `["-9223372036854775808",1]`},
		{"a_packed_float32_array", `[0.1, 2, "inf"]`, `[0.1,2.0,"inf"]`},
		{"a_packed_float64_array", `[0.1, 2, "-inf"]`, `[0.1,2.0,"-inf"]`},
		{"a_packed_string_array", `["x", ""]`, `["x",""]`},
		{"a_packed_vector2_array", `[[1, 2], {"x":3.5,"y":4.0}]`, `[{"x":1.0,"y":2.0},{"x":3.5,"y":4.0}]`},
		{"a_packed_vector3_array", `[[1, 2, 3]]`, `[{"x":1.0,"y":2.0,"z":3.0}]`},
		{"a_packed_color_array", `["#ff0000", {"r":0.0,"g":0.0,"b":1.0,"a":0.5}]`, `[{"r":1.0,"g":0.0,"b":0.0,"a":1.0},{"r":0.0,"g":0.0,"b":1.0,"a":0.5}]`},
		{"a_packed_vector4_array", `[[1, 2, 3, 4]]`, `[{"x":1.0,"y":2.0,"z":3.0,"w":4.0}]`},
		{"a_resource", `null`, ""},
		{"a_resource", `"res://gradient.tres"`, `{"$resource":"res://gradient.tres","type":"GradientTexture2D"}`},
		{"a_resource", `"uid://bhqm0blm4howl"`, `{"$resource":"res://gradient.tres","type":"GradientTexture2D"}`},
		{"a_texture", `null`, ""},
		{"a_texture", `{"$resource":"res://gradient.tres"}`, `{"$resource":"res://gradient.tres","type":"GradientTexture2D"}`},
		{"a_node", `null`, ""},
		{"a_node", `"Child/Grandchild"`, `{"$node":"Child/Grandchild"}`},
	}
}

// wrongValues do not fit: the answer says so and the old value stands. Words are of the hint.
func wrongValues() []valueCase {
	return []valueCase{
		{"a_bool", `1`, "bool"},
		{"a_bool", `"true"`, "bool"},
		{"an_int", `1.5`, "int"},
		{"an_int", `"x"`, "int"},
		{"an_int", `true`, "int"},
		{"an_int", `"99999999999999999999"`, "int"},
		{"an_int", `null`, "int"},
		{"a_float", `"fast"`, "float"},
		{"a_float", `[1]`, "float"},
		{"a_string", `{"a":1}`, "String"},
		{"a_vector2", `7`, "Vector2"},
		{"a_vector2", `[1,2,3]`, "Vector2"},
		{"a_vector2", `{"x":1}`, "Vector2"},
		{"a_vector2", `{"x":1,"y":2,"z":3}`, "Vector2"},
		{"a_vector2", `"Vector2(1)"`, "Vector2"},
		{"a_vector2", `"{\"x\":1}"`, "Vector2"},
		{"a_vector2", `{"x":"left","y":1}`, "Vector2"},
		{"a_vector2i", `{"x":1.5,"y":2}`, "Vector2i"},
		{"a_vector2i", `{"x":2147483648,"y":2}`, "Vector2i"},
		{"a_vector3", `"Vector3(1,2)"`, "Vector3"},
		{"a_vector3", `"Vector2(1, 2)"`, "Vector3"},
		{"a_color", `"#12"`, "Color"},
		{"a_color", `"not a colour"`, "Color"},
		{"a_color", `{"r":1,"g":0}`, "Color"},
		{"a_basis", `{"x":{"x":1,"y":0,"z":0}}`, "Basis"},
		{"a_transform2d", `{"rotation":0,"size":[1,1]}`, "Transform2D"},
		{"a_dictionary", `[1]`, "Dictionary"},
		{"a_typed_dictionary", `{"one":"x"}`, "one"},
		{"a_typed_dictionary", `{"$dict":[[1,2]]}`, "key"},
		{"an_array", `{"a":1}`, "Array"},
		{"an_int_array", `[1,"x",3]`, "element 1"},
		{"a_string_array", `["a",2]`, "element 1"},
		{"a_node_array", `["Child","Nobody"]`, "element 1"},
		{"a_packed_byte_array", `[256]`, "element 0"},
		{"a_packed_int32_array", `[2147483648]`, "element 0"},
		{"a_packed_byte_array", `{"$bytes":"not base64"}`, "base64"},
		{"a_resource", `7`, "resource"},
		{"a_resource", `{"type":"Node"}`, "Node"},
		{"a_resource", `{"type":"Curve2D","properties":{"nonsense":1}}`, "nonsense"},
		{"a_texture", `{"type":"Curve2D"}`, "Texture2D"},
		{"a_resource", `"uid://nowhere"`, "uid://nowhere"},
		{"a_callable", `null`, "Callable"},
		{"a_signal", `"ready"`, "Signal"},
		{"an_rid", `1`, "RID"},
		{"a_texture", `"../outside.png"`, "res://"},
	}
}

// many makes calls over one connection.
func many(t *testing.T, e *Editor, calls []step) []answer {
	t.Helper()
	var in bytes.Buffer
	for _, c := range calls {
		fmt.Fprintln(&in, asJSON(map[string]any{"tool": c.tool, "arguments": c.args}))
	}
	out := e.RunInput(in.String(), "call", "-")
	lines := strings.Split(strings.TrimSpace(out.Stdout), "\n")
	if len(lines) != len(calls) {
		t.Fatalf("%d answers to %d calls: %s", len(lines), len(calls), out.Stderr)
	}
	answers := make([]answer, len(lines))
	for i, line := range lines {
		var got struct {
			OK             bool            `json:"ok"`
			Result         json.RawMessage `json:"result"`
			Error          bridge.Code     `json:"error"`
			Hint, Required string
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if got.OK {
			answers[i] = newAnswer(t, calls[i].tool, got.Result)
		} else {
			answers[i] = answer{tool: calls[i].tool, err: &bridge.Error{Code: got.Error, Hint: got.Hint, Required: got.Required}}
		}
		answers[i].exit = -1
	}
	return answers
}

// exact is one field with its numbers as they came.
func (a answer) exact(t *testing.T, name string) string {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(a.raw, &fields); err != nil {
		t.Fatalf("%s: %v", a.tool, err)
	}
	return string(fields[name])
}

func TestValues(t *testing.T) {
	e := ownEditor(t, "values")
	s := cli(e)
	s.call(t, "scene open", args{"scene_path": "res://main.tscn"}).ok(t)
	t.Run("set_and_get", func(t *testing.T) { setAndGet(t, e) })
	t.Run("wrong", func(t *testing.T) { setWrong(t, e) })
	t.Run("new_and_built_in_resources", func(t *testing.T) { setResources(t, s) })
	t.Run("inside", func(t *testing.T) { setInside(t, e) })
	t.Run("read_only", func(t *testing.T) { readOnlyValues(t, s) })
	t.Run("F13", func(t *testing.T) { infinityTravels(t, s) })
}

// setAndGet writes each value, reads it, writes what was read, and after all of them saves, reopens and reads
// again what each property held last.
func setAndGet(t *testing.T, e *Editor) {
	var calls []step
	for _, c := range values() {
		get := step{"node get-property", args{"node_path": ".", "property": c.property}}
		calls = append(calls, step{"node set-property", set(".", c.property, json.RawMessage(c.in))}, get)
	}
	answers := many(t, e, calls)
	var again, reread []step
	last := map[string]string{}
	for i, c := range values() {
		want := c.out
		if want == "" {
			want = c.in
		}
		wrote, read := answers[2*i], answers[2*i+1].ok(t)
		if wrote.err != nil {
			t.Errorf("%s = %s: %v", c.property, c.in, wrote.err)
			continue
		}
		if got := wrote.exact(t, "value"); got != want {
			t.Errorf("%s = %s: the answer was %s, want %s", c.property, c.in, got, want)
		}
		got := read.exact(t, "value")
		if got != want {
			t.Errorf("%s = %s: get-property gave %s, want %s", c.property, c.in, got, want)
		}
		last[c.property] = want
		again = append(again, step{"node set-property", set(".", c.property, json.RawMessage(got))})
		reread = append(reread, step{"node get-property", args{"node_path": ".", "property": c.property}})
	}
	// What get prints is taken by set: the values in their order once more, each as it was printed.
	for i, a := range many(t, e, again) {
		if a.err != nil {
			t.Errorf("%s does not take what it printed: %v", again[i].args["property"], a.err)
		} else if printed := string(again[i].args["value"].(json.RawMessage)); a.exact(t, "value") != printed {
			t.Errorf("%s printed %s and made %s of it", again[i].args["property"], printed, a.exact(t, "value"))
		}
	}
	s := cli(e)
	s.call(t, "scene save", nil).ok(t)
	s.call(t, "scene reload", args{"scene_path": "res://main.tscn", "confirm": true}).ok(t)
	for i, a := range many(t, e, reread) {
		property := reread[i].args["property"].(string)
		if got := a.ok(t).exact(t, "value"); got != last[property] {
			t.Errorf("%s was saved as %s and came back as %s", property, last[property], got)
		}
	}
}

// F2: what does not fit is an error that names property, wanted type and given value, never zero.
func setWrong(t *testing.T, e *Editor) {
	var calls []step
	for _, c := range wrongValues() {
		get := step{"node get-property", args{"node_path": ".", "property": c.property}}
		calls = append(calls, get, step{"node set-property", set(".", c.property, json.RawMessage(c.in))}, get)
	}
	answers := many(t, e, calls)
	for i, c := range wrongValues() {
		before, wrote, after := answers[3*i].ok(t), answers[3*i+1], answers[3*i+2].ok(t)
		if wrote.err == nil {
			t.Errorf("%s = %s was taken: %s", c.property, c.in, wrote.raw)
			continue
		}
		if wrote.err.Required != "value" || !strings.Contains(wrote.err.Hint, c.out) || !strings.Contains(wrote.err.Hint, c.property) {
			t.Errorf("%s = %s: %v, which lacks %q", c.property, c.in, wrote.err, c.out)
		}
		if before.exact(t, "value") != after.exact(t, "value") {
			t.Errorf("%s = %s was refused and changed %s to %s", c.property, c.in, before.exact(t, "value"), after.exact(t, "value"))
		}
	}
}

// setResources makes a resource by its type, names it by its $path, and refuses what is not there or of a
// wrong class (F1).
func setResources(t *testing.T, s surface) {
	s.call(t, "node set-property", set(".", "a_resource", map[string]any{
		"type": "RectangleShape2D", "properties": map[string]any{"size": []int{3, 4}},
	})).ok(t).has(t, map[string]string{"value.type": "RectangleShape2D", "value.properties.size": `{"x":3.0,"y":4.0}`})
	s.call(t, "scene save", nil).ok(t)
	saved := s.call(t, "node get-property", args{"node_path": ".", "property": "a_resource"}).ok(t)
	path := saved.text("value.$path")
	if !strings.HasPrefix(path, "res://main.tscn::") {
		t.Fatalf("the built-in resource has the path %s", path)
	}
	s.call(t, "node set-property", set(".", "an_array", []any{map[string]any{"$resource": nil, "$path": path}})).ok(t)
	s.call(t, "node set-property", set(".", "a_resource:size", map[string]any{"x": 9, "y": 9})).ok(t).has(t, map[string]string{"persisted": "true"})
	s.call(t, "node get-property", args{"node_path": ".", "property": "an_array"}).ok(t).
		has(t, map[string]string{"value.0.properties.size": `{"x":9.0,"y":9.0}`})
	s.call(t, "node set-property", set(".", "a_resource", "res://nothing.tres")).fails(t, bridge.ResourceNotFound, "value", "nothing.tres")
	s.call(t, "node set-property", set(".", "a_texture", "res://all_types.gd")).fails(t, bridge.ValidationError, "value", "Texture2D", "GDScript")
	s.call(t, "node set-property", set(".", "a_node", "Nobody")).fails(t, bridge.ResourceNotFound, "value", "Nobody")
}

// setInside writes one component, element or key and leaves the others alone.
func setInside(t *testing.T, e *Editor) {
	inside := []valueCase{
		{"a_vector2:x", `8.5`, ""},
		{"a_rect2:size:y", `9.0`, ""},
		{"a_color:a", `0.5`, ""},
		{"a_string_array:1", `"second"`, ""},
		{"a_typed_dictionary:one", `11`, ""},
		{"a_dictionary:big", `5`, ""},
		{"a_packed_vector2_array:1:x", `6.5`, ""},
		{"a_transform3d:origin:z", `-3.0`, ""},
	}
	var calls []step
	for _, c := range inside {
		calls = append(calls, step{"node set-property", set(".", c.property, json.RawMessage(c.in))},
			step{"node get-property", args{"node_path": ".", "property": c.property}})
	}
	for i, a := range many(t, e, calls) {
		c := inside[i/2]
		if a.err != nil {
			t.Errorf("%s: %v", c.property, a.err)
		} else if got := a.exact(t, "value"); got != c.in {
			t.Errorf("%s = %s gave %s", c.property, c.in, got)
		}
	}
	s := cli(e)
	s.call(t, "node get-property", args{"node_path": ".", "property": "a_string_array"}).ok(t).has(t, map[string]string{"value": `["a","second","玩"]`})
	s.call(t, "undo", args{"count": len(inside)}).ok(t).has(t, map[string]string{"undone": fmt.Sprint(len(inside))})
	s.call(t, "node get-property", args{"node_path": ".", "property": "a_string_array"}).ok(t).has(t, map[string]string{"value": `["a","","玩"]`})
	s.call(t, "node set-property", set(".", "a_string_array:7", "x")).fails(t, bridge.ValidationError, "property", "7")
	s.call(t, "node set-property", set(".", "a_vector2:q", 1)).fails(t, bridge.ValidationError, "property", "q")
}

// readOnlyValues have a form to look at and none to write.
func readOnlyValues(t *testing.T, s surface) {
	for property, kind := range map[string]string{"a_callable": "Callable", "a_signal": "Signal", "an_rid": "RID", "an_object": "Object"} {
		got := s.call(t, "node get-property", args{"node_path": ".", "property": property}).ok(t)
		if got.text("value.type") != kind || got.text("value.$object") == "null" {
			t.Errorf("%s is %s", property, got.text("value"))
		}
	}
}

// F13: a property that holds infinity or NaN is answered at once, in the form that set takes.
func infinityTravels(t *testing.T, s surface) {
	s.call(t, "node set-property", set(".", "a_vector3", []any{"inf", "-inf", "nan"})).ok(t).
		has(t, map[string]string{"value": `{"x":"inf","y":"-inf","z":"nan"}`})
	s.call(t, "node get", args{"node_path": ".", "include": []string{"a_vector3"}}).ok(t).
		has(t, map[string]string{"properties.a_vector3": `{"x":"inf","y":"-inf","z":"nan"}`})
}
