extends Node
## What the player carries, by name. Being an autoload it outlives the map.

signal changed

var _items: Dictionary[String, int] = {}


func add(item: String, count: int = 1) -> void:
	_items[item] = count_of(item) + count
	changed.emit()


## Takes so many away; false, and nothing is taken, when there are fewer.
func take(item: String, count: int = 1) -> bool:
	var left := count_of(item) - count
	if left < 0:
		return false
	if left == 0:
		_items.erase(item)
	else:
		_items[item] = left
	changed.emit()
	return true


func count_of(item: String) -> int:
	return _items.get(item, 0)


func items() -> Array[String]:
	var names: Array[String] = []
	names.assign(_items.keys())
	return names


func clear() -> void:
	_items.clear()
	changed.emit()
