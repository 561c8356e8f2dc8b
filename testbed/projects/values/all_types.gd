@tool
extends Node
## One exported variable of every type that the engine can export.

@export_group("Scalars")
@export var a_bool: bool = true
@export var an_int: int = -7
@export var a_float: float = 0.1
@export var a_string: String = "text"
@export var a_string_name: StringName = &"name"
@export var a_node_path: NodePath = ^"Child:position"

@export_group("Vectors")
@export var a_vector2: Vector2 = Vector2(1.5, -2.0)
@export var a_vector2i: Vector2i = Vector2i(1, -2)
@export var a_rect2: Rect2 = Rect2(1.0, 2.0, 3.5, 4.5)
@export var a_rect2i: Rect2i = Rect2i(1, 2, 3, 4)
@export var a_vector3: Vector3 = Vector3(1.5, -2.0, 3.25)
@export var a_vector3i: Vector3i = Vector3i(1, -2, 3)
@export var a_vector4: Vector4 = Vector4(1.5, -2.0, 3.25, 4.0)
@export var a_vector4i: Vector4i = Vector4i(1, -2, 3, -4)

@export_group("Transforms")
@export var a_transform2d: Transform2D = Transform2D(Vector2(0, 1), Vector2(-1, 0), Vector2(5, 6))
@export var a_plane: Plane = Plane(Vector3.UP, 2.0)
@export var a_quaternion: Quaternion = Quaternion(0.0, 0.6, 0.0, 0.8)
@export var an_aabb: AABB = AABB(Vector3(1, 2, 3), Vector3(4, 5, 6))
@export var a_basis: Basis = Basis(Vector3(0, 0, -1), Vector3(0, 1, 0), Vector3(1, 0, 0))
@export var a_transform3d: Transform3D = Transform3D(Basis.IDENTITY, Vector3(7, 8, 9))
@export var a_projection: Projection = Projection(
	Vector4(1, 0, 0, 0), Vector4(0, 1, 0, 0), Vector4(0, 0, 1, 0), Vector4(2, 3, 4, 1)
)
@export var a_color: Color = Color(0.25, 0.5, 0.75, 0.5)

@export_group("Containers")
@export var a_dictionary: Dictionary = {"key": 1, 2: "two"}
@export var a_typed_dictionary: Dictionary[String, int] = {"one": 1}
@export var an_array: Array = [1, "two", Vector2(3, 4), null]
@export var an_int_array: Array[int] = [1, 2, 3]
@export var a_string_array: Array[String] = ["a", "b"]
@export var a_node_array: Array[Node] = []

@export_group("Packed arrays")
@export var a_packed_byte_array: PackedByteArray = [0, 127, 255]
@export var a_packed_int32_array: PackedInt32Array = [-1, 2147483647]
@export var a_packed_int64_array: PackedInt64Array = [-1, 9007199254740993]
@export var a_packed_float32_array: PackedFloat32Array = [0.5, -0.25]
@export var a_packed_float64_array: PackedFloat64Array = [0.1, -0.2]
@export var a_packed_string_array: PackedStringArray = ["a", "b"]
@export var a_packed_vector2_array: PackedVector2Array = [Vector2(1, 2), Vector2(3, 4)]
@export var a_packed_vector3_array: PackedVector3Array = [Vector3(1, 2, 3)]
@export var a_packed_color_array: PackedColorArray = [Color.RED, Color(0, 0, 1, 0.5)]
@export var a_packed_vector4_array: PackedVector4Array = [Vector4(1, 2, 3, 4)]

@export_group("Objects")
@export var a_resource: Resource
@export var a_texture: Texture2D
@export var a_node: Node

## What can be read and not written.
var a_callable: Callable = queue_free
var a_signal: Signal = ready
var an_rid: RID = RID()
var an_object: Object = Object.new()


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE and is_instance_valid(an_object):
		an_object.free()
