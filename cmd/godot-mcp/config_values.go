package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/godot-mcp/godot-mcp/commands/artifact"
)

func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// splitCommas is a list of names that may have spaces.
func splitCommas(text string) []string {
	var names []string
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// parseTimeout takes seconds or a Go duration; it must be above zero.
func parseTimeout(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	// A number of seconds that no duration can hold is as good as no time.
	if seconds, numErr := strconv.ParseFloat(text, 64); numErr == nil && seconds < 1e9 {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no time above zero: give seconds, or 500ms, 2s, 1m", text)
	}
	return d, nil
}

func anything(string) error { return nil }

func isTimeout(text string) error {
	_, err := parseTimeout(text)
	return err
}

func isCount(text string) error {
	if n, err := strconv.Atoi(text); err != nil || n < 0 {
		return fmt.Errorf("%q is no whole number", text)
	}
	return nil
}

// mostMB is more than any disk has for artifacts.
const mostMB = 1 << 20

func isSize(text string) error {
	if n, err := strconv.Atoi(text); err != nil || n < 1 || n > mostMB {
		return fmt.Errorf("%q is no whole number of MiB, 1 to %d", text, mostMB)
	}
	return nil
}

// artifactStore is the store with the limits that the settings say.
func artifactStore(values map[string]string) artifact.Store {
	megabytes, _ := strconv.Atoi(values["artifacts_max_mb"])
	age, _ := parseTimeout(values["artifacts_max_age"])
	return artifact.Store{Dir: artifact.Dir(), MaxBytes: int64(megabytes) << 20, MaxAge: age}
}

func isBool(text string) error {
	if _, err := strconv.ParseBool(text); err != nil {
		return fmt.Errorf("%q is neither true nor false", text)
	}
	return nil
}

func isLogLevel(text string) error {
	if !slices.Contains([]string{"off", "debug", "info", "warning", "error"}, text) {
		return fmt.Errorf("%q is no level: off, debug, info, warning, error", text)
	}
	return nil
}

func isTransport(text string) error {
	if text != "stdio" && text != "http" {
		return fmt.Errorf("%q is no transport: stdio or http", text)
	}
	return nil
}

func isPort(text string) error {
	if _, err := strconv.ParseUint(text, 10, 16); err != nil {
		return fmt.Errorf("%q is no port: 0 to 65535", text)
	}
	return nil
}

// shortestToken is the fewest characters that a token may have: less can be guessed.
const shortestToken = 16

// isToken never repeats what it was given.
func isToken(text string) error {
	if text == "" {
		return nil
	}
	if len(text) < shortestToken || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("the token must have at least %d characters, visible ones of ASCII", shortestToken)
	}
	return nil
}
