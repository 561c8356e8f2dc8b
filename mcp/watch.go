package mcp

import "time"

const (
	// watchEvery is how often the process that started this one is looked for.
	watchEvery = 2 * time.Second
	// silence is how long nothing may come after it went: another process may have taken over the pipe.
	silence = 10 * time.Second
)

// watch notices that the client has died and the pipe stays open all the same, held by another of its
// children.
type watch struct {
	ticker *time.Ticker
	parent parent
	lost   time.Time
	now    func() time.Time
}

func newWatch() *watch {
	return &watch{ticker: time.NewTicker(watchEvery), parent: ownParent(), now: time.Now}
}

func (w *watch) look() <-chan time.Time { return w.ticker.C }

func (w *watch) stop() {
	w.ticker.Stop()
	w.parent.release()
}

// heard notes a message. One that comes without a parent shows that somebody else is the client.
func (w *watch) heard() {
	if w.lost.IsZero() {
		return
	}
	w.lost = time.Time{}
	w.parent.release()
	w.parent = ownParent()
}

// gone is true when the parent is and nothing came since.
func (w *watch) gone() bool {
	switch {
	case w.parent.alive():
		w.lost = time.Time{}
	case w.lost.IsZero():
		w.lost = w.now()
	}
	return !w.lost.IsZero() && w.now().Sub(w.lost) >= silence
}
