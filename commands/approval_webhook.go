package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Webhook asks a service of the user's about a call: a POST with the Approval as JSON. Only a 200 whose
// JSON object has approved true is a yes.
type Webhook struct {
	URL     string
	Timeout time.Duration
	// FailOpen carries out what the service gave no answer about. A no is a no all the same.
	FailOpen bool
}

// What is read of an answer.
const maxWebhookAnswer = 64 << 10

// CheckWebhook refuses an address where an answer could be forged on the way.
func CheckWebhook(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return errors.New("it is no web address")
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()) {
		return nil
	}
	return errors.New("it must begin with https://, or with http:// on this machine")
}

// Approve asks, and is an Approver.
func (w Webhook) Approve(ctx context.Context, a Approval) error {
	answer, err := w.post(ctx, a)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case err == nil && answer.Approved:
		return nil
	case err == nil && answer.Reason != "":
		return Denied(a, "the webhook said no: "+visible(answer.Reason))
	case err == nil:
		return Denied(a, "the webhook said no")
	case w.FailOpen:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return Denied(a, fmt.Sprintf("the webhook did not answer in %v", w.Timeout))
	}
	return Denied(a, "the webhook gave no answer: "+visible(err.Error()))
}

type webhookAnswer struct {
	Approved bool   `json:"approved"`
	Reason   string `json:"reason"`
}

// errNoAnswer is an answer that says neither yes nor no.
type errNoAnswer string

func (e errNoAnswer) Error() string { return string(e) }

func (w Webhook) post(ctx context.Context, a Approval) (webhookAnswer, error) {
	var answer webhookAnswer
	body, err := json.Marshal(a)
	if err != nil {
		return answer, err
	}
	ctx, cancel := context.WithTimeout(ctx, w.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", a.RequestID)
	// What is asked goes to the address that the user gave, and to no other.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		var where *url.Error // its text has the whole address, which may hold a secret
		if errors.As(err, &where) {
			err = where.Err
		}
		return answer, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return answer, errNoAnswer("status " + response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxWebhookAnswer))
	if err != nil {
		return answer, err
	}
	return readAnswer(text)
}

func readAnswer(text []byte) (webhookAnswer, error) {
	var given struct {
		Approved *bool  `json:"approved"`
		Reason   string `json:"reason"`
	}
	if json.Unmarshal(text, &given) != nil || given.Approved == nil {
		return webhookAnswer{}, errNoAnswer("it is not {\"approved\": true} or false")
	}
	return webhookAnswer{*given.Approved, given.Reason}, nil
}
