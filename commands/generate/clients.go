package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands/clients"
)

// clientTable lists the clients with their config files and where those were read about.
func clientTable() string {
	var b strings.Builder
	b.WriteString("| client | scope user | scope project | verified | address over HTTP | source |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, c := range clients.All() {
		project := "none documented"
		if c.ProjectPlace != "" {
			project = "`" + c.ProjectPlace + "`"
		}
		fmt.Fprintf(&b, "| %s, `%s` | %s | %s | %s | %s | [%s](%s) |\n", c.Title, c.ID, userPlaces(c), project, verified(c), address(c.Remote), c.Read, c.Source)
	}
	b.WriteString("\n")
	for _, c := range clients.All() {
		for _, note := range []string{c.Note, c.ProjectNote} {
			if note != "" {
				fmt.Fprintf(&b, "- %s: %s\n", c.Title, note)
			}
		}
	}
	return b.String()
}

// address says how an entry leads to a server that runs already.
func address(r clients.Remote) string {
	if r.URL == "" {
		return "[none](" + r.Source + ")"
	}
	var parts []string
	if r.Type != "" {
		parts = append(parts, "`type` "+r.Type)
	}
	parts = append(parts, "`"+r.URL+"`", "`"+r.Headers+"`")
	if r.NoOAuth {
		parts = append(parts, "`oauth` false")
	}
	if r.Tried != "" {
		parts = append(parts, "tried with "+r.Tried)
	}
	return strings.Join(parts, ", ")
}

var systems = []struct{ goos, name string }{{"linux", "Linux"}, {"darwin", "macOS"}, {"windows", "Windows"}}

// verified says for which systems the place is not, and with which version it was tried.
func verified(c clients.Client) string {
	var not []string
	for _, s := range systems {
		if slices.Contains(c.Unverified, s.goos) {
			not = append(not, s.name)
		}
	}
	switch {
	case not != nil:
		return "not on " + strings.Join(not, ", ")
	case c.Tried != "":
		return "yes, tried with " + c.Tried
	}
	return "yes"
}

// userPlaces are the places by system, once where they are all the same.
func userPlaces(c clients.Client) string {
	var places []string
	for _, s := range systems {
		places = append(places, "`"+windowsStyle(c, s.goos)+"`")
	}
	if places[0] == places[1] && places[1] == places[2] {
		return places[0]
	}
	for i, s := range systems {
		places[i] = s.name + " " + places[i]
	}
	return strings.Join(places, "<br>")
}

// windowsStyle names the folder of Windows as its users do.
func windowsStyle(c clients.Client, goos string) string {
	return strings.Replace(c.Place(goos), "~/AppData/Roaming/", "%APPDATA%/", 1)
}
