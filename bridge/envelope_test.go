package bridge

import (
	"errors"
	"testing"
)

func TestParseMessage(t *testing.T) {
	m, err := parseMessage([]byte(`{"result":{"b":[1, 2]},"new":5,"id":7.0,"ok":true}`))
	if err != nil || m.id != 7 || !m.hasOK || !m.ok || string(m.result) != `{"b":[1, 2]}` {
		t.Errorf("got %+v, %v", m, err)
	}
	m, err = parseMessage([]byte(`{"id":8,"ok":false,"error":"TIMEOUT","hint":"a\nb","required":"r","result":{"n":1}}`))
	if err != nil || m.ok || m.failure.Code != Timeout || m.failure.Hint != "a\nb" || m.failure.Required != "r" || string(m.result) != `{"n":1}` {
		t.Errorf("got %+v, %v", m, err)
	}
	m, err = parseMessage([]byte(`{"id":9,"progress":2.5,"total":10,"message":"half"}`))
	if err != nil || m.progress == nil || *m.progress != (Progress{2.5, 10, "half"}) || m.hasOK {
		t.Errorf("got %+v, %v", m, err)
	}
	m, err = parseMessage([]byte(`{"event":"scene_saved","scene_path":"res://a.tscn"}`))
	if err != nil || m.event != "scene_saved" || m.id != 0 {
		t.Errorf("got %+v, %v", m, err)
	}
	for _, text := range []string{``, `[]`, `7`, `{"id":7,"ok":maybe}`, `{"id":7`} {
		if _, err := parseMessage([]byte(text)); !errors.Is(err, errUnreadable) {
			t.Errorf("%q: got error %v", text, err)
		}
	}
}

func TestAnswerFillsWhatIsMissing(t *testing.T) {
	for text, want := range map[string]struct {
		result string
		code   Code
	}{
		`{"id":1,"ok":true}`:                          {"null", ""},
		`{"id":1,"ok":true,"result":[ ]}`:             {"[ ]", ""},
		`{"id":1}`:                                    {"", InternalError},
		`{"id":1,"ok":false}`:                         {"", InternalError},
		`{"id":1,"ok":false,"error":7,"hint":8}`:      {"", InternalError},
		`{"id":1,"ok":false,"error":"NEW_ONE"}`:       {"", "NEW_ONE"},
		`{"id":1,"ok":"true","result":{}}`:            {"", InternalError},
		`{"id":1,"ok":false,"error":"TIMEOUT","x":1}`: {"", Timeout},
	} {
		m, err := parseMessage([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		result, err := m.answer()
		if string(result) != want.result {
			t.Errorf("%s: result %s, want %s", text, result, want.result)
		}
		var e *Error
		if errors.As(err, &e) != (want.code != "") || e != nil && (e.Code != want.code || e.Hint == "") {
			t.Errorf("%s: error %v, want %s", text, err, want.code)
		}
	}
}

func TestParseID(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "1.0": 1, "9007199254740993": 9007199254740993, "1e3": 1000,
		"0": 0, "-1": 0, "1.5": 0, "1e300": 0, `"1"`: 0, "": 0, "null": 0,
	} {
		if got, ok := parseID([]byte(text)); got != want || ok != (want > 0) {
			t.Errorf("%q: got %d, %v; want %d", text, got, ok, want)
		}
	}
}
