package testbed

import (
	"strings"
	"testing"
)

func TestEditorLogGivesWhatWasPrinted(t *testing.T) {
	e := sharedEditor(t)
	both(t, e, func(t *testing.T, s surface) {
		log := func(a args) answer { return s.call(t, "editor log", a).ok(t) }
		seq := func() any { return log(nil).value("next_seq") }
		start := seq()
		odd := "red \"quoted\" \x0b\x01 é" // without the colours that a terminal has
		user(t, e, "print", "\x1b[1;31mred\x1b[0m \"quoted\" \x0b\x01 é")
		user(t, e, "print elsewhere", "from a thread")
		user(t, e, "warn", "mind this")
		user(t, e, "fail", "this failed")
		all := log(args{"since_seq": start})
		all.has(t, map[string]string{"dropped": "0"})
		var got []string
		for _, entry := range all.value("entries").([]any) {
			fields := entry.(map[string]any)
			got = append(got, fields["level"].(string)+" "+fields["text"].(string))
		}
		want := []string{"info " + odd, "error from a thread", "warning mind this", "error this failed"}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("the log is %q, want %q", got, want)
		}
		if all.text("entries.0.source") != "null" || all.text("entries.3.source") == "null" {
			t.Errorf("the sources are %s and %s", all.text("entries.0.source"), all.text("entries.3.source"))
		}
		log(args{"since_seq": start, "level": "warning"}).has(t, map[string]string{"entries.0.text": "from a thread", "entries.1.text": "mind this", "entries.2.text": "this failed", "entries.3": "null"})
		log(args{"since_seq": start, "level": "error"}).has(t, map[string]string{"entries.1.text": "this failed", "entries.2": "null"})
		first := log(args{"since_seq": start, "limit": 1}).has(t, map[string]string{"entries.0.text": odd, "entries.1": "null"})
		log(args{"since_seq": first.value("next_seq"), "limit": 1}).has(t, map[string]string{"entries.0.text": "from a thread"})
		log(args{"limit": 1}).has(t, map[string]string{"entries.0.text": "this failed", "entries.1": "null"})
		log(args{"since_seq": all.value("next_seq")}).has(t, map[string]string{"entries": "[]", "dropped": "0", "next_seq": all.text("next_seq")})
		s.call(t, "editor log", args{"level": "loud"}).fails(t, "VALIDATION_ERROR", "level", "info, warning, error")

		before := seq()
		user(t, e, "print much", "6000")
		log(args{"since_seq": before, "limit": 2}).has(t, map[string]string{
			"dropped": "1000", "entries.0.text": "line 1000", "entries.1.text": "line 1001"})
		log(args{"limit": 1}).has(t, map[string]string{"entries.0.text": "line 5999"})
	})
}
