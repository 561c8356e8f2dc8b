@tool
extends RefCounted
## The editor's end of the socket to one run of the game, on loopback. A game that knows the key is believed;
## until it has come, and when it has gone, questions take the engine's debugger channel.

const Wire := preload("game/wire.gd")
## Connections that have not said the key yet; the oldest gives way.
const MAX_STRANGERS := 4

## What the game says first. New for each run.
var key := Crypto.new().generate_random_bytes(32).hex_encode()

var _server: TCPServer = TCPServer.new()
var _strangers: Array[Wire] = []
var _wire: Wire = null


## Port that the game is told, 0 when there is none to be had.
func listen() -> int:
	return _server.get_local_port() if _server.listen(0, "127.0.0.1") == OK else 0


func close() -> void:
	_server.stop()
	_strangers.clear()
	if _wire != null:
		_wire.close()


## Whether the game of this run has come.
func has_game() -> bool:
	return _wire != null and _wire.is_open()


func send(message: Array) -> bool:
	if not has_game():
		return false
	_wire.send(message)
	return true


## What the game has said since the last look.
func take() -> Array[Array]:
	var out: Array[Array] = []
	if _wire == null:
		out = _look_for_game()
	if _wire != null:
		out.append_array(_wire.take())
	return out


## Finds the stranger that knows the key: what it has said right behind it.
func _look_for_game() -> Array[Array]:
	while _server.is_connection_available():
		_strangers.append(Wire.new(_server.take_connection()))
		if _strangers.size() > MAX_STRANGERS:
			_strangers.pop_front().close()
	for stranger: Wire in _strangers.duplicate():
		var said := stranger.take()
		if said.is_empty():
			continue
		_strangers.erase(stranger)
		if said[0] == [key]:
			_wire = stranger
			_server.stop()
			_strangers.clear()
			return said.slice(1)
		stranger.close()
	return []
