@tool
extends RefCounted
## One client: its socket, whether it said hello, the events it wants, and what could not be sent yet.

const Contract := preload("contract.gd")
const Wire := preload("wire.gd")

## A cancel is a short message.
const MAX_CANCEL := 256
const MAX_OUTBOX := 1024
## Room for a frame's header and for the check that answers a message just over the limit.
const SLACK := 65536
## What may wait for a reader of events; a slow one loses the youngest and is told how many.
const MAX_EVENTS := 256
const MAX_EVENT_BYTES := 262144

var socket: WebSocketPeer = WebSocketPeer.new()
var greeted := false
var events: PackedStringArray = []
var accepted_usec := 0
## When the last packet of it was taken.
var heard_usec := 0

var _stream: StreamPeerTCP
## Packets that were looked at while a command was at work and are still to be taken.
var _inbox: Array[PackedByteArray] = []
var _unsent := 0
var _outbox: Array[String] = []
var _dropped := 0


func _init(stream: StreamPeerTCP, token: String) -> void:
	_stream = stream
	stream.set_no_delay(true)
	accepted_usec = Time.get_ticks_usec()
	socket.supported_protocols = PackedStringArray([token])
	socket.inbound_buffer_size = Contract.MAX_MESSAGE + SLACK
	socket.outbound_buffer_size = 2 * (Contract.MAX_MESSAGE + SLACK)
	# The default of 4,096 packets drops the rest of a pipelined burst without a word.
	socket.max_queued_packets = 131072
	socket.accept_stream(stream)


## Looks at the socket. True when bytes came in or went out: a long message takes many looks, and should not
## take as many frames. What a slow reader leaves lying is no reason to look again.
func poll() -> bool:
	# Asking a stream that has ended for its bytes is an error in the person's output panel.
	var connected := _stream.get_status() == StreamPeerTCP.STATUS_CONNECTED
	var arrived := connected and _stream.get_available_bytes() > 0
	socket.poll()
	var unsent := socket.get_current_outbound_buffered_amount()
	var left := unsent < _unsent
	_unsent = unsent
	return arrived or left


## True when nothing of it is to be taken or to be sent.
func is_quiet() -> bool:
	poll()
	return (
		not has_packet()
		and _outbox.is_empty()
		and socket.get_current_outbound_buffered_amount() == 0
	)


## Sends an answer, or keeps it until the reader has made room. One who has gone gets none.
func send(text: String) -> void:
	if socket.get_ready_state() != WebSocketPeer.STATE_OPEN:
		return
	if (
		not _outbox.is_empty()
		or socket.get_current_outbound_buffered_amount() > Contract.MAX_MESSAGE
	):
		_outbox.append(text)
		return
	if socket.send_text(text) != OK:
		_outbox.append(text)


func send_event(text: String) -> void:
	_tell_dropped()
	if _dropped > 0 or not _has_room():
		_dropped += 1
		return
	send(text)


## True while no more requests are to be taken from this client, because it does not read its answers.
func is_congested() -> bool:
	return _outbox.size() >= MAX_OUTBOX


func flush() -> void:
	while not _outbox.is_empty():
		if socket.get_current_outbound_buffered_amount() > Contract.MAX_MESSAGE:
			return
		if socket.send_text(_outbox[0]) != OK:
			return
		_outbox.pop_front()
	_tell_dropped()


## Says how many are missing, in the place where they are.
func _tell_dropped() -> void:
	if _dropped == 0 or not _has_room():
		return
	var count := _dropped
	_dropped = 0
	send(JSON.stringify({"event": "dropped", "count": count}))


func _has_room() -> bool:
	return (
		_outbox.size() < MAX_EVENTS
		and socket.get_current_outbound_buffered_amount() < MAX_EVENT_BYTES
	)


func has_packet() -> bool:
	return not _inbox.is_empty() or socket.get_available_packet_count() > 0


func next_packet() -> PackedByteArray:
	return _inbox.pop_front() if not _inbox.is_empty() else socket.get_packet()


## Looks, while a command is at work, whether the client gave it up or went. What else has come is kept.
func has_cancelled(id: int) -> bool:
	socket.poll()
	if socket.get_ready_state() != WebSocketPeer.STATE_OPEN:
		return true
	while socket.get_available_packet_count() > 0:
		_inbox.append(socket.get_packet())
	for i in _inbox.size():
		if _cancels(_inbox[i], id):
			_inbox.remove_at(i)
			return true
	return false


static func _cancels(packet: PackedByteArray, id: int) -> bool:
	if packet.size() > MAX_CANCEL:
		return false
	var message := Wire.read(packet.get_string_from_utf8())
	var theirs: Variant = message.get("id")
	return (
		message.get("cancel") == true and (theirs is float or theirs is int) and int(theirs) == id
	)
