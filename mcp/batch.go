package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
)

// batch gathers the responses to messages that came in one array.
type batch struct {
	mu      sync.Mutex
	missing int
	texts   [][]byte
}

// expect says that one more response will come. A message by itself has no batch.
func (b *batch) expect() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.missing++
}

// add takes one response, nil for none. The last one gets all of them as one array, nil when there are none.
func (b *batch) add(text []byte) (all []byte, last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.missing--
	if text != nil {
		b.texts = append(b.texts, text)
	}
	if b.missing > 0 {
		return nil, false
	}
	if len(b.texts) == 0 {
		return nil, true
	}
	return append(append([]byte{'['}, bytes.Join(b.texts, []byte{','})...), ']'), true
}

// batch handles an array of messages, which only two old revisions have.
func (p *pipe) batch(ctx context.Context, text []byte, to outlet) {
	var messages []json.RawMessage
	if err := json.Unmarshal(text, &messages); err != nil || len(messages) == 0 || !p.era.hasBatches() {
		p.refuse(origin{to: to}, nil, invalidRequest("messages come one by one: this revision of the protocol has no batches"))
		return
	}
	from := origin{to: to, in: &batch{missing: 1}} // held open until all were read
	for _, m := range messages {
		p.message(ctx, m, from)
	}
	_ = p.answer(from, outgoing{})
}
