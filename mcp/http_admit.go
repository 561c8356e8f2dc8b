package mcp

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// admit is true for a request that may come in; else it was answered.
func (h *HTTP) admit(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case h.rebound(r):
		refuseHTTP(w, http.StatusForbidden, "the Host header names another machine than this one")
	case !sameOrigin(r):
		refuseHTTP(w, http.StatusForbidden, "a page of another origin may not call this server")
	case !h.knows(r.Header.Values("Authorization")):
		w.Header().Set("WWW-Authenticate", `Bearer realm="godot-mcp"`)
		refuseHTTP(w, http.StatusUnauthorized, "the header Authorization: Bearer TOKEN is missing or wrong; the server's standard error says where its token is")
	default:
		return true
	}
	return false
}

// rebound is true for a request to this machine's own address by another name: a page whose name was made to
// lead here (DNS rebinding).
func (h *HTTP) rebound(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && IsLoopback(hostOf(local.String())) && !IsLoopback(hostOf(r.Host)) && !strings.EqualFold(hostOf(r.Host), h.host)
}

// sameOrigin is false for what a page of another site asks. Programs send no Origin.
func sameOrigin(r *http.Request) bool {
	given := r.Header.Values("Origin")
	if len(given) == 0 {
		return true
	}
	origin, err := url.Parse(given[0])
	return len(given) == 1 && err == nil && origin.Scheme == "http" && origin.Host != "" && strings.EqualFold(origin.Host, r.Host)
}

// hostOf is the host of host:port, or of a host alone.
func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return strings.Trim(address, "[]")
}

// IsLoopback is true for a host that leads to this machine alone.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// knows compares the token in a time that does not tell how much of it is right.
func (h *HTTP) knows(authorization []string) bool {
	if h.token == nil {
		return true
	}
	if len(authorization) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(authorization[0], " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], h.token[:]) == 1
}

// accepted are the forms that the client takes the answer in. A client that does not say takes both.
type accepted struct{ json, stream bool }

func accepts(r *http.Request) accepted {
	given := strings.Join(r.Header.Values("Accept"), ",")
	if given == "" {
		return accepted{true, true}
	}
	var a accepted
	for _, one := range strings.Split(given, ",") {
		switch kind, _, _ := mime.ParseMediaType(one); kind {
		case "*/*":
			return accepted{true, true}
		case "application/json", "application/*":
			a.json = true
		case "text/event-stream", "text/*":
			a.stream = true
		}
	}
	return a
}
