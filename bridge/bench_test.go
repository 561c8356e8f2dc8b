package bridge_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
)

// tree is the JSON of a scene tree with n nodes, about 100 bytes each.
func tree(n int) string {
	var b bytes.Buffer
	b.WriteString(`{"nodes":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"path":"Level/Enemies/Enemy%d","type":"CharacterBody2D","script":"res://enemy.gd","depth":%d}`, i, i%9)
	}
	b.WriteString(`],"total":10000}`)
	return b.String()
}

// BenchmarkColdCall is what one command-line call pays: search, connect, hello,
// call, close.
func BenchmarkColdCall(b *testing.B) {
	e := bridgetest.New(b)
	e.ReplyRaw("node.get", `{"id":$id,"ok":true,"result":{}}`)
	for b.Loop() {
		c := &bridge.Client{Find: finder(e.Query())}
		if _, err := call(c, "node.get", `{}`); err != nil {
			b.Fatal(err)
		}
		_ = c.Close()
	}
}

func BenchmarkFind(b *testing.B) {
	e := bridgetest.New(b)
	for b.Loop() {
		if _, err := bridge.Find(e.Query()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	e := bridgetest.New(b)
	e.ReplyRaw("node.get", `{"id":$id,"ok":true,"result":{}}`)
	c := newClient(b, e)
	for b.Loop() {
		if _, err := call(c, "node.get", `{"node_path":"Player"}`); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPipelined1000(b *testing.B) {
	e := bridgetest.New(b)
	e.ReplyRaw("node.get", `{"id":$id,"ok":true,"result":{}}`)
	c := newClient(b, e)
	pending := make([]*bridge.Pending, 1000)
	for b.Loop() {
		for i := range pending {
			pending[i] = c.Start(context.Background(), bridge.Request{Command: "node.get"})
		}
		for _, p := range pending {
			if _, err := p.Wait(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkTree10000 is an answer of about 1 MB.
func BenchmarkTree10000(b *testing.B) {
	e := bridgetest.New(b)
	answer := tree(10000)
	e.ReplyRaw("scene.tree", `{"id":$id,"ok":true,"result":`+answer+`}`)
	c := newClient(b, e)
	b.SetBytes(int64(len(answer)))
	for b.Loop() {
		got, err := call(c, "scene.tree", `{}`)
		if err != nil || len(got) != len(answer) {
			b.Fatal(len(got), err)
		}
	}
}
