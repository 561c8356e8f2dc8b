package contract

import (
	"maps"
	"slices"
	"strings"
)

// Difference is one fact that two sets do not share, judged.
type Difference struct {
	// Rule is the id of the rule that judged it, Breaking its verdict.
	Rule     string `json:"rule"`
	Breaking bool   `json:"breaking"`
	// Was and Now are the fact's lines; empty where it was or is not there.
	Was string `json:"was"`
	Now string `json:"now"`
	// Meaning is the rule in a sentence.
	Meaning string `json:"meaning"`
	// Accepted is the reason from except.txt, where the difference stands there.
	Accepted string `json:"accepted,omitempty"`
}

// change is a difference before it is judged, with both sets for rules that must look around.
type change struct {
	was, now *Fact
	old, new index
}

// index finds facts by their key.
type index map[string]Fact

func indexOf(facts []Fact) index {
	out := index{}
	for _, f := range facts {
		out[f.key()] = f
	}
	return out
}

// has is true when some fact of the subject has an aspect that begins so.
func (x index) has(kind, subject, aspect string) bool {
	for _, f := range x {
		if f.Kind == kind && f.Subject == subject && strings.HasPrefix(f.Aspect, aspect) {
			return true
		}
	}
	return false
}

func (x index) value(kind, subject, aspect string) string {
	return x[Fact{Kind: kind, Subject: subject, Aspect: aspect}.key()].Value
}

// Compare lists what is different in now, sorted by the fact. What goes or comes with something larger, such
// as the parameters of a new tool, is not listed by itself.
func Compare(was, now []Fact) []Difference {
	old, new := indexOf(was), indexOf(now)
	keys := map[string]bool{}
	for key := range old {
		keys[key] = true
	}
	for key := range new {
		keys[key] = true
	}
	// The digest follows from the rest.
	delete(keys, Fact{Kind: "contract", Subject: "digest"}.key())
	var out []Difference
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		c := change{old: old, new: new}
		if f, ok := old[key]; ok {
			c.was = &f
		}
		if f, ok := new[key]; ok {
			c.now = &f
		}
		if c.was != nil && c.now != nil && *c.was == *c.now || c.implied() {
			continue
		}
		out = append(out, c.judge())
	}
	return out
}

// implied is true when the fact's owner came or went as well.
func (c *change) implied() bool {
	f, other := c.now, c.old
	if c.now == nil {
		f, other = c.was, c.new
	}
	if c.was != nil && c.now != nil {
		return false
	}
	for owner := f.owner(); owner != nil; owner = owner.owner() {
		if _, there := other[owner.key()]; !there {
			return true
		}
	}
	return false
}

// owner is the fact that says that the thing exists which f is about; nil for one that stands alone.
func (f *Fact) owner() *Fact {
	if f.Aspect != "" {
		// What contract facts are about has no line of its own.
		return &Fact{Kind: f.Kind, Subject: f.Subject}
	}
	switch f.Kind {
	case "param", "result", "envelope", "event":
		return nestedOwner(f)
	case "flag":
		if command, _, ok := strings.Cut(f.Subject, " --"); ok {
			return &Fact{Kind: "command", Subject: command}
		}
	}
	return nil
}

func nestedOwner(f *Fact) *Fact {
	if element, ok := strings.CutSuffix(f.Subject, "[]"); ok {
		return &Fact{Kind: f.Kind, Subject: element}
	}
	dot := strings.LastIndexByte(f.Subject, '.')
	if dot < 0 {
		return nil
	}
	above := f.Subject[:dot]
	if strings.Contains(above, ".") || f.Kind == "envelope" || f.Kind == "event" {
		return &Fact{Kind: f.Kind, Subject: above}
	}
	return &Fact{Kind: "tool", Subject: above}
}

func (c *change) judge() Difference {
	rule := ruleFor(c)
	d := Difference{Rule: rule.ID, Breaking: rule.Breaking, Meaning: rule.Meaning}
	if c.was != nil {
		d.Was = c.was.String()
	}
	if c.now != nil {
		d.Now = c.now.String()
	}
	return d
}
