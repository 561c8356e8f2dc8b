package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/testbed"
)

// awakeFor is how long after a command the addon keeps the editor awake.
const awakeFor = 5 * time.Second

// process runs a program like a shell would, and returns how long it was there.
func (s *session) process(stdin, stdout *os.File, program string, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(s.ctx, program, args...)
	cmd.Dir, cmd.Env = s.editor.Project, s.editor.Env
	if stdin != nil {
		cmd.Stdin = stdin
	}
	if stdout != nil {
		cmd.Stdout = stdout
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begun := time.Now()
	err := cmd.Run()
	took := time.Since(begun)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err, stderr.String())
	}
	return took, nil
}

// bareArgs make the bare client call what our command line calls.
func (s *session) bareArgs() []string {
	message := fmt.Sprintf(`{"id":2,"command":%q,"params":%s}`, positionRequest.Command, positionRequest.Params)
	return []string{strconv.Itoa(s.found.Port), s.found.Token.Secret(), message}
}

// measureProcess runs our command line and the bare client in turn, so that both meet the same machine.
func (s *session) measureProcess() error {
	var whole, bare samples
	for i := range s.pick(200, 20) + 2 {
		took, err := s.process(nil, nil, s.editor.Bin, getPosition...)
		if err != nil {
			return err
		}
		floor, err := s.process(nil, nil, s.bare, s.bareArgs()...)
		if err != nil {
			return err
		}
		// The first two wake the editor.
		if i >= 2 {
			whole, bare = append(whole, took), append(bare, floor)
		}
	}
	floor := timed(s.mode.name, "bare client process", bare)
	s.report.add(floor, timed(s.mode.name, "godot-mcp process", whole).atMost(min(10, floor.P50+4), 0))
	return nil
}

// measureFirst calls an editor that has gone back to its own sleep, at any moment of a frame. Every second
// time the bare client has its turn too: what the machine itself loses after a pause shows in both.
func (s *session) measureFirst() error {
	n := s.pick(30, 4)
	if s.mode.sleep == 0 {
		n = s.pick(10, 4)
	}
	engine, what := engineOf(s.editor.PID), "first call, "
	if s.hold {
		locked, err := hold(engine, s.editor.Bin, s.bare)
		if err != nil {
			return err
		}
		defer locked.release()
		what = "first call, pages held, "
	}
	before, err := reads(engine)
	if err != nil {
		return err
	}
	var whole, bare samples
	for i := range n {
		took, err := s.afterPause(s.editor.Bin, getPosition...)
		if err != nil {
			return err
		}
		whole = append(whole, took)
		if i%2 == 1 {
			continue
		}
		if took, err = s.afterPause(s.bare, s.bareArgs()...); err != nil {
			return err
		}
		bare = append(bare, took)
	}
	after, err := reads(engine)
	if err != nil {
		return err
	}
	first := timed(s.mode.name, what+"godot-mcp process", whole)
	if s.mode.sleep != 0 {
		first = first.atMost(70, 115)
	}
	taken := float64(after-before) / float64(len(whole)+len(bare))
	s.report.add(
		timed(s.mode.name, what+"bare client process", bare), first,
		counted(s.mode.name, "  pages that the editor had to read again, each", "", taken),
	)
	return nil
}

// afterPause lets the editor fall asleep, for not always the same time, and runs one client.
func (s *session) afterPause(program string, args ...string) (time.Duration, error) {
	s.sleep(awakeFor + 200*time.Millisecond + rand.N(200*time.Millisecond))
	return s.process(nil, nil, program, args...)
}

func (s *session) measureNDJSON() error {
	const n = 10000
	line := `{"tool":"node get-property","arguments":{"node_path":".","property":"position"}}` + "\n"
	lines := filepath.Join(s.dir, "calls.ndjson")
	if err := os.WriteFile(lines, []byte(strings.Repeat(line, n)), 0o600); err != nil {
		return err
	}
	var rates []float64
	for range s.pick(5, 1) {
		took, answers, err := s.pipe(lines, "call", "-")
		if err != nil {
			return err
		}
		if got := bytes.Count(answers, []byte(`"ok":true`)); got != n {
			return fmt.Errorf("call -: %d good answers of %d", got, n)
		}
		rates = append(rates, n/took.Seconds())
	}
	s.report.add(rated(s.mode.name, "NDJSON lines through call -", rates, n, 3000))
	return nil
}

// pipe runs our command line from one file into another and returns what it wrote.
func (s *session) pipe(from string, args ...string) (time.Duration, []byte, error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, nil, err
	}
	defer in.Close()
	out, err := os.CreateTemp(s.dir, "out-")
	if err != nil {
		return 0, nil, err
	}
	defer out.Close()
	took, err := s.process(in, out, s.editor.Bin, args...)
	if err != nil {
		return 0, nil, err
	}
	text, err := os.ReadFile(out.Name())
	return took, text, err
}

func (s *session) measureTrees() error {
	for _, nodes := range treeSizes {
		if err := s.open(sceneName(nodes)); err != nil {
			return err
		}
		// The editor's own work after opening is not the tree's.
		s.sleep(2 * time.Second)
		var times samples
		for range s.pick(40, 5) {
			took, tree, err := s.pipe(os.DevNull, "scene", "tree")
			if err != nil {
				return err
			}
			if !bytes.Contains(tree, fmt.Appendf(nil, `"total":%d`, nodes)) {
				return fmt.Errorf("scene tree of %d nodes tells another total", nodes)
			}
			times = append(times, took)
		}
		tree := timed(s.mode.name, fmt.Sprintf("scene tree, %d nodes", nodes), times)
		if nodes == 10000 {
			tree = tree.atMost(120, 0)
		}
		s.report.add(tree)
	}
	return s.open("main.tscn")
}

// measureCompletion presses the tab key for a node's path in a scene of 1,000 nodes, while the editor is awake
// and when it has gone back to its own sleep.
func (s *session) measureCompletion() error {
	const nodes = 1000
	if err := s.open(sceneName(nodes)); err != nil {
		return err
	}
	s.sleep(2 * time.Second)
	var awake, asleep samples
	for i := range s.pick(40, 5) + s.pick(8, 2) {
		pause := i >= s.pick(40, 5)
		if pause {
			s.sleep(awakeFor + 200*time.Millisecond + rand.N(200*time.Millisecond))
		}
		took, choices, err := s.pipe(os.DevNull, "__complete_for", "zsh", "node", "get", "")
		if err != nil {
			return err
		}
		if got := bytes.Count(choices, []byte("\n")) - 1; got != nodes {
			return fmt.Errorf("completion offers %d of %d nodes", got, nodes)
		}
		if pause {
			asleep = append(asleep, took)
		} else {
			awake = append(awake, took)
		}
	}
	s.report.add(
		timed(s.mode.name, "completion, 1000 nodes", awake).atMost(100, 0),
		timed(s.mode.name, "first completion, 1000 nodes", asleep),
	)
	return s.open("main.tscn")
}

// measureVersion is what every start of the program costs.
func (b *bench) measureVersion() error {
	bin, err := testbed.Binary()
	if err != nil {
		return err
	}
	s := &session{bench: b, editor: &testbed.Editor{Project: b.dir, Bin: bin}}
	var times samples
	for range b.pick(200, 20) {
		took, err := s.process(nil, nil, bin, "version")
		if err != nil {
			return err
		}
		times = append(times, took)
	}
	b.report.add(timed("none", "version process", times).atMost(8, 0))
	return nil
}
