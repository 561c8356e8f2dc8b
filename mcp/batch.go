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

// add takes one response, nil for none, and returns all as one array after the last.
func (b *batch) add(text []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.missing--
	if text != nil {
		b.texts = append(b.texts, text)
	}
	if b.missing > 0 || len(b.texts) == 0 {
		return nil
	}
	return append(append([]byte{'['}, bytes.Join(b.texts, []byte{','})...), ']')
}

// batch handles an array of messages, which only two old revisions have.
func (p *pipe) batch(ctx context.Context, text []byte) {
	var messages []json.RawMessage
	if err := json.Unmarshal(text, &messages); err != nil || len(messages) == 0 || !p.era.hasBatches() {
		p.refuse(nil, invalidRequest("a line is one message: this revision of the protocol has no batches"))
		return
	}
	in := &batch{missing: 1} // held open until all were read
	for _, m := range messages {
		p.message(ctx, m, in)
	}
	_ = p.writeIn(in, nil)
}
