package bridge

// handle deals with one frame. A failure that it returns ends the link.
func (l *link) handle(frame []byte) *failure {
	m, err := parseMessage(frame)
	if err != nil {
		return l.unreadable(frame)
	}
	if !isClosed(l.proven) {
		return l.checkHello(&m)
	}
	switch {
	case m.event != "":
		l.tell(&m)
	case m.id == 0:
		l.withoutID(&m)
	case m.progress != nil && !m.hasOK:
		l.progress(&m)
	default:
		l.answered(&m)
	}
	return nil
}

func (l *link) tell(m *message) {
	if l.client.OnEvent != nil {
		l.client.OnEvent(Event{Name: m.event, Data: m.frame})
	}
}

func (l *link) progress(m *message) {
	l.mu.Lock()
	p := l.calls[m.id]
	l.mu.Unlock()
	if p != nil && p.onProgress != nil {
		p.onProgress(*m.progress)
	}
}

// withoutID deals with an answer that names no request: the editor could not
// read one. Where only one is in flight it is that one.
func (l *link) withoutID(m *message) {
	if id, ok := l.onlyCall(); ok && m.hasOK {
		m.id = id
		l.answered(m)
		return
	}
	l.client.log().Debug("bridge: message without id dropped", "bytes", len(m.frame))
}

func (l *link) answered(m *message) {
	p := l.take(m.id)
	if p == nil {
		l.client.log().Debug("bridge: answer to an unknown id dropped", "id", m.id)
		return
	}
	p.complete(m.answer())
}

// unreadable tells the caller of a frame that is not JSON. Without an id it can
// only be meant for the one call in flight; with several, no call can know
// whether it still will be answered, so the link ends.
func (l *link) unreadable(frame []byte) *failure {
	base := Error{Code: InternalError, Sent: true, Hint: "the editor's answer is not JSON and could not be repaired; whether the command was carried out is unknown; " + lookThere}
	if !isClosed(l.proven) {
		return &failure{base: *errStranger(l.editor, "it answered hello with what is not JSON")}
	}
	id, ok := peekID(frame)
	if !ok {
		id, ok = l.onlyCall()
	}
	if !ok {
		return &failure{base: base, carried: true}
	}
	p := l.take(id)
	if p == nil {
		l.client.log().Debug("bridge: broken answer to an unknown id dropped", "id", id)
		return nil
	}
	base.Hint = p.command + ": " + base.Hint
	p.complete(nil, &base)
	return nil
}

// onlyCall returns the id of the call in flight if there is exactly one.
func (l *link) onlyCall() (int64, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.calls) != 1 {
		return 0, false
	}
	for id := range l.calls {
		return id, true
	}
	return 0, false
}
