// Package bridge is the client side of the link between godot-mcp and the
// addon inside a Godot editor: it finds editors ([Find], [Discover]), speaks
// the protocol of docs/bridge.md ([Client]) and holds the error type that all
// layers share ([Error]).
package bridge
