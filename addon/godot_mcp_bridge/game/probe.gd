@tool
extends SceneTree
## The main loop of a game that was started from an editor with the addon: a SceneTree that holds the link.

## Loaded only now: a static variable's initial value is the first line of a script that runs, and with the
## first line the engine takes what the editor has sent, for which there must be a tree.
var _link: RefCounted = (load("res://addons/godot_mcp_bridge/game/link.gd") as GDScript).new(self)
