package bridge

import "time"

// Limits of the protocol. They are fixed by docs/bridge.md and are the same on
// both sides.
const (
	// MaxMessage is the most bytes one message may have, in either direction,
	// envelope included.
	MaxMessage = 16 << 20
	// MaxInFlight is the most commands that are without an answer on one socket.
	MaxInFlight = 1024
	// MaxClients is how many sockets an editor serves at a time.
	MaxClients = 8
)

// Limits of this package.
const (
	// DefaultDialTimeout bounds TCP connect, handshake and hello together when
	// neither [Client.DialTimeout] nor the caller's deadline asks for longer.
	DefaultDialTimeout = 30 * time.Second

	// stoppedLook is how often the process of an editor is looked at that does not
	// take a connection. Twice stopped is stopped for good.
	stoppedLook = time.Second

	// maxBridgeFile is the most bytes a bridge or registry file may have; a real
	// one has about 500.
	maxBridgeFile = 64 << 10
	// maxBridgeFiles is the most files looked at in one folder, so that a folder
	// full of rubbish cannot hold up a command.
	maxBridgeFiles = 256
	// maxListed is the most editors, and the most ignored files, a hint lists.
	maxListed = 8
	// startSlack is by how much a process may seem to have started later than
	// its bridge file says: the kernel counts in ticks, the file in seconds.
	startSlack = 2 * time.Second
)
