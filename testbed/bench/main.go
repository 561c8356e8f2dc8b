// Command bench measures godot-mcp on a real headless editor: how long a call takes, how many go through,
// what the editor pays. It prints a table with the target of each figure; nothing here is asserted, because
// a busy machine is no defect.
//
//	make bench
//	go run ./testbed/bench -quick -only warm,process
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/godot-mcp/godot-mcp/testbed"
)

func main() {
	b := &bench{}
	var only, jsonFile string
	flag.BoolVar(&b.quick, "quick", false, "few samples: to see that it runs, not to judge by")
	flag.BoolVar(&b.hold, "hold", false, "first calls: keep all programs in memory, on a machine that takes back what nobody used for seconds")
	flag.StringVar(&only, "only", "", "comma list of what to measure: "+strings.Join(stepNames(), ", "))
	flag.StringVar(&jsonFile, "json", "", "also write the figures to this file")
	flag.Parse()
	b.only = strings.FieldsFunc(only, func(r rune) bool { return r == ',' })
	for _, name := range b.only {
		if !slices.Contains(stepNames(), name) {
			fmt.Fprintf(os.Stderr, "bench: nothing is called %q: %s\n", name, strings.Join(stepNames(), ", "))
			os.Exit(2)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b.ctx = ctx
	err := b.run()
	b.report.print(os.Stdout)
	if err == nil && jsonFile != "" {
		err = b.report.writeJSON(jsonFile)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is one run: what it was asked for, its folder, its findings.
type bench struct {
	ctx   context.Context
	quick bool
	// hold keeps the pages of all programs in memory while first calls are measured.
	hold   bool
	only   []string
	report report

	// godot is the engine's program, engine its version.
	godot, engine string
	// dir holds everything that the run makes, bare is the bare client in it.
	dir, bare string
}

// mode is an editor with one idle sleep.
type mode struct {
	name string
	// sleep is put into the editor's settings; 0 leaves the engine's own.
	sleep time.Duration
}

var modes = []mode{
	{"sleep 6.9 ms", 0},
	{"sleep 100 ms", 100 * time.Millisecond},
}

func (b *bench) run() (err error) {
	if err := b.prepare(); err != nil {
		return err
	}
	defer func() {
		_ = os.RemoveAll(b.dir)
		testbed.RemoveBinary()
	}()
	if b.wants("version") {
		if err := b.measureVersion(); err != nil {
			return err
		}
	}
	if b.wants("list") {
		bin, err := testbed.Binary()
		if err == nil {
			err = b.measureList(bin)
		}
		if err != nil {
			return err
		}
	}
	if b.wants("autostart") {
		if err := b.measureAutostart(); err != nil {
			return err
		}
	}
	for _, m := range modes {
		if err := b.runMode(m); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// runMode measures one editor after the other: first one that has never heard of us, then ours.
func (b *bench) runMode(m mode) error {
	var without []float64
	if b.wants("cpu") {
		var err error
		if without, err = b.measurePlainEditor(m); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(steps, func(s step) bool { return b.wants(s.name) }) {
		return nil
	}
	s, err := b.startSession(m)
	if err != nil {
		return err
	}
	defer s.close()
	s.without = without
	for _, step := range steps {
		if !b.wants(step.name) {
			continue
		}
		b.say("%s: %s", m.name, step.name)
		if err := step.measure(s); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		if b.ctx.Err() != nil {
			return b.ctx.Err()
		}
	}
	return nil
}

// step is one thing that is measured in each mode.
type step struct {
	name    string
	measure func(*session) error
}

// steps in their order: those that need a quiet editor come before any call.
var steps = []step{
	{"cpu", (*session).measureCPU},
	{"first", (*session).measureFirst},
	{"warm", (*session).measureWarm},
	{"process", (*session).measureProcess},
	{"pipelined", (*session).measurePipelined},
	{"mcp", (*session).measureMCP},
	{"memory", (*session).measureMemory},
	{"ndjson", (*session).measureNDJSON},
	{"tree", (*session).measureTrees},
	{"completion", (*session).measureCompletion},
	{"batch", (*session).measureBatch},
	{"scripts", (*session).measureScripts},
	{"game", (*session).measureGame},
}

func stepNames() []string {
	names := []string{"version", "list", "autostart"}
	for _, s := range steps {
		names = append(names, s.name)
	}
	return names
}

func (b *bench) wants(name string) bool {
	return len(b.only) == 0 || slices.Contains(b.only, name)
}

// pick is the full number of samples, or the quick one.
func (b *bench) pick(full, quick int) int {
	if b.quick {
		return quick
	}
	return full
}

// window is how long CPU is watched.
func (b *bench) window() time.Duration {
	if b.quick {
		return 3 * time.Second
	}
	return 10 * time.Second
}

func (b *bench) sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-b.ctx.Done():
	}
}

// say keeps a person informed; the table alone goes to standard output.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}

// machine is what a figure can only be read beside.
func machine(engine string) string {
	return fmt.Sprintf("%d cores, %s/%s, Godot %s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, engine, runtime.Version())
}
