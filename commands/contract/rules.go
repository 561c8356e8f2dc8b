package contract

import (
	"slices"
	"strconv"
	"strings"
)

// Rule judges a kind of difference. The rules are asked in order and the first that applies decides, so that
// what none foresees is left to the last one.
type Rule struct {
	ID       string
	Breaking bool
	// Meaning is a sentence for the one who reads the report.
	Meaning string
	applies func(*change) bool
}

// Rules are the contract's table of what breaks and what does not.
var Rules = slices.Concat(tornRules, numberRules, paramRules, resultRules, toolRules, surroundingRules, existenceRules, []Rule{
	{"unforeseen", true, "No rule foresees this difference, so it counts as a break.", func(*change) bool { return true }},
})

func ruleFor(c *change) Rule {
	for _, r := range Rules {
		if r.applies(c) {
			return r
		}
	}
	panic("contract: the last rule applies to everything")
}

var tornRules = []Rule{
	{"snapshot-torn", true, "The older snapshot is not whole: it tells parts of a thing and not the thing, or is not what its digest was made of.", torn},
}

var numberRules = []Rule{
	{"contract-raised", false, "The contract number announces what breaks.", grew("contract", "version")},
	{"contract-lowered", true, "The contract number never goes back.", changedSubject("contract", "version")},
	{"floor-raised", true, "Clients of an older contract are refused.", grew("contract", "min_compatible")},
	{"floor-lowered", false, "Clients of an older contract are served.", changedSubject("contract", "min_compatible")},
	{"limit-raised", false, "A limit takes more than before.", grewAny("limit")},
	{"limit-lowered", true, "A limit takes less than before.", changed("limit", "")},
}

var paramRules = []Rule{
	{"param-added-required", true, "Calls without the new parameter are refused.", both(added("param"), requiredNow)},
	{"confirm-added", true, "Calls without confirm are refused.", both(added("param"), named("confirm"))},
	{"param-type-widened", false, "A parameter takes more types than before.", both(changed("param", "type"), wider)},
	{"param-type-changed", true, "A parameter's type was narrowed or changed.", anyChange("param", "type")},
	{"param-default-new", false, "A parameter that was required has a default.", both(changed("param", "default"), wasRequired)},
	{"param-default-changed", true, "Calls without the parameter do something else.", anyChange("param", "default")},
	{"param-made-required", true, "Calls without the parameter are refused.", either(to("param", "required", "true"), to("param", "optional", "false"))},
	{"param-made-optional", false, "A parameter need not be given any more.", either(to("param", "required", "false"), to("param", "optional", "true"))},
	{"param-made-positional", false, "A flag can be given without its name.", both(changed("param", "position"), wasValue("0"))},
	{"param-position-changed", true, "Positionals on the command line mean something else.", anyChange("param", "position")},
	{"param-enum-opened", false, "A parameter takes any value.", both(removedAspect("param", "enum "), noneLeft("enum "))},
	{"param-enum-removed", true, "A value is not taken any more.", removedAspect("param", "enum ")},
	{"param-enum-closed", true, "A parameter takes listed values only.", both(addedAspect("param", "enum "), noneBefore("enum "))},
	{"param-enum-added", false, "A further value is taken.", addedAspect("param", "enum ")},
	{"param-kind-dropped", false, "A text is not checked for what it names any more.", removedAspect("param", "kind")},
	{"param-kind-changed", true, "A text must name something else than before.", either(changed("param", "kind"), addedAspect("param", "kind"))},
	{"param-nullable", false, "A part of a parameter may be null.", to("param", "nullable", "true")},
	{"param-not-nullable", true, "A part of a parameter must not be null any more.", to("param", "nullable", "false")},
}

var resultRules = []Rule{
	{"result-type-narrowed", false, "A result has fewer types than before.", both(changed("result", "type"), narrower)},
	{"result-type-changed", true, "A result's type was widened or changed.", anyChange("result", "type")},
	{"result-made-optional", true, "A result may be absent.", to("result", "optional", "true")},
	{"result-made-nullable", true, "A result may be null.", to("result", "nullable", "true")},
	{"result-always-there", false, "A result is there and not null where it might not be before.", either(to("result", "optional", "false"), to("result", "nullable", "false"))},
	{"result-enum-opened", true, "A result may have any value.", both(removedAspect("result", "enum "), noneLeft("enum "))},
	{"result-enum-removed", false, "A result has fewer values than before.", removedAspect("result", "enum ")},
	{"result-enum-closed", false, "A result has listed values only.", both(addedAspect("result", "enum "), noneBefore("enum "))},
	{"result-enum-added", true, "A result may have a value that clients do not know.", addedAspect("result", "enum ")},
}

var toolRules = []Rule{
	{"class-changed", true, "A tool's safety class decides about policy, dry_run and confirm.", anyChange("tool", "class")},
	{"toolset-changed", true, "A tool is listed in another toolset.", anyChange("tool", "toolset")},
	{"mcp-name-changed", true, "A tool's MCP name is another.", anyChange("tool", "mcp_name")},
	{"executes-code", true, "A policy against project code refuses the tool now.", to("tool", "executes_code", "true")},
	{"executes-no-code", false, "A policy against project code allows the tool now.", to("tool", "executes_code", "false")},
	{"starter-left", true, "A tool is not listed by default any more.", to("tool", "starter", "false")},
	{"starter-joined", false, "A tool is listed by default.", to("tool", "starter", "true")},
	{"answer-changed", true, "The exit code 10 means something else.", anyChange("tool", "answer")},
	{"alias-moved", true, "An alias leads to another tool.", changed("alias", "")},
	{"alias-map-added", false, "An alias takes or answers more.", addedAspect("alias", "")},
	{"alias-map-changed", true, "An alias takes or answers something else.", anyChange("alias", "")},
}

var surroundingRules = []Rule{
	{"error-exit-changed", true, "An error code ends the command line with another status.", anyChange("error", "exit")},
	{"error-meaning-changed", true, "Meanings of error codes never change.", anyChange("error", "meaning")},
	{"exit-meaning-changed", true, "An exit code means something else.", changed("exit", "")},
	{"flag-type-changed", true, "A flag's type was changed.", anyChange("flag", "type")},
	{"flag-short-added", false, "A flag has a short form.", addedAspect("flag", "short")},
	{"flag-short-changed", true, "A flag's short form is gone or another.", anyChange("flag", "short")},
	{"env-refused", true, "A variable that was read is refused.", to("env", "refused", "true")},
	{"env-allowed", false, "A variable that was refused is read.", to("env", "refused", "false")},
	{"value-form-added", false, "A further form of a value is taken.", addedAspect("value", "accepts ")},
	{"value-form-removed", true, "A form of a value is not taken any more.", removedAspect("value", "accepts ")},
	{"value-out-changed", true, "A value is printed in another form.", anyChange("value", "out")},
	{"prompt-argument-added", false, "A prompt takes a further argument.", addedAspect("prompt", "argument ")},
	{"prompt-argument-removed", true, "A prompt does not take an argument any more.", removedAspect("prompt", "argument ")},
	{"envelope-field-added", false, "Unknown keys of the envelope are ignored.", both(added("envelope"), optionalNow)},
	{"event-changed", true, "A field of an event is another.", anyChange("event", "")},
	{"envelope-message-added", false, "Messages that a client does not know are ignored.", both(added("envelope"), wholeMessage)},
	{"envelope-changed", true, "The shape of the envelope is another.", ofKind("envelope")},
}

// existenceRules are for whole things that come and go; each kind has its own two ids.
var existenceRules = func() []Rule {
	var rules []Rule
	for _, kind := range []string{
		"tool", "toolset", "param", "result", "alias", "error", "required", "exit", "command", "flag", "env",
		"value", "prompt", "resource", "limit", "event",
	} {
		rules = append(rules,
			Rule{kind + "-removed", true, "What clients use is gone, or has another name.", removed(kind)},
			Rule{kind + "-added", false, "Something new; nothing that was there is touched.", added(kind)})
	}
	return rules
}()

type test = func(*change) bool

func both(a, b test) test   { return func(c *change) bool { return a(c) && b(c) } }
func either(a, b test) test { return func(c *change) bool { return a(c) || b(c) } }

func (c *change) fact() *Fact {
	if c.now != nil {
		return c.now
	}
	return c.was
}

func ofKind(kind string) test { return func(c *change) bool { return c.fact().Kind == kind } }

// wholeMessage is true for a kind of message, not for a field of one.
func wholeMessage(c *change) bool { return !strings.ContainsAny(c.fact().Subject, ".[") }

// added and removed are for whole things, the aspects' ones for what such a thing has.
func added(kind string) test {
	return func(c *change) bool { return c.was == nil && c.now.Kind == kind && c.now.Aspect == "" }
}

func removed(kind string) test {
	return func(c *change) bool { return c.now == nil && c.was.Kind == kind && c.was.Aspect == "" }
}

func addedAspect(kind, prefix string) test {
	return func(c *change) bool {
		return c.was == nil && c.now.Kind == kind && c.now.Aspect != "" && strings.HasPrefix(c.now.Aspect, prefix)
	}
}

func removedAspect(kind, prefix string) test {
	return func(c *change) bool {
		return c.now == nil && c.was.Kind == kind && c.was.Aspect != "" && strings.HasPrefix(c.was.Aspect, prefix)
	}
}

// changed is for a fact that has another value.
func changed(kind, aspect string) test {
	return func(c *change) bool {
		return c.was != nil && c.now != nil && c.now.Kind == kind && c.now.Aspect == aspect
	}
}

// anyChange is for an aspect that came, went or has another value.
func anyChange(kind, prefix string) test {
	return func(c *change) bool {
		f := c.fact()
		return f.Kind == kind && f.Aspect != "" && strings.HasPrefix(f.Aspect, prefix)
	}
}

func to(kind, aspect, value string) test {
	return both(changed(kind, aspect), func(c *change) bool { return c.now.Value == value })
}

func changedSubject(kind, subject string) test {
	return both(changed(kind, ""), func(c *change) bool { return c.now.Subject == subject })
}

func wasValue(value string) test { return func(c *change) bool { return c.was.Value == value } }

func grew(kind, subject string) test {
	return both(grewAny(kind), func(c *change) bool { return c.now.Subject == subject })
}

func grewAny(kind string) test {
	return both(changed(kind, ""), func(c *change) bool {
		was, errWas := strconv.Atoi(c.was.Value)
		now, errNow := strconv.Atoi(c.now.Value)
		return errWas == nil && errNow == nil && now > was
	})
}

// torn finds a thing that is new although the older snapshot has parts of it.
func torn(c *change) bool {
	if c.was != nil || c.now.Aspect != "" {
		return false
	}
	for _, f := range c.old {
		for owner := f.owner(); owner != nil; owner = owner.owner() {
			if owner.key() == c.now.key() {
				return true
			}
		}
	}
	return false
}

func named(name string) test {
	return func(c *change) bool { return strings.HasSuffix(c.now.Subject, "."+name) }
}

// requiredNow looks at the new parameter, or at the new member of one.
func requiredNow(c *change) bool {
	f := c.now
	return c.new.value(f.Kind, f.Subject, "required") == "true" || c.new.value(f.Kind, f.Subject, "optional") == "false"
}

func optionalNow(c *change) bool { return c.new.value(c.now.Kind, c.now.Subject, "optional") == "true" }

func wasRequired(c *change) bool { return c.old.value(c.was.Kind, c.was.Subject, "required") == "true" }

func noneLeft(prefix string) test {
	return func(c *change) bool { return !c.new.has(c.was.Kind, c.was.Subject, prefix) }
}

func noneBefore(prefix string) test {
	return func(c *change) bool { return !c.old.has(c.now.Kind, c.now.Subject, prefix) }
}

// contains says that every value of the type b is one of the type a.
func contains(a, b string) bool { return a == "any" || a == "number" && b == "integer" }

func wider(c *change) bool    { return contains(c.now.Value, c.was.Value) }
func narrower(c *change) bool { return contains(c.was.Value, c.now.Value) }
