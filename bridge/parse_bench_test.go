package bridge

import (
	"encoding/json"
	"strings"
	"testing"
)

func megabyte() []byte {
	node := `{"path":"Level/Enemies/Enemy12","type":"CharacterBody2D","depth":3,"p":[1.5,-2]},`
	return []byte(`{"id":7,"ok":true,"result":[` + strings.Repeat(node, 1<<20/len(node)) + `0]}`)
}

func BenchmarkParseMessage(b *testing.B) {
	frame := megabyte()
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		if _, err := parseMessage(frame); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStandardValid is what encoding/json needs for its first look alone.
func BenchmarkStandardValid(b *testing.B) {
	frame := megabyte()
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		if !json.Valid(frame) {
			b.Fatal("not valid")
		}
	}
}

func BenchmarkRepair(b *testing.B) {
	frame := []byte(strings.Replace(string(megabyte()), "1.5", "inf", 1))
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		if _, err := parseMessage(frame); err != nil {
			b.Fatal(err)
		}
	}
}
