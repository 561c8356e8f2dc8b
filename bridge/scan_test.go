package bridge

import (
	"encoding/json"
	"strings"
	"testing"
)

// scanSeeds are texts that decide between valid and not.
func scanSeeds() []string {
	return []string{
		``, ` `, `{}`, `[]`, ` [ ] `, `null`, `nul`, `true`, `false`, `truefalse`, `"a"`, `"a`, `"\`, `"\u12`, `"\u12g4"`,
		`"\u12aF"`, `"\x"`, `"\/\b\f\n\r\t\"\\"`, "\"\x01\"", "\"\x7f\"", "\"\xff\"", `{"a":1}`, `{"a" : 1 , "b":[1,2,{"c":null}]}`,
		`{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{a:1}`, `{"a":1 "b":2}`, `[1,]`, `[,1]`, `[1 2]`, `{"a":1}}`, `{} {}`, `{"a":[}`,
		`0`, `-0`, `-`, `01`, `1.`, `.5`, `1.5`, `1e5`, `1E+5`, `1e-5`, `1e`, `1e+`, `+1`, `--1`, `1.5e3.2`, `1e99999`, `-1e99999`,
		`inf`, `-inf`, `nan`, "\ufeff{}", "{}\x00", strings.Repeat("9", 400),
		strings.Repeat("[", 9999) + strings.Repeat("]", 9999), strings.Repeat("[", 10000) + strings.Repeat("]", 10000),
		strings.Repeat("[", 10001) + strings.Repeat("]", 10001), strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000),
		strings.Repeat(`{"a":`, 10001) + "1" + strings.Repeat("}", 10001),
	}
}

func TestValidJSONAgreesWithTheStandardLibrary(t *testing.T) {
	for _, text := range scanSeeds() {
		if got, want := validJSON([]byte(text)), json.Valid([]byte(text)); got != want {
			t.Errorf("%.60q (%d bytes): got %v, want %v", text, len(text), got, want)
		}
	}
}

func FuzzValidJSON(f *testing.F) {
	for _, text := range scanSeeds() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, want := validJSON(data), json.Valid(data); got != want {
			t.Errorf("%q: got %v, want %v", data, got, want)
		}
		s := scanner{data: data}
		if members, ok := s.object(); ok {
			checkMembers(t, data, members)
		}
	})
}

// checkMembers compares the members found with those the standard library finds.
func checkMembers(t *testing.T, data []byte, members []member) {
	t.Helper()
	var want map[string]json.RawMessage
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatalf("%q was taken for an object: %v", data, err)
	}
	got := map[string]string{}
	for _, m := range members {
		got[textOf([]byte(`"`+string(m.key)+`"`))] = string(m.value)
	}
	if len(got) != len(want) {
		t.Errorf("%q: %d members, want %d", data, len(got), len(want))
	}
	for key, value := range want {
		if got[key] != string(value) {
			t.Errorf("%q: member %q is %q, want %q", data, key, got[key], value)
		}
	}
}

func TestObjectFindsTopLevelMembers(t *testing.T) {
	text := ` {"id" : 7, "result":{"ok":false,"id":[8]} ,"ok":true,"hint":"a\"}"} `
	s := scanner{data: []byte(text)}
	members, ok := s.object()
	if !ok {
		t.Fatal("not read")
	}
	checkMembers(t, []byte(text), members)
	for _, text := range []string{`[]`, `7`, `{"a":1`, ``, `{}x`} {
		s := scanner{data: []byte(text)}
		if _, ok := s.object(); ok {
			t.Errorf("%q was taken for an object", text)
		}
	}
}

func TestOverflowingNumbersAreNoticed(t *testing.T) {
	for text, want := range map[string]bool{
		`1e308`: false, `1e309`: true, `-1e99999`: true, `[{"a":1E+400}]`: true, `1e-400`: false, `"1e400"`: false,
		strings.Repeat("9", 308): false, strings.Repeat("9", 310): true, `0.` + strings.Repeat("9", 400): false,
	} {
		s := scanner{data: []byte(text)}
		if !s.value(0) || s.overflow != want {
			t.Errorf("%.40q: overflow %v, want %v", text, s.overflow, want)
		}
	}
}
