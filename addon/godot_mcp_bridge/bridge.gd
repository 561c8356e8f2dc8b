@tool
extends RefCounted
## The listening side: sockets, the polling loop inside a frame, and the editor's sleep.
##
## A frame with nothing to do costs one look at each socket. Once something happened the loop polls on for
## a few milliseconds, so that connecting, greeting and the first command, or the next command of a busy
## client, do not each wait for a frame of their own (6.9 ms, or 100 ms in an unfocused editor).

const Autostart := preload("autostart.gd")
const Context := preload("context.gd")
const Contract := preload("contract.gd")
const Discovery := preload("discovery.gd")
const Peer := preload("peer.gd")
const Router := preload("router.gd")
const Wire := preload("wire.gd")

## How long the loop polls on after the last thing that happened.
const LINGER_USEC := 3000
## The frame is given back after this long, whatever comes in: the person at the editor comes first.
const FRAME_BUDGET_USEC := 25000
const POLL_PAUSE_USEC := 20
## Right after something happened it does not even pause, because the operating system makes every pause
## several times longer and most clients go on at once.
const EAGER_USEC := 150
## While commands come the editor sleeps this little between frames, until AWAKE_USEC after the last one.
const AWAKE_SLEEP_USEC := 1000
const AWAKE_USEC := 5000000
## A client that connects keeps the editor awake for a shorter while: one that is slow to greet must not
## wait for another frame at full length.
const GREETING_USEC := 1000000
const HANDSHAKE_USEC := 2000000
const MAX_HANDSHAKES := 16
## A client that was silent this long gives its place to a newcomer when there is no other.
const IDLE_USEC := AWAKE_USEC
## Packets taken from one client before the next one has its turn.
const FAIR_SHARE := 64

var _router: Router
var _context: Context
## Null for an editor that somebody asked for.
var _autostart: Autostart = null
var _server: TCPServer = TCPServer.new()
var _discovery: Discovery = Discovery.new()
var _token := ""
var _handshakes: Array[Peer] = []
var _peers: Array[Peer] = []
var _busy := false
var _awake_until_usec := 0
var _user_sleep_usec := -1


func _init(router: Router, context: Context) -> void:
	_router = router
	_context = context
	_router.prover = proof
	_token = Crypto.new().generate_random_bytes(32).hex_encode()


## Begins to listen, or goes on where another version of the addon handed over.
func start(kept: Dictionary) -> void:
	if Autostart.is_on():
		_autostart = Autostart.new(_context)
		_context.kept.connect(_keep)
	if kept.has("server"):
		_server = kept["server"]
		_token = kept["token"]
		_publish()
		return
	var configured := OS.get_environment("GODOT_MCP_BRIDGE_PORT")
	var port := configured.to_int() if configured.is_valid_int() else 0
	var problem := _server.listen(port, "127.0.0.1")
	if problem != OK:
		push_error("godot-mcp: cannot listen on 127.0.0.1:%d: %s" % [port, error_string(problem)])
		return
	_publish()


func _publish() -> void:
	_context.game.port = _server.get_local_port()
	var started_by := Autostart.STARTED_BY if _autostart != null else ""
	_discovery.publish(_server.get_local_port(), _token, started_by)


func is_listening() -> bool:
	return _server.is_listening()


func stop() -> void:
	_discovery.withdraw()
	_dismiss("editor closes")
	_server.stop()


## Ends the clients but not the listening: whoever takes over listens on the same port with the same token,
## and the clients greet it anew, since it may speak another contract.
func hand_over() -> Dictionary:
	_dismiss("the addon was updated")
	return {"server": _server, "token": _token}


func _dismiss(reason: String) -> void:
	_let_sleep()
	for peer in _peers + _handshakes:
		peer.flush()
		peer.socket.close(1001, reason)
		peer.socket.poll()
		_router.forget(peer)
	_peers.clear()
	_handshakes.clear()


func proof(nonce: String) -> String:
	return (
		Crypto
		. new()
		. hmac_digest(HashingContext.HASH_SHA256, _token.to_utf8_buffer(), nonce.to_utf8_buffer())
		. hex_encode()
	)


func emit_event(name: String, data: Dictionary) -> void:
	var text := ""
	for peer in _peers:
		if not peer.events.has(name):
			continue
		if text == "":
			var message := {"event": name}
			message.merge(data)
			text = Wire.write(message)
		peer.send_event(text)


## Once a frame. The engine runs frames inside some of its own calls (saving shows progress that way):
## such an inner frame returns at once, or commands would run inside each other and crash the editor.
func pump() -> void:
	if _busy:
		return
	_busy = true
	_router.step_parked()
	if _router.has_work():
		_stay_awake(AWAKE_USEC)
	var begun := Time.get_ticks_usec()
	var last := begun
	var now := begun
	var active := false
	while now - last <= LINGER_USEC and now - begun <= FRAME_BUDGET_USEC:
		if _poll_all(now):
			active = true
			last = Time.get_ticks_usec()
		elif not active:
			break
		elif now - last > EAGER_USEC:
			OS.delay_usec(POLL_PAUSE_USEC)
		now = Time.get_ticks_usec()
	_adjust_sleep(now)
	if _autostart != null:
		_judge_own_end(now)
	_busy = false


## Ends an editor that nobody asked for, when it is of no use any more and nothing would be lost. While a
## command is at work, or one has come that was not taken yet, it is of use.
func _judge_own_end(now: int) -> void:
	var why := _autostart.reason_to_end(now, now - _router.worked_usec)
	if why == "" or _router.is_working() or not _peers.all(_is_quiet):
		return
	var unsaved := _context.unsaved()
	if unsaved.is_empty():
		print("godot-mcp: %s: this editor ends" % why)
		# From here on nobody finds it, so nobody loses a command.
		stop()
		_autostart = null
		_context.plugin.get_tree().quit()
	elif _autostart.tell_unsaved(why, unsaved) and _autostart.has_neighbour():
		_discovery.tell_unsaved(unsaved)
		_dismiss("a person's editor takes over")


func _keep() -> void:
	_autostart = null
	OS.set_environment(Autostart.VARIABLE, "")
	_discovery.keep()


static func _is_quiet(peer: Peer) -> bool:
	return peer.is_quiet()


func _poll_all(now: int) -> bool:
	var happened := false
	while _server.is_connection_available():
		happened = true
		_accept()
	if not _handshakes.is_empty():
		happened = _poll_handshakes(now) or happened
	for i in range(_peers.size() - 1, -1, -1):
		happened = _poll_peer(_peers[i]) or happened
	return happened


func _accept() -> void:
	var stream := _server.take_connection()
	if stream == null:
		return
	if _handshakes.size() >= MAX_HANDSHAKES:
		_handshakes.pop_front().socket.close(1013)
	_handshakes.append(Peer.new(stream, _token))
	_stay_awake(GREETING_USEC)


func _poll_handshakes(now: int) -> bool:
	var happened := false
	for i in range(_handshakes.size() - 1, -1, -1):
		var peer := _handshakes[i]
		happened = peer.poll() or happened
		match peer.socket.get_ready_state():
			WebSocketPeer.STATE_OPEN:
				_handshakes.remove_at(i)
				_admit(peer)
				happened = true
			WebSocketPeer.STATE_CLOSED:
				_handshakes.remove_at(i)
				happened = true
			_:
				if now - peer.accepted_usec > HANDSHAKE_USEC:
					peer.socket.close(1002, "handshake too slow")
					_handshakes.remove_at(i)
	return happened


func _admit(peer: Peer) -> void:
	peer.heard_usec = Time.get_ticks_usec()
	if _peers.size() >= Contract.MAX_CLIENTS and not _make_room(peer.heard_usec):
		peer.socket.close(1013, "%d clients are connected" % Contract.MAX_CLIENTS)
		peer.socket.poll()
		return
	_peers.append(peer)


## Takes the place of the client that was silent longest, if one was for long: it waits for nothing, and
## connects again with its next command. False when all are at work.
func _make_room(now: int) -> bool:
	var idle: Peer = null
	for peer in _peers:
		if now - peer.heard_usec < IDLE_USEC or not peer.events.is_empty() or not peer.is_quiet():
			continue
		if not _router.is_waiting(peer) and (idle == null or peer.heard_usec < idle.heard_usec):
			idle = peer
	if idle == null:
		return false
	idle.socket.close(1001, "idle, made room")
	idle.socket.poll()
	_peers.erase(idle)
	_router.forget(idle)
	return true


func _poll_peer(peer: Peer) -> bool:
	var socket := peer.socket
	var stirred := peer.poll()
	if socket.get_ready_state() == WebSocketPeer.STATE_CLOSED:
		_peers.erase(peer)
		_router.forget(peer)
		return true
	peer.flush()
	var taken := 0
	while taken < FAIR_SHARE and peer.has_packet():
		if peer.is_congested() or _router.is_settling():
			break
		var packet := peer.next_packet()
		taken += 1
		_router.take(peer, packet)
	if taken == 0:
		return stirred
	socket.poll()
	peer.heard_usec = Time.get_ticks_usec()
	_stay_awake(AWAKE_USEC)
	return true


func _stay_awake(usec: int) -> void:
	_awake_until_usec = maxi(_awake_until_usec, Time.get_ticks_usec() + usec)


## The editor puts its own value back when its window gains or loses focus; that value is remembered as
## the user's and given back when the clients have gone quiet.
func _adjust_sleep(now: int) -> void:
	if now >= _awake_until_usec:
		_let_sleep()
		return
	var present := OS.low_processor_usage_mode_sleep_usec
	if present > AWAKE_SLEEP_USEC:
		_user_sleep_usec = present
		OS.low_processor_usage_mode_sleep_usec = AWAKE_SLEEP_USEC


func _let_sleep() -> void:
	if _user_sleep_usec < 0:
		return
	if OS.low_processor_usage_mode_sleep_usec == AWAKE_SLEEP_USEC:
		OS.low_processor_usage_mode_sleep_usec = _user_sleep_usec
	_user_sleep_usec = -1
