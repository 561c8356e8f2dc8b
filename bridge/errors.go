package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Code is one of the contract's error codes. New ones may come from a newer
// editor; they travel as they are.
type Code string

// The contract's error codes.
const (
	PreconditionFailed Code = "PRECONDITION_FAILED"
	ResourceNotFound   Code = "RESOURCE_NOT_FOUND"
	ValidationError    Code = "VALIDATION_ERROR"
	InternalError      Code = "INTERNAL_ERROR"
	BridgeDisconnected Code = "BRIDGE_DISCONNECTED"
	Timeout            Code = "TIMEOUT"
	ApprovalDenied     Code = "APPROVAL_DENIED"
)

// Error is a failure in the contract's shape. All errors of this package are
// *Error, or become one with [AsError].
type Error struct {
	// Code says what kind of failure it is.
	Code Code
	// Hint is for the reader: what happened and what to type next.
	Hint string
	// Required names the missing precondition or the offending parameter; may
	// be empty.
	Required string
	// Result is what the editor can say in spite of the failure; may be nil.
	Result json.RawMessage

	// Sent says that the request may have reached the editor although no answer
	// came, so whether it was carried out is unknown. It is false for answers of
	// the editor and is not part of the JSON.
	Sent bool
	// Broken says that the link ended under this call, so that it may be made
	// again on a new one: always when it was not Sent, else only when doing it
	// twice does no harm. It is not part of the JSON.
	Broken bool
	// Full says that the editor had no place for a further client, so nothing
	// was sent and a little later there may be one. It is not part of the JSON.
	Full bool
	// Silence is what is known of an editor from which nothing at all came, ""
	// otherwise. It is part of the hint, and not of the JSON.
	Silence string
	// Err is the cause, for errors.Is and errors.As; it is not part of the JSON.
	Err error
}

// Errorf makes an *Error; the hint is format filled with args. A %w keeps the
// wrapped error reachable for errors.Is.
func Errorf(code Code, required, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Required: required, Hint: err.Error(), Err: errors.Unwrap(err)}
}

// Error returns `CODE: hint [required=x]`.
func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Hint
	if e.Required != "" {
		s += " [required=" + e.Required + "]"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// MarshalJSON writes {"ok":false,"error":..,"hint":..} and, where set,
// "required" and "result", always in this order. HTML characters are not
// escaped.
func (e *Error) MarshalJSON() ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		OK       bool            `json:"ok"`
		Error    Code            `json:"error"`
		Hint     string          `json:"hint"`
		Required string          `json:"required,omitempty"`
		Result   json.RawMessage `json:"result,omitempty"`
	}{false, e.Code, e.Hint, e.Required, e.Result})
	return bytes.TrimRight(buf.Bytes(), "\n"), err
}

// UnmarshalJSON reads what MarshalJSON writes, and an error answer of the
// editor; unknown keys are ignored.
func (e *Error) UnmarshalJSON(data []byte) error {
	var w struct {
		Error    Code            `json:"error"`
		Hint     string          `json:"hint"`
		Required string          `json:"required"`
		Result   json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*e = Error{Code: w.Error, Hint: w.Hint, Required: w.Required, Result: w.Result}
	return nil
}

// AsError turns any error into an *Error: one inside err is returned as it is,
// a passed deadline is a TIMEOUT, a cancelled context a TIMEOUT for which
// errors.Is(e, context.Canceled) holds, all else an INTERNAL_ERROR. It returns
// nil for nil.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: Timeout, Hint: "the time-out passed", Err: err}
	case errors.Is(err, context.Canceled):
		return &Error{Code: Timeout, Hint: "cancelled", Err: err}
	}
	return &Error{Code: InternalError, Hint: err.Error(), Err: err}
}
