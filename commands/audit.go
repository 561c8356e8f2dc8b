package commands

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
)

// Audit notes each call as a line of JSON in a file, without its arguments and its result: those are there
// as hashes. No call waits for it; what it cannot keep up with is counted.
type Audit struct {
	Path string
	// Log is told when the file cannot be written any more; may be nil.
	Log *slog.Logger

	once    sync.Once
	broken  error
	queue   chan auditLine
	dropped atomic.Int64
	// failing is why the last line could not be written, nil while they can.
	failing atomic.Pointer[error]
	written chan struct{}
	closing sync.RWMutex
	closed  bool
}

const (
	// auditQueue is how many lines may wait to be written.
	auditQueue = 1024
	// auditClose is how long the last lines may take when the process ends.
	auditClose = time.Second
)

// Decisions in an audit line.
const (
	decidedAllowed  = "allowed"
	decidedApproved = "approved"
	decidedAsked    = "asked"
	decidedPolicy   = "denied_by_policy"
	decidedApproval = "denied_by_approval"
	decidedRefused  = "refused"
)

// auditLine is one call.
type auditLine struct {
	Time    time.Time `json:"time"`
	PID     int       `json:"pid"`
	Surface string    `json:"surface"`
	Client  string    `json:"client"`
	Tool    string    `json:"tool"`
	// Via is the tool through which the call came.
	Via    string `json:"via,omitempty"`
	Class  Class  `json:"class"`
	DryRun bool   `json:"dry_run"`
	// Inside are the tools that a batch holds, or whose steps undo and redo would take.
	Inside    []string `json:"inside,omitempty"`
	Decision  string   `json:"decision"`
	RequestID string   `json:"request_id,omitempty"`
	// Code is ok or the error's.
	Code            string  `json:"code"`
	Required        string  `json:"required,omitempty"`
	DurationMS      float64 `json:"duration_ms"`
	ArgumentsSHA256 string  `json:"arguments_sha256"`
	ResultSHA256    string  `json:"result_sha256,omitempty"`
	// Dropped is how many lines are missing in front of this one.
	Dropped int64 `json:"dropped,omitempty"`
}

// ErrAsked is the end of a call that was not carried out, since its client asks a person first and then
// makes it again.
var ErrAsked = errors.New("a person must be asked first")

// note is what is learned of a call on its way through the gate.
type note struct {
	call  Call
	began time.Time
	args  json.RawMessage
	// inside are the calls that it holds.
	inside []InsideCall
	// refused is true when the gate turned it back; approved when somebody was asked and said yes.
	refused, approved bool
	requestID         string
	// passedOn is true when the call went on as another, which has a note of its own.
	passedOn bool
}

// class is the effective one.
func (n *note) class(tool *Tool) Class {
	if tool == nil {
		return ""
	}
	class := tool.Class
	for _, c := range n.inside {
		class = highest(class, c.Class)
	}
	return class
}

func (n *note) decision(e *bridge.Error) string {
	switch {
	case e != nil && errors.Is(e, ErrAsked):
		return decidedAsked
	case e != nil && e.Code == bridge.ApprovalDenied:
		return decidedApproval
	case n.refused && e.Required == "policy":
		return decidedPolicy
	case n.refused:
		return decidedRefused
	case n.approved:
		return decidedApproved
	}
	return decidedAllowed
}

// line is the call as it is noted, with its end.
func (n *note) line(tool *Tool, surface string, result json.RawMessage, err error) auditLine {
	e := bridge.AsError(err)
	args := n.args
	if args == nil {
		args = n.call.Arguments
	}
	line := auditLine{
		Time: n.began.UTC(), PID: os.Getpid(), Surface: surface, Client: visible(n.call.Client), Tool: visible(n.call.Tool), Via: n.call.via,
		Class: n.class(tool), DryRun: isPreview(args), Decision: n.decision(e), RequestID: n.requestID, Code: "ok",
		DurationMS: math.Round(float64(time.Since(n.began).Microseconds())) / 1000, ArgumentsSHA256: sum(args),
	}
	if tool != nil {
		line.Tool = tool.Name
	}
	for _, c := range n.inside {
		line.Inside = append(line.Inside, c.Tool)
	}
	switch {
	case line.Decision == decidedAsked:
		line.Code = decidedAsked
	case err != nil && errors.Is(err, context.Canceled):
		line.Code = "cancelled"
	case err != nil:
		line.Code, line.Required = string(e.Code), visible(e.Required)
	default:
		line.ResultSHA256 = sum(result)
	}
	return line
}

// check opens the file at the first call. Who wants calls noted does not want them made otherwise.
func (a *Audit) check() error {
	if a == nil {
		return nil
	}
	a.once.Do(a.open)
	why := a.broken
	if failing := a.failing.Load(); failing != nil {
		why = *failing // the line about the call that is refused now tries again
	}
	if why == nil {
		return nil
	}
	return bridge.Errorf(bridge.ValidationError, "audit_log", "the audit log %s cannot be written: %v; nothing was called; mend it, then godot-mcp config list", a.Path, why)
}

func (a *Audit) open() {
	file, err := openAudit(a.Path)
	if err != nil {
		a.broken = err
		return
	}
	a.queue, a.written = make(chan auditLine, auditQueue), make(chan struct{})
	go a.write(&auditFile{path: a.Path, file: file})
}

// note puts a line into the queue, or counts it where that is full.
func (a *Audit) note(line auditLine) {
	a.closing.RLock()
	defer a.closing.RUnlock()
	if a.queue == nil || a.closed {
		return
	}
	select {
	case a.queue <- line:
	default:
		a.dropped.Add(1)
	}
}

// write writes lines until the queue is closed.
func (a *Audit) write(to *auditFile) {
	defer close(a.written)
	defer to.close()
	told := false
	for line := range a.queue {
		line.Dropped = a.dropped.Swap(0)
		text, _ := json.Marshal(line) // texts and numbers
		err := to.append(append(text, '\n'))
		if err == nil {
			a.failing.Store(nil)
		} else {
			a.failing.Store(&err)
			a.dropped.Add(line.Dropped + 1)
			if !told && a.Log != nil {
				told = true
				a.Log.Error("the audit log cannot be written", "path", a.Path, "error", err)
			}
		}
	}
}

// Close writes what waits, within a second.
func (a *Audit) Close() {
	if a == nil {
		return
	}
	a.closing.Lock()
	open := a.queue != nil && !a.closed
	a.closed = true
	if open {
		close(a.queue)
	}
	a.closing.Unlock()
	if !open {
		return
	}
	select {
	case <-a.written:
	case <-time.After(auditClose):
	}
}
