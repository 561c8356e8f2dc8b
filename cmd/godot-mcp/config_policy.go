package main

import (
	"os"
	"slices"
	"strings"

	"github.com/godot-mcp/godot-mcp/commands"
)

// policy is what the lists of all places say together.
func (a *app) policy(allow, deny []part) (commands.Policy, error) {
	var p commands.Policy
	for _, one := range allow {
		rules, err := a.rules("allow", one)
		if err != nil {
			return p, err
		}
		p.Allow = append(p.Allow, rules)
	}
	for _, one := range deny {
		rules, err := a.rules("deny", one)
		if err != nil {
			return p, err
		}
		p.Deny = append(p.Deny, rules...)
	}
	return p, nil
}

func (a *app) rules(key string, from part) ([]commands.Rule, error) {
	rules, err := a.table.Rules(from.source, splitCommas(from.value))
	if err == nil && key == "allow" && len(rules) == 0 {
		return nil, usageError(key, "%s of the %s lists nothing, so nothing could be called: name something or take it out, then godot-mcp config list", key, from.source)
	}
	if err != nil {
		return nil, usageError(key, "%s of the %s: %v; mend it, then godot-mcp config list", key, from.source, err)
	}
	return rules, nil
}

// gather takes a list from every place that has one. A list can only tighten the policy, so that no place
// needs to be trusted, and none takes away what another says.
func (src *sources) gather(o option) (setting, error) {
	one := setting{Key: o.key, Value: o.fallback, Source: "default", Doc: o.doc}
	add := func(value string, there bool, source string) {
		if there {
			one.parts = append(one.parts, part{value, source})
		}
	}
	value, ok := src.user.value(o.key)
	add(value, ok, "user file "+src.user.name())
	value, ok = src.project.value(o.key)
	add(value, ok, "project file "+src.project.name())
	value = os.Getenv(o.env)
	add(value, value != "", "environment "+o.env)
	if flag := src.flags.Lookup(o.flag); flag != nil && flag.Changed {
		add(flag.Value.String(), true, "flag")
	}
	if len(one.parts) == 0 {
		return one, nil
	}
	var values, from []string
	for _, p := range one.parts {
		values = append(values, splitCommas(p.value)...)
		from = append(from, p.source)
	}
	slices.Sort(values)
	one.Value, one.Source = strings.Join(slices.Compact(values), ","), strings.Join(from, ", ")
	return one, nil
}

func (c *configFile) name() string {
	if c == nil {
		return ""
	}
	return c.path
}
