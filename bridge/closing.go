package bridge

import "time"

// flushTimeout is how long close waits for the socket to take what is queued,
// and how long for the editor to have read a cancellation.
const flushTimeout = 250 * time.Millisecond

// close ends the link on purpose. A socket that is closed while something lies
// unread in it resets the connection, and the editor loses what it has not read
// yet: a cancellation would be lost, so then we say that we are done and read on
// until the editor closes too. In the common case nothing is at stake and nothing
// is waited for.
func (l *link) close() {
	l.flush(flushTimeout)
	l.mu.Lock()
	atStake := l.cancelled
	l.mu.Unlock()
	l.end(&failure{base: *errClosed(), carried: true})
	if atStake {
		l.closeWriting()
	}
	_ = l.conn.CloseNow()
	<-l.ended
}

// closeWriting ends our direction and waits for the end of the other one.
func (l *link) closeWriting() {
	half, ok := l.tcp.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	timer := time.NewTimer(flushTimeout)
	defer timer.Stop()
	select {
	case <-l.ended:
	case <-timer.C:
	}
}

// flush waits until the writer has written what it was given.
func (l *link) flush(limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	mark := make(chan struct{})
	select {
	case l.out <- outgoing{flushed: mark}:
	case <-l.done:
		return
	case <-timer.C:
		return
	}
	select {
	case <-mark:
	case <-l.done:
	case <-timer.C:
	}
}
