package commands

import "github.com/godot-mcp/godot-mcp/commands/contract"

// valueShapes say how the engine's types look as JSON: the form that get prints, which set accepts, and the
// other forms that are accepted.
var valueShapes = []contract.Value{
	shape("null", "null"),
	shape("bool", "true or false"),
	shape("String", "string"),
	shape("int", `number; beyond 2^53 a string of digits`, "digits as string", "float without a fraction"),
	shape("float", `shortest number that reads back equal; "inf", "-inf", "nan"`, "numeric string"),
	shape("Vector2", `{"x":1.0,"y":2.0}`, "[1,2]", `"Vector2(1, 2)"`),
	shape("Vector2i", `{"x":1,"y":2}`, "[1,2]", `"Vector2i(1, 2)"`),
	shape("Vector3", `{"x":1.0,"y":2.0,"z":3.0}`, "[1,2,3]", `"Vector3(1, 2, 3)"`),
	shape("Vector3i", `{"x":1,"y":2,"z":3}`, "[1,2,3]", `"Vector3i(1, 2, 3)"`),
	shape("Vector4", `{"x":1.0,"y":2.0,"z":3.0,"w":4.0}`, "[1,2,3,4]", `"Vector4(1, 2, 3, 4)"`),
	shape("Vector4i", `{"x":1,"y":2,"z":3,"w":4}`, "[1,2,3,4]", `"Vector4i(1, 2, 3, 4)"`),
	shape("Color", `{"r":1.0,"g":1.0,"b":1.0,"a":1.0}`, `"#rrggbb" and "#rrggbbaa"`, `a name: "red"`, "[1,1,1] and [1,1,1,1]"),
	shape("Rect2", `{"position":{..},"size":{..}}`, "engine text", "[x,y,w,h]"),
	shape("Rect2i", `{"position":{..},"size":{..}}`, "engine text", "[x,y,w,h]"),
	shape("AABB", `{"position":{..},"size":{..}}`, "engine text"),
	shape("Plane", `{"normal":{..},"d":1.0}`, "engine text", "[x,y,z,d]"),
	shape("Quaternion", `{"x":0.0,"y":0.0,"z":0.0,"w":1.0}`, "engine text", "[x,y,z,w]"),
	shape("Basis", `{"x":{..},"y":{..},"z":{..}}`, "engine text", `{"euler":{..}}`),
	shape("Projection", `{"x":{..},"y":{..},"z":{..},"w":{..}}`, "engine text"),
	shape("Transform2D", `{"x":{..},"y":{..},"origin":{..}}`, `{"rotation","scale","skew","origin"}`, "engine text"),
	shape("Transform3D", `{"basis":{..},"origin":{..}}`, `{"rotation","scale","origin"}`, "engine text"),
	shape("StringName", "string"),
	shape("NodePath", "string"),
	shape("Array", "array"),
	shape("Dictionary", `object when all keys are plain strings that do not begin with $, else {"$dict":[[k,v],..]}`),
	shape("PackedByteArray", `{"$bytes":"base64"}`, "array"),
	shape("Packed arrays", "array"),
	shape("Resource", `{"$resource":"res://..","type":".."}; built-in {"$resource":null,"$path":"res://main.tscn::id","type":"..","properties":{..}}`,
		"path", "uid://..", "null", `{"type":"..","properties":{..}} makes a new one`, `{"$path":".."} means that same object`),
	shape("Node", `{"$node":"Path/From/Root"}`, "a path as text where the declared type is a node"),
	shape("Object, RID, Callable, Signal", `{"$object":"..","type":".."}, read only`),
	shape("tagged", `{"$type":"Vector2","value":{..}} where the place is untyped and JSON cannot tell`),
}

func shape(engineType, out string, accepted ...string) contract.Value {
	if accepted == nil {
		accepted = []string{}
	}
	return contract.Value{Type: engineType, Out: out, Accepted: accepted}
}
