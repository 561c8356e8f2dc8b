@tool
extends RefCounted
## A picture as a command's answer: scaled to what was asked for, as PNG. The editor and the running game use
## it alike.

const Discovery := preload("discovery.gd")
const Result := preload("result.gd")

## What has more bytes travels by a file, so that no answer comes near the limit of a message.
const MAX_INLINE := 1048576
## A client takes its file within moments. What is older was left by one that went.
const KEPT_SEC := 60

const FOLDER_MODE := 448  # 0700
const FILE_MODE := 384  # 0600

const FLOATS: Array[Image.Format] = [
	Image.FORMAT_RGBF, Image.FORMAT_RGBAF, Image.FORMAT_RGBH, Image.FORMAT_RGBAH
]


## The answer for what a viewport has drawn. `max_size` is the longest side, 0 for the picture as it is.
static func answer(image: Image, max_size: int) -> Dictionary:
	if image == null or image.is_empty():
		return Result.fail(
			Result.INTERNAL, "the engine gave no picture: godot-mcp editor log --level error"
		)
	var linear := FLOATS.has(image.get_format())
	image.convert(Image.FORMAT_RGB8)
	if linear:
		image.linear_to_srgb()
	var original := image.get_size()
	var blank := _is_blank(image)
	var longest := maxi(original.x, original.y)
	if max_size > 0 and longest > max_size:
		var size := (Vector2(original) * max_size / longest).round().max(Vector2.ONE)
		image.resize(int(size.x), int(size.y), Image.INTERPOLATE_LANCZOS)
	var out := {
		"width": image.get_width(),
		"height": image.get_height(),
		"original_width": original.x,
		"original_height": original.y,
		"blank": blank,
	}
	var png := image.save_png_to_buffer()
	if png.size() <= MAX_INLINE:
		out["data_base64"] = Marshalls.raw_to_base64(png)
		return out
	var name := _write(png)
	if name == "":
		return (
			Result
			. fail(
				Result.INTERNAL,
				(
					"the picture has %d bytes and no file for it can be written: ask for less with max_size: godot-mcp doctor"
					% png.size()
				)
			)
		)
	out["file"] = name
	return out


## True when all pixels have one colour: nothing was drawn, or nothing is to be seen.
static func _is_blank(image: Image) -> bool:
	var flat := Image.create_empty(image.get_width(), image.get_height(), false, image.get_format())
	flat.fill(image.get_pixel(0, 0))
	return flat.get_data() == image.get_data()


## The name of the new file, in the addon's private folder; "" when it cannot be written.
static func _write(png: PackedByteArray) -> String:
	var folder := ProjectSettings.globalize_path(Discovery.folder().path_join("pictures"))
	DirAccess.make_dir_recursive_absolute(folder)
	FileAccess.set_unix_permissions(folder, FOLDER_MODE)
	for left in DirAccess.get_files_at(folder):
		var path := folder.path_join(left)
		if Time.get_unix_time_from_system() - FileAccess.get_modified_time(path) > KEPT_SEC:
			DirAccess.remove_absolute(path)
	var name := Crypto.new().generate_random_bytes(16).hex_encode() + ".png"
	var file := FileAccess.open(folder.path_join(name), FileAccess.WRITE)
	if file == null or not file.store_buffer(png):
		return ""
	file.close()
	FileAccess.set_unix_permissions(folder.path_join(name), FILE_MODE)
	return name
