package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/testbed"
)

// gameBodies move in the game that is measured.
const gameBodies = 200

// gameFrames is how many frames one step has: ten seconds of the game.
const gameFrames = 600

var gameScript = "extends Node2D\n\nfunc _process(delta: float) -> void:\n\tfor child: Node2D in get_children():\n" +
	"\t\tchild.position.x += delta * randf()\n\nfunc limit(fps: int) -> void:\n\tEngine.max_fps = fps\n"

// measureGame measures the running game. How long an idle editor sleeps plays no part in it: calls keep it awake.
func (s *session) measureGame() error {
	if s.mode.sleep != 0 {
		return nil
	}
	if err := writeGame(s.editor.Project); err != nil {
		return err
	}
	g := game{s, s.client()}
	defer g.client.Close()
	for _, measure := range []func() error{g.starts, g.reads, g.steps, g.hashes, g.rounds} {
		if err := measure(); err != nil {
			return err
		}
	}
	if _, err := g.ask("stop", ""); err != nil {
		return err
	}
	return s.measureGamePicture()
}

func writeGame(project string) error {
	var b strings.Builder
	b.WriteString("[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://bench_game.gd\" id=\"1\"]\n\n[node name=\"Game\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n")
	for i := range gameBodies {
		fmt.Fprintf(&b, "\n[node name=\"Body%d\" type=\"Sprite2D\" parent=\".\"]\nposition = Vector2(%d, 0)\n", i, i)
	}
	if err := os.WriteFile(filepath.Join(project, "bench_game.gd"), []byte(gameScript), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(project, "bench_game.tscn"), []byte(b.String()), 0o644)
}

type game struct {
	*session
	client *bridge.Client
}

func (g game) ask(command, params string) (json.RawMessage, error) {
	if params == "" {
		params = "{}"
	}
	answer, err := g.client.Call(g.ctx, bridge.Request{Command: "game." + command, Params: json.RawMessage(params)})
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", command, err)
	}
	return answer, nil
}

// timed asks n times.
func (g game) timed(n int, command, params string) (samples, error) {
	var times samples
	for i := range n + 3 {
		begun := time.Now()
		if _, err := g.ask(command, params); err != nil {
			return nil, err
		}
		if i >= 3 {
			times = append(times, time.Since(begun))
		}
	}
	return times, nil
}

const (
	playFixed = `{"scene_path":"res://bench_game.tscn","fixed_fps":60,"seed":1}`
	playReal  = `{"scene_path":"res://bench_game.tscn"}`
	readBody  = `{"node_path":"Body7","property":"position"}`
)

// starts is how long it takes from play to the first answer of the game.
func (g game) starts() error {
	var times samples
	for i := range g.pick(10, 3) + 1 {
		if _, err := g.ask("stop", ""); err != nil {
			return err
		}
		begun := time.Now()
		if _, err := g.ask("play", playReal); err != nil {
			return err
		}
		if _, err := g.ask("get-property", readBody); err != nil {
			return err
		}
		// The first one imports the scene.
		if i > 0 {
			times = append(times, time.Since(begun))
		}
	}
	g.report.add(timed(g.mode.name, "game play, to the first answer", times).atMost(1500, 0))
	return nil
}

func (g game) reads() error {
	if _, err := g.ask("call", `{"node_path":".","method":"limit","args":[60]}`); err != nil {
		return err
	}
	times, err := g.timed(g.pick(300, 30), "get-property", readBody)
	if err != nil {
		return err
	}
	g.report.add(timed(g.mode.name, "game get-property, 60 frames a second", times).atMost(30, 0))
	if _, err := g.ask("play", playFixed); err != nil {
		return err
	}
	if times, err = g.timed(g.pick(1000, 100), "get-property", readBody); err != nil {
		return err
	}
	g.report.add(timed(g.mode.name, "game get-property, fixed_fps", times).atMost(8, 0))
	queries := make([]string, 100)
	for i := range queries {
		queries[i] = fmt.Sprintf(`{"node_path":"Body%d","property":"position"}`, i)
	}
	if times, err = g.timed(g.pick(200, 20), "query", `{"queries":[`+strings.Join(queries, ",")+`]}`); err != nil {
		return err
	}
	g.report.add(timed(g.mode.name, "game query, 100 properties in one frame", times))
	return nil
}

// steps are ten seconds of the game each, with the hash of its state.
func (g game) steps() error {
	var times samples
	for i := range g.pick(30, 5) + 1 {
		begun := time.Now()
		if _, err := g.ask("step", fmt.Sprintf(`{"frames":%d}`, gameFrames)); err != nil {
			return err
		}
		if _, err := g.ask("state-hash", ""); err != nil {
			return err
		}
		if i > 0 {
			times = append(times, time.Since(begun))
		}
	}
	name := fmt.Sprintf("game step %d with state-hash, %d bodies (60x real time)", gameFrames, gameBodies)
	g.report.add(timed(g.mode.name, name, times).atMost(1000*gameFrames/60/60.0, 0))
	return nil
}

func (g game) hashes() error {
	for _, nodes := range treeSizes {
		if _, err := g.ask("play", fmt.Sprintf(`{"scene_path":"res://%s","fixed_fps":60,"paused":true}`, sceneName(nodes))); err != nil {
			return err
		}
		times, err := g.timed(g.pick(30, 5), "state-hash", "")
		if err != nil {
			return err
		}
		g.report.add(timed(g.mode.name, fmt.Sprintf("game state-hash, %d nodes", nodes), times))
	}
	return nil
}

// rounds plays and stops over and over, and counts the processes that are left.
func (g game) rounds() error {
	left, n := 0, g.pick(50, 5)
	for range n {
		if _, err := g.ask("play", playFixed); err != nil {
			return err
		}
		answer, err := g.ask("status", "")
		if err != nil {
			return err
		}
		var status struct{ PID int }
		if err := json.Unmarshal(answer, &status); err != nil || status.PID == 0 {
			return fmt.Errorf("game status answered %s (%v)", answer, err)
		}
		if _, err := g.ask("stop", ""); err != nil {
			return err
		}
		if bridge.Alive(status.PID) {
			left++
		}
	}
	g.report.add(row{
		Mode: g.mode.name, Name: fmt.Sprintf("processes left after %d rounds of play and stop", n), N: n,
		P50: float64(left), Target: "0", OK: left == 0,
	})
	return nil
}

// measureGamePicture takes pictures of 1280x720 on a virtual display, with the software renderer.
func (s *session) measureGamePicture() error {
	project, dir, err := s.newProject("display")
	if err != nil {
		return err
	}
	editor, err := testbed.Workspace(project, dir)
	if err != nil {
		return err
	}
	if _, err := exec.LookPath("Xvfb"); err != nil {
		cache, _ := os.UserCacheDir()
		editor.Env = append(editor.Env, "PATH="+filepath.Join(cache, "godot-mcp", "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	if err := writeGame(project); err != nil {
		return err
	}
	if out := editor.Run("editor", "start", "--display", "virtual"); out.Exit != 0 {
		s.say("no virtual display, so no pictures are measured: %s", out.Stderr)
		return nil
	}
	shown := &session{bench: s.bench, mode: mode{name: "virtual display"}, editor: editor}
	defer shown.close()
	if shown.found, err = bridge.Find(bridge.Query{Project: project}); err != nil {
		return err
	}
	g := game{shown, shown.client()}
	defer g.client.Close()
	if _, err := g.ask("play", playFixed); err != nil {
		return err
	}
	size := `{"node_path":"/root","property":"%s","value":%s}`
	for _, set := range [][2]string{{"content_scale_size", `{"x":1280,"y":720}`}, {"content_scale_mode", "2"}} {
		if _, err := g.ask("set-property", fmt.Sprintf(size, set[0], set[1])); err != nil {
			return err
		}
	}
	times, err := g.timed(s.pick(50, 5), "screenshot", `{"max_size":0,"timeout_ms":5000}`)
	if err != nil {
		return err
	}
	s.report.add(timed(shown.mode.name, "game screenshot, 1280x720, software renderer", times).atMost(120, 0))
	_, err = g.ask("stop", "")
	return err
}
