package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands"
)

// Values of the setting approval.
const (
	approvalNone    = "none"
	approvalAsk     = "ask"
	approvalWebhook = "webhook"
)

// approver is who the settings say is asked, nil for nobody.
func approver(values map[string]string) (commands.Approver, error) {
	timeout, _ := parseTimeout(values["approval_timeout"])
	address, by := values["approval_webhook"], values["approval"]
	if by == "" && address != "" {
		by = approvalWebhook
	}
	switch by {
	case approvalAsk:
		return commands.Ask(timeout), nil
	case approvalWebhook:
		if address == "" {
			return nil, usageError("approval", "approval is webhook and no webhook is set: set GODOT_MCP_APPROVAL_WEBHOOK or approval_webhook in the user's file, then godot-mcp config list")
		}
		failOpen, _ := strconv.ParseBool(values["approval_fail_open"])
		return commands.Webhook{URL: address, Timeout: timeout, FailOpen: failOpen}.Approve, nil
	}
	return nil, nil
}

func isApproval(text string) error {
	if text != "" && !slices.Contains([]string{approvalNone, approvalAsk, approvalWebhook}, text) {
		return fmt.Errorf("%q is none of none, ask, webhook", text)
	}
	return nil
}

func isWebhook(text string) error {
	if text == "" {
		return nil
	}
	return commands.CheckWebhook(text)
}

// isTighter is true for what a file that nobody trusts may set.
func isTighter(key, value, before string) bool {
	if key == "approval" {
		return value == approvalAsk && (before == "" || before == approvalNone)
	}
	tighter, _ := strconv.ParseBool(value)
	return tighter
}

// withoutSecrets is an address as it may be shown: what stands behind the host is often a key.
func withoutSecrets(address string) string {
	u, err := url.Parse(address)
	if address == "" || err != nil {
		return ""
	}
	shown := u.Scheme + "://" + u.Host
	if u.User != nil || u.RequestURI() != "/" {
		shown += "/..."
	}
	return shown
}

// atTerminal gives a call the person at the terminal, where there is one: nothing else ever asks.
func (a *app) atTerminal(ctx context.Context) context.Context {
	if !a.inTTY || !a.errTTY {
		return ctx
	}
	return commands.WithAsker(ctx, func(ctx context.Context, asked commands.Approval) error {
		fmt.Fprintf(a.err, "%s\nType yes to go on: ", withoutControls([]byte(asked.Question())))
		answer := make(chan string, 1)
		go func() {
			line, _ := bufio.NewReader(a.in).ReadString('\n')
			answer <- strings.ToLower(strings.TrimSpace(line))
		}()
		select {
		case <-ctx.Done():
			fmt.Fprintln(a.err)
			if errors.Is(ctx.Err(), context.Canceled) {
				return interrupted{hint: "nothing was changed"}
			}
			return ctx.Err()
		case text := <-answer:
			if text == "yes" || text == "y" {
				return nil
			}
			return commands.Denied(asked, "the person at the terminal said no")
		}
	})
}
