package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/commands"
)

// the call that everything is measured with.
var (
	getPosition     = []string{"node", "get-property", ".", "position"}
	positionRequest = bridge.Request{
		Command: "node.get-property",
		Params:  json.RawMessage(`{"node_path":".","property":"position"}`),
	}
)

func (s *session) client() *bridge.Client {
	return &bridge.Client{Find: func(context.Context) (bridge.Editor, error) { return s.found, nil }}
}

func (s *session) measureWarm() error {
	c := s.client()
	defer c.Close()
	n := s.pick(3000, 300)
	var times samples
	for i := range n + 20 {
		begun := time.Now()
		if _, err := c.Call(s.ctx, positionRequest); err != nil {
			return err
		}
		// The first calls also connect.
		if i >= 20 {
			times = append(times, time.Since(begun))
		}
	}
	s.report.add(timed(s.mode.name, "warm call on one connection", times).atMost(0.3, 0))
	return nil
}

func (s *session) measurePipelined() error {
	const n = 10000
	c := s.client()
	defer c.Close()
	if _, err := c.Connect(s.ctx); err != nil {
		return err
	}
	var rates []float64
	for range s.pick(5, 1) {
		begun := time.Now()
		if err := pipeline(s.ctx, c, n); err != nil {
			return err
		}
		rates = append(rates, n/time.Since(begun).Seconds())
	}
	s.report.add(rated(s.mode.name, "pipelined calls", rates, n, 5000))
	return nil
}

// pipeline sends n requests as fast as the client takes them and waits for every answer.
func pipeline(ctx context.Context, c *bridge.Client, n int) error {
	pending := make(chan *bridge.Pending, bridge.MaxInFlight)
	done := make(chan error, 1)
	go func() {
		var failed error
		for p := range pending {
			if _, err := p.Wait(ctx); err != nil && failed == nil {
				failed = err
			}
		}
		done <- failed
	}()
	for range n {
		pending <- c.Start(ctx, positionRequest)
	}
	close(pending)
	return <-done
}

// measureCPU sets three states of our editor beside one without the addon.
func (s *session) measureCPU() error {
	s.sleep(settled)
	if err := s.checkSleep(); err != nil {
		return err
	}
	idle, silent, watched, err := s.cpuAtRest()
	if err != nil {
		return err
	}
	c := s.client()
	defer c.Close()
	load, rate, err := s.cpuUnderLoad(c)
	if err != nil {
		return err
	}
	most := slices.Min(s.without) + idleSlack
	s.report.add(
		cpuRow(s.mode.name, "CPU, no client", idle).leastAtMost(idle, most),
		cpuRow(s.mode.name, "CPU, a silent client", silent).leastAtMost(silent, most),
		cpuRow(s.mode.name, "CPU, a client of all events", watched).leastAtMost(watched, most),
		cpuRow(s.mode.name, fmt.Sprintf("CPU, %.0f calls/s", rate), load),
	)
	return nil
}

// cpuAtRest watches the editor without a client, with a silent one and with one that wants all events, as
// watch does, in turn.
func (s *session) cpuAtRest() (idle, silent, watched []float64, err error) {
	var all []string
	for _, e := range commands.Events() {
		all = append(all, e.Name)
	}
	for range s.pick(3, 1) {
		share, err := s.cpuShare(s.editor.PID, s.window())
		if err != nil {
			return nil, nil, nil, err
		}
		idle = append(idle, share)
		if share, err = s.cpuWithSilentClient(nil); err != nil {
			return nil, nil, nil, err
		}
		silent = append(silent, share)
		if share, err = s.cpuWithSilentClient(all); err != nil {
			return nil, nil, nil, err
		}
		watched = append(watched, share)
	}
	return idle, silent, watched, nil
}

func (s *session) cpuWithSilentClient(events []string) (float64, error) {
	c := s.client()
	c.Events = events
	defer c.Close()
	if _, err := c.Connect(s.ctx); err != nil {
		return 0, err
	}
	s.sleep(settled)
	return s.cpuShare(s.editor.PID, s.window())
}

// idleSlack is the share of a core by which two windows of one idle editor differ on a quiet machine.
const idleSlack = 0.5

func cpuRow(mode, name string, shares []float64) row {
	most := slices.Max(shares)
	return row{Mode: mode, Name: name, Unit: "%", P50: median(shares), P99: most, Max: most, N: len(shares), OK: true}
}

// checkSleep counts the idle editor's frames, which shows that its sleep is the one of the mode.
func (s *session) checkSleep() error {
	before, err := wakeups(s.editor.PID)
	if err != nil {
		return err
	}
	const over = 3 * time.Second
	s.sleep(over)
	after, err := wakeups(s.editor.PID)
	if err != nil {
		return err
	}
	frames := float64(after-before) / over.Seconds()
	s.report.add(row{Mode: s.mode.name, Name: "frames of the idle editor", Unit: "/s", P50: frames, P99: frames, Max: frames, N: 1, OK: true})
	return nil
}

// cpuUnderLoad calls without a pause, one after the other.
func (s *session) cpuUnderLoad(c *bridge.Client) (shares []float64, rate float64, err error) {
	ctx, stop := context.WithCancel(s.ctx)
	calls := make(chan int, 1)
	go func() {
		n := 0
		for ctx.Err() == nil {
			if _, err := c.Call(ctx, positionRequest); err == nil {
				n++
			}
		}
		calls <- n
	}()
	begun := time.Now()
	share, err := s.cpuShare(s.editor.PID, s.window())
	stop()
	return []float64{share}, float64(<-calls) / time.Since(begun).Seconds(), err
}
