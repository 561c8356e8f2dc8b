package bridge

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestF13_RepairMakesValidJSON(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"inf":           {`{"a":inf}`, `{"a":"inf"}`},
		"minus inf":     {`{"a":-inf}`, `{"a":"-inf"}`},
		"nan":           {`[nan,-nan, NaN]`, `["nan","nan", "nan"]`},
		"other words":   {`[Infinity,-Infinity,INF,+inf]`, `["inf","-inf","inf","inf"]`},
		"too large":     {`[1e99999,-1e99999,1e5]`, `["inf","-inf",1e5]`},
		"control":       {"{\"a\":\"x\x01y\x1f\ty\nz\"}", `{"a":"x\u0001y\u001f\u0009y\u000az"}`},
		"zero byte":     {"\"\x00\"", `"\u0000"`},
		"key":           {"{\"a\x02\":1}", `{"a\u0002":1}`},
		"vertical tab":  {`["a\vb","\\v"]`, `["a\u000bb","\\v"]`},
		"in a string":   {`["inf nan 1e99999 \" inf",inf]`, `["inf nan 1e99999 \" inf","inf"]`},
		"words stay":    {`[true,false,null,inf]`, `[true,false,null,"inf"]`},
		"vector":        {`{"x":nan,"y":-0.5,"z":1e+3}`, `{"x":"nan","y":-0.5,"z":1e+3}`},
		"not UTF-8":     {"[\"a\xffb\"]", "[\"a\uFFFDb\"]"},
		"lone half":     {"[\"\xed\xa0\x80\"]", "[\"\uFFFD\"]"},
		"backslash raw": {"[\"a\\\x01\"]", "[\"a\\\\u0001\"]"},
	} {
		got := string(repair([]byte(tc.in)))
		if got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
		if name != "backslash raw" && !json.Valid([]byte(got)) {
			t.Errorf("%s: %s is not valid", name, got)
		}
	}
}

func TestF13_RepairLeavesWhatItDoesNotKnow(t *testing.T) {
	for _, text := range []string{`{"a":undefined}`, `{"a":1,}`, `{'a':1}`, `{"a":infx}`, `{"a":"open`, `{"a":1.2.3}`} {
		if got := repair([]byte(text)); json.Valid(got) {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func FuzzRepair(f *testing.F) {
	for _, text := range scanSeeds() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fixed := repair(data)
		s := scanner{data: data}
		valid := s.value(0) && s.atEnd()
		if valid && !s.overflow && utf8.Valid(data) && string(fixed) != string(data) {
			t.Errorf("valid %q became %q", data, fixed)
		}
		if valid && !json.Valid(fixed) {
			t.Errorf("valid %q became invalid %q", data, fixed)
		}
	})
}

func TestF13_PeekID(t *testing.T) {
	for text, want := range map[string]int64{
		`{"id":7,"ok":true,"result":undefined}`:        7,
		`{"ok":true,"result":{"id":5,"x":?},"id": 12}`: 12,
		`{"result":"a\"id\":3","id":9`:                 9,
		`{"id":7.0,!`:                                  7,
		`{"id" : 7 ,!`:                                 7,
		`{"result":["id",3],"ok":!`:                    0,
		`{"id":"7",!`:                                  0,
		`{"id":-7,!`:                                   0,
		`{"id":7.5,!`:                                  0,
		`{"id"`:                                        0,
		`{"id`:                                         0,
		``:                                             0,
		`rubbish`:                                      0,
	} {
		if got, ok := peekID([]byte(text)); got != want || ok != (want != 0) {
			t.Errorf("%s: got %d, %v; want %d", text, got, ok, want)
		}
	}
}

// FuzzParseMessage: whatever an editor sends, a frame is refused or read as JSON. What is proper JSON is not
// refused, an answer is JSON again, and a failure always has a code and a hint.
func FuzzParseMessage(f *testing.F) {
	for _, text := range scanSeeds() {
		f.Add([]byte(text))
		f.Add([]byte(`{"id":7,"ok":true,"result":` + text + `}`))
	}
	for _, text := range []string{
		`{"id":7.0,"ok":false,"error":"TIMEOUT","hint":"h","required":"r"}`, `{"id":2,"progress":0.5,"total":1,"message":"m"}`,
		`{"event":"scene_saved","path":"res://a"}`, `{"id":9223372036854775808,"ok":true}`, `{"ok":true,"ok":false,"id":1,"id":2}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var proper map[string]json.RawMessage
		isProper := utf8.Valid(data) && json.Unmarshal(data, &proper) == nil && proper != nil
		given := string(data)
		m, err := parseMessage(data)
		if err != nil {
			if isProper {
				t.Errorf("%q was refused: %v", given, err)
			}
			peekID(data)
			return
		}
		if !json.Valid(m.frame) || m.result != nil && !json.Valid(m.result) || m.id < 0 {
			t.Errorf("%q was read as %q with id %d and result %q", given, m.frame, m.id, m.result)
		}
		result, err := m.answer()
		if failure := AsError(err); err == nil && !json.Valid(result) || err != nil && (failure.Code == "" || failure.Hint == "") {
			t.Errorf("%q is answered with %q, %v", given, result, err)
		}
	})
}
