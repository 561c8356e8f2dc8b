package bridge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge"
)

func TestErrorText(t *testing.T) {
	with := &bridge.Error{Code: bridge.PreconditionFailed, Hint: "open a scene", Required: "active_scene"}
	if got, want := with.Error(), "PRECONDITION_FAILED: open a scene [required=active_scene]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	without := &bridge.Error{Code: bridge.Timeout, Hint: "too slow"}
	if got, want := without.Error(), "TIMEOUT: too slow"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestErrorJSONHasFixedKeyOrder(t *testing.T) {
	for _, tc := range []struct {
		err  bridge.Error
		want string
	}{
		{bridge.Error{Code: bridge.Timeout, Hint: "a <b>"}, `{"ok":false,"error":"TIMEOUT","hint":"a <b>"}`},
		{bridge.Error{Code: bridge.Timeout, Required: "r", Sent: true, Err: io.EOF}, `{"ok":false,"error":"TIMEOUT","hint":"","required":"r"}`},
		{bridge.Error{Code: bridge.InternalError, Hint: "h", Required: "r", Result: json.RawMessage(`{"n":1}`)},
			`{"ok":false,"error":"INTERNAL_ERROR","hint":"h","required":"r","result":{"n":1}}`},
	} {
		got, err := tc.err.MarshalJSON()
		if err != nil || string(got) != tc.want {
			t.Errorf("got %s, %v; want %s", got, err, tc.want)
		}
		var back bridge.Error
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatal(err)
		}
		if back.Code != tc.err.Code || back.Hint != tc.err.Hint || back.Required != tc.err.Required || string(back.Result) != string(tc.err.Result) {
			t.Errorf("read back %+v from %s", back, got)
		}
	}
}

func TestErrorJSONRefusesAnotherShape(t *testing.T) {
	if err := json.Unmarshal([]byte(`{"error":5}`), new(bridge.Error)); err == nil {
		t.Error("an error code that is a number was read")
	}
}

func TestErrorfKeepsTheCause(t *testing.T) {
	err := bridge.Errorf(bridge.InternalError, "x", "cannot read %s: %w", "a.tscn", io.ErrUnexpectedEOF)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("the cause is gone")
	}
	if got, want := err.Error(), "INTERNAL_ERROR: cannot read a.tscn: unexpected EOF [required=x]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAsError(t *testing.T) {
	own := bridge.Errorf(bridge.ResourceNotFound, "node_path", "no such node")
	for _, tc := range []struct {
		name string
		err  error
		want bridge.Code
		is   error
	}{
		{"own", own, bridge.ResourceNotFound, own},
		{"wrapped", fmt.Errorf("while saving: %w", own), bridge.ResourceNotFound, own},
		{"deadline", fmt.Errorf("call: %w", context.DeadlineExceeded), bridge.Timeout, context.DeadlineExceeded},
		{"cancelled", context.Canceled, bridge.Timeout, context.Canceled},
		{"other", io.ErrClosedPipe, bridge.InternalError, io.ErrClosedPipe},
	} {
		got := bridge.AsError(tc.err)
		if got.Code != tc.want || !errors.Is(got, tc.is) || got.Hint == "" {
			t.Errorf("%s: got %+v", tc.name, got)
		}
	}
	if bridge.AsError(nil) != nil {
		t.Error("nil became an error")
	}
}

func TestCodesAndRequiredAreComplete(t *testing.T) {
	wantCodes := map[bridge.Code]int{
		bridge.InternalError: 1, bridge.ValidationError: 2, bridge.PreconditionFailed: 3, bridge.ResourceNotFound: 4,
		bridge.ApprovalDenied: 5, bridge.BridgeDisconnected: 6, bridge.Timeout: 124,
	}
	if len(bridge.Codes) != len(wantCodes) {
		t.Errorf("%d codes, want %d", len(bridge.Codes), len(wantCodes))
	}
	for _, c := range bridge.Codes {
		if wantCodes[c.Code] != c.Exit {
			t.Errorf("%s has exit code %d, want %d", c.Code, c.Exit, wantCodes[c.Code])
		}
		checkEntry(t, string(c.Code), c.Meaning, c.Next)
	}
	want := strings.Fields(`active_scene addon_version bridge_connected bridge_token confirm contract_version
		dependencies display editor_ready export_templates game_breaked game_not_breaked godot_binary godot_version
		human_approval node_exists play_session policy project_dir runtime_probe scene_open scene_saved`)
	var got []string
	for _, r := range bridge.Required {
		got = append(got, r.Name)
		checkEntry(t, r.Name, r.Meaning, r.Next)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func checkEntry(t *testing.T, name, meaning, next string) {
	t.Helper()
	if !strings.HasSuffix(meaning, ".") || strings.Count(meaning, ". ") != 0 {
		t.Errorf("%s: the meaning %q is not one sentence", name, meaning)
	}
	if !strings.HasPrefix(next, "godot-mcp ") {
		t.Errorf("%s: the next command %q is none of ours", name, next)
	}
}
