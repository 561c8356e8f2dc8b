package main

import (
	"testing"
	"time"
)

func TestParseTimeout(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"2": 2 * time.Second, "0.25": 250 * time.Millisecond, "2s": 2 * time.Second,
		"500ms": 500 * time.Millisecond, "1m30s": 90 * time.Second,
	} {
		if got, err := parseTimeout(text); err != nil || got != want {
			t.Errorf("%q: got %v, error %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "0s", "-2s", "soon", "nan", "inf", "1e300", "2 s", "5d"} {
		if got, err := parseTimeout(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for key, texts := range map[string]map[string]bool{
		"contract":  {"0": true, "1": true, "-1": false, "1.5": false, "one": false},
		"read_only": {"true": true, "false": true, "1": true, "yes": false},
		"log_level": {"off": true, "warning": true, "loud": false},
		"toolsets":  {"starter": true, "all": true, "node,scene": true},
	} {
		for _, o := range options() {
			if o.key != key {
				continue
			}
			for text, ok := range texts {
				if err := o.check(text); (err == nil) != ok {
					t.Errorf("%s = %q: %v", key, text, err)
				}
			}
		}
	}
}
