package commands

import "testing"

func TestExactFloatsTouchesOnlyWhatTheEngineMisreads(t *testing.T) {
	for _, same := range []string{
		`0.1`, `3`, `-4.5`, `1e5`, `"4.711828560943344e-18"`, `{"x":0.25,"y":"a\"1.23456789012345678"}`, `[1,2.5,null,true]`, `123456789.123456`, `9007199254740993`,
	} {
		if got := string(exactFloats([]byte(same))); got != same {
			t.Errorf("%s became %s", same, got)
		}
	}
	for in, want := range map[string]string{
		`1.7976931348623157e308`: `{"$type":"float","value":"1.7976931348623157e308","bits":"ffffffffffffef7f"}`,
		`{"x":5e-324,"y":1.0}`:   `{"x":{"$type":"float","value":"5e-324","bits":"0100000000000000"},"y":1.0}`,
		`[0.30000000000000004]`:  `[{"$type":"float","value":"0.30000000000000004","bits":"343333333333d33f"}]`,
	} {
		if got := string(exactFloats([]byte(in))); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}
