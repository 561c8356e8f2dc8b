package bridgetest

import (
	"os"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Option changes what a fake editor is or how it misbehaves.
type Option func(*config)

type config struct {
	project, runtime, hidden string
	pid                      int
	started                  int64
	contract, oldest         int
	addon, godot             string
	headless                 bool
	startedBy                string
	unsaved                  []string

	wrongToken, wrongProof    bool
	silent, silentHello, deaf bool
	refuse                    bool
	speakFirst                string
	refuseStatus              int
	maxMessage                int64
	dropAfter, closeAfter     int
	closeCode                 int
	closeReason               string
	delay                     time.Duration
}

func newConfig(opts []Option) config {
	cfg := config{
		hidden: ".godot", pid: os.Getpid(), started: time.Now().Unix(),
		contract: 1, oldest: 1, addon: "2026.01.01", godot: "4.6.stable", headless: true,
		maxMessage: bridge.MaxMessage, dropAfter: -1, closeAfter: -1,
	}
	for _, o := range opts {
		o(&cfg)
	}
	return cfg
}

// Project sets the project's folder, which is made if need be.
func Project(dir string) Option { return func(c *config) { c.project = dir } }

// Runtime sets the folder that XDG_RUNTIME_DIR will name.
func Runtime(dir string) Option { return func(c *config) { c.runtime = dir } }

// HiddenFolder sets the name of the project's data folder, by default ".godot".
func HiddenFolder(name string) Option { return func(c *config) { c.hidden = name } }

// PID sets the process id in the files, by default that of the test.
func PID(pid int) Option { return func(c *config) { c.pid = pid } }

// Started sets the start time in the file, in Unix seconds, by default now.
func Started(unix int64) Option { return func(c *config) { c.started = unix } }

// Contract sets the newest and the oldest contract the addon serves, by default
// 1 and 1.
func Contract(newest, oldest int) Option {
	return func(c *config) { c.contract, c.oldest = newest, oldest }
}

// Versions sets the versions of addon and engine.
func Versions(addon, godot string) Option {
	return func(c *config) { c.addon, c.godot = addon, godot }
}

// Headless sets whether the editor has no display, by default true.
func Headless(headless bool) Option { return func(c *config) { c.headless = headless } }

// Autostarted makes it an editor that a client started by itself, which keeps
// these files unsaved.
func Autostarted(unsaved ...string) Option {
	return func(c *config) { c.startedBy, c.unsaved = bridge.StartedByAutostart, unsaved }
}

// WrongToken puts a token into the bridge file that the editor does not accept.
func WrongToken() Option { return func(c *config) { c.wrongToken = true } }

// WrongProof makes the answer to hello carry a false proof.
func WrongProof() Option { return func(c *config) { c.wrongProof = true } }

// RefuseHandshake answers every handshake with an HTTP status; 0 breaks off
// the connection without an answer.
func RefuseHandshake(status int) Option {
	return func(c *config) { c.refuse, c.refuseStatus = true, status }
}

// Silent makes the editor answer hello but no command.
func Silent() Option { return func(c *config) { c.silent = true } }

// SpeakFirst sends a frame in front of the answer to hello, $id in it being the
// id that the client's first command will have, 2.
func SpeakFirst(frame string) Option { return func(c *config) { c.speakFirst = frame } }

// SilentHello makes the editor answer nothing at all after the handshake.
func SilentHello() Option { return func(c *config) { c.silentHello = true } }

// Deaf makes the editor answer hello and then read nothing more.
func Deaf() Option { return func(c *config) { c.deaf = true } }

// MaxMessage sets the most bytes the editor takes in one message; over it the
// socket is closed with code 1009.
func MaxMessage(bytes int64) Option { return func(c *config) { c.maxMessage = bytes } }

// DropAfter breaks a socket without a close code in place of the answer to its
// command number n+1; 0 = instead of the first answer.
func DropAfter(n int) Option { return func(c *config) { c.dropAfter = n } }

// CloseAfter is DropAfter with a close code and a reason.
func CloseAfter(n, code int, reason string) Option {
	return func(c *config) { c.closeAfter, c.closeCode, c.closeReason = n, code, reason }
}

// Delay holds back every answer for d, in parallel, as for parked commands.
func Delay(d time.Duration) Option { return func(c *config) { c.delay = d } }
