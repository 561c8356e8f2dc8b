package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/godot-mcp/godot-mcp/commands"
)

const (
	// drainTime is how long calls in flight may take after the input has ended.
	drainTime = 5 * time.Second
	// closeTime is how long cancelled calls may take to notice.
	closeTime = time.Second
)

// ErrOutput is the error of a server whose client no longer reads.
var ErrOutput = errors.New("the client no longer reads")

// output is standard output, one message a line.
type output struct {
	mu   sync.Mutex
	to   io.Writer
	stop context.CancelCauseFunc
}

// send ends the server when the line cannot be written: nobody is there to read another.
func (o *output) send(m outgoing) error {
	if m.text == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err := o.to.Write(append(m.text, '\n'))
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrOutput, err)
		o.stop(err)
	}
	return err
}

// ServeStdio answers until the input ends, the client is gone, or ctx is cancelled. Only MCP messages are
// written to out.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	p := s.newPipe(&output{to: out, stop: stop})
	err := p.serve(ctx, in)
	p.close(stop)
	return err
}

type line struct {
	text []byte
	err  error
}

// serve handles lines until there are no more. Errors are those of reading and writing.
func (p *pipe) serve(ctx context.Context, in io.Reader) error {
	lines := make(chan line)
	go readLines(ctx, in, lines)
	client := newWatch()
	defer client.stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-client.look():
			if client.gone() {
				p.server.log.Warn("the process that started this server is gone")
				return nil
			}
		case l := <-lines:
			client.heard()
			switch {
			case errors.Is(l.err, io.EOF):
				p.calls.drain(ctx, drainTime)
				return nil
			case l.err != nil && !errors.Is(l.err, commands.ErrLineTooLong):
				return l.err
			}
			p.line(ctx, l)
		}
	}
}

func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	reader := bufio.NewReaderSize(in, 1<<16)
	for {
		text, err := commands.ReadLine(reader)
		select {
		case lines <- line{text, err}:
		case <-ctx.Done():
			return
		}
		if err != nil && !errors.Is(err, commands.ErrLineTooLong) {
			return
		}
	}
}

// line answers what is no message, and the session goes on.
func (p *pipe) line(ctx context.Context, l line) {
	if l.err != nil {
		p.refuse(origin{to: p.out}, nil, invalidRequest("%v", l.err))
		return
	}
	p.take(ctx, l.text, p.out)
}
