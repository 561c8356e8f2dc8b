package main

import (
	"context"
	"fmt"
	"sync"
)

// Events that wait for a slow reader of standard output, at most. The pipe itself holds some more.
const maxWaiting = 1024

// dropped is the event that stands in the place of those that are missing.
const dropped = "dropped"

type queuedEvent struct {
	name string
	line []byte
}

// isOwn is true for what is about the watching, which --count passes over.
func (e queuedEvent) isOwn() bool {
	return e.name == dropped || e.name == "connected" || e.name == "disconnected"
}

// eventQueue is between the link, which must not wait, and the output, which may be slow. When it is full
// the youngest events are counted and not kept.
type eventQueue struct {
	mu      sync.Mutex
	events  []queuedEvent
	missing int
	// early are the events of a link that came before it was told that the link is there.
	early  []queuedEvent
	held   bool
	closed bool
	ready  chan struct{}
}

func newEventQueue() *eventQueue { return &eventQueue{ready: make(chan struct{}, 1)} }

// hold keeps back events until release or tell.
func (q *eventQueue) hold() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held = true
}

// push takes an event of the editor.
func (q *eventQueue) push(name string, line []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case !q.held:
		q.add(queuedEvent{name, line})
	case len(q.early) < maxWaiting:
		q.early = append(q.early, queuedEvent{name, line})
	default:
		q.missing++
	}
}

// add is called with the lock held.
func (q *eventQueue) add(e queuedEvent) {
	if len(q.events) >= maxWaiting {
		q.missing++
		return
	}
	q.addMissing()
	q.events = append(q.events, e)
	q.wake()
}

// addMissing puts the count in the place of what is missing.
func (q *eventQueue) addMissing() {
	if q.missing > 0 {
		q.events = append(q.events, queuedEvent{dropped, fmt.Appendf(nil, `{"event":"dropped","count":%d}`, q.missing)})
		q.missing = 0
	}
}

// tell takes what is about the link itself, which is never dropped, and releases what came early.
func (q *eventQueue) tell(name string, line []byte) {
	q.mu.Lock()
	q.addMissing()
	q.events = append(q.events, queuedEvent{name, line})
	q.wake()
	q.mu.Unlock()
	q.release()
}

func (q *eventQueue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held = false
	for _, e := range q.early {
		q.add(e)
	}
	q.early = nil
}

// close ends next when all has been taken.
func (q *eventQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake()
}

func (q *eventQueue) wake() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// next waits for an event; false when there will be none.
func (q *eventQueue) next(ctx context.Context) (queuedEvent, bool) {
	for {
		if e, ok, closed := q.take(); ok || closed {
			return e, ok
		}
		select {
		case <-q.ready:
		case <-ctx.Done():
			return queuedEvent{}, false
		}
	}
}

func (q *eventQueue) take() (e queuedEvent, ok, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.events) == 0 {
		q.addMissing()
	}
	if len(q.events) == 0 {
		return e, false, q.closed
	}
	e, q.events = q.events[0], q.events[1:]
	return e, true, false
}
