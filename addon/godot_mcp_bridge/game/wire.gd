@tool
extends RefCounted
## Messages over a socket on loopback, in both directions the same: four bytes of length, then the value.
##
## The engine's own debugger channel moves messages in a thread that looks every 6.9 ms (min_tick in
## remote_debugger_peer.cpp), in each direction; a question and its answer by this one take a frame of each side.

const HEAD := 4
## More than this is not waited for: what a peer sends that is no message of ours.
const MAX_MESSAGE := 8 * 1024 * 1024

var _stream: StreamPeerTCP
var _incoming: PackedByteArray = []
var _outgoing: PackedByteArray = []


func _init(stream: StreamPeerTCP) -> void:
	_stream = stream
	_stream.set_no_delay(true)


func is_open() -> bool:
	return _stream.get_status() == StreamPeerTCP.STATUS_CONNECTED


func close() -> void:
	_stream.disconnect_from_host()


## What a slow peer does not take yet is kept: nothing here ever waits.
func send(message: Array) -> void:
	var bytes := var_to_bytes(message)
	var head: PackedByteArray = []
	head.resize(HEAD)
	head.encode_u32(0, bytes.size())
	_outgoing.append_array(head)
	_outgoing.append_array(bytes)
	_flush()


## The messages that have come whole.
func take() -> Array[Array]:
	var out: Array[Array] = []
	_stream.poll()
	if not is_open():
		return out
	_flush()
	var waiting := _stream.get_available_bytes()
	if waiting <= 0:
		return out
	var got: Array = _stream.get_partial_data(waiting)
	if got[0] != OK:
		close()
		return out
	_incoming.append_array(got[1] as PackedByteArray)
	var at := 0
	while _incoming.size() >= at + HEAD:
		var length := _incoming.decode_u32(at)
		if length > MAX_MESSAGE:
			close()
			return out
		if _incoming.size() < at + HEAD + length:
			break
		var message: Variant = bytes_to_var(_incoming.slice(at + HEAD, at + HEAD + length))
		at += HEAD + length
		if message is Array:
			out.append(message)
	if at > 0:
		_incoming = _incoming.slice(at)
	return out


func _flush() -> void:
	if _outgoing.is_empty() or not is_open():
		return
	var put: Array = _stream.put_partial_data(_outgoing)
	if put[0] != OK:
		close()
	elif int(put[1]) > 0:
		_outgoing = _outgoing.slice(int(put[1]))
