package main

import (
	"strings"
	"testing"
	"time"
)

func TestPercentileIsTheNearestRank(t *testing.T) {
	var s samples
	for i := 100; i >= 1; i-- {
		s = append(s, time.Duration(i))
	}
	for p, want := range map[float64]time.Duration{50: 50, 99: 99, 100: 100, 0: 1} {
		if got := s.percentile(p); got != want {
			t.Errorf("percentile(%v) = %d, want %d", p, got, want)
		}
	}
	if got := (samples{}).percentile(50); got != 0 {
		t.Errorf("of nothing: %d", got)
	}
}

func TestParseCPUCountsBehindTheName(t *testing.T) {
	stat := "12 (a name) with ) 9 9) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0\n"
	got, err := parseCPU([]byte(stat))
	if err != nil || got != 2*time.Second {
		t.Errorf("got %v, %v; want 2s", got, err)
	}
	if _, err := parseCPU([]byte("12 (x) S 1")); err == nil {
		t.Error("a short line was read")
	}
}

func TestSceneHasTheNodesAskedFor(t *testing.T) {
	for _, nodes := range treeSizes {
		scene := sceneOf(nodes)
		if got := strings.Count(scene, "[node "); got != nodes {
			t.Errorf("%d nodes, want %d", got, nodes)
		}
		for line := range strings.Lines(scene) {
			_, parent, _ := strings.Cut(line, ` parent="`)
			parent, _, _ = strings.Cut(parent, `"`)
			name := parent[strings.LastIndex(parent, "/")+1:]
			if name != "" && name != "." && !strings.Contains(scene, `[node name="`+name+`"`) {
				t.Fatalf("%s names a parent that is not there", line)
			}
		}
	}
}

func TestTargetsJudge(t *testing.T) {
	r := timed("m", "n", samples{time.Millisecond, 3 * time.Millisecond})
	if !r.atMost(1, 3).OK || r.atMost(1, 2.9).OK || r.atMost(0.9, 0).OK {
		t.Errorf("a time is judged wrong: %+v", r)
	}
	if !rated("m", "n", []float64{4000, 6000, 5000}, 10, 5000).OK || rated("m", "n", []float64{4000}, 10, 5000).OK {
		t.Error("a rate is judged wrong")
	}
}
