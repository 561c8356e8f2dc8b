@tool
extends RefCounted
## A recording about to begin: between two frames, from where its frames are counted.

const Feed := preload("input_feed.gd")

var _feed: Feed
var _with_motion: bool
var _answer: Dictionary = {}
var _asked := false


func _init(feed: Feed, with_motion: bool) -> void:
	_feed = feed
	_with_motion = with_motion


func poll() -> Dictionary:
	if not _asked:
		_asked = true
		_feed.at_end_of_frame(_begin)
	return _answer


func _begin() -> void:
	var lost := _feed.start_recording(_with_motion)
	_answer = {"recording": true, "dropped": lost}
