package contract

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Fact is one line: "param node add.index: type = integer". The subject is what it is about; two facts with
// the same kind, subject and aspect are the same fact with another value. Aspects that can hold several
// values, such as the members of an enum, have the value in the aspect.
type Fact struct {
	Kind, Subject, Aspect, Value string
}

// String is the line.
func (f Fact) String() string {
	if f.Value == "" {
		return f.key()
	}
	return f.key() + " = " + f.Value
}

func (f Fact) key() string {
	line := f.Kind + " " + f.Subject
	if f.Aspect != "" {
		line += ": " + f.Aspect
	}
	return line
}

// parseFact reads a line that String wrote.
func parseFact(line string) (Fact, error) {
	var f Fact
	key, value, _ := strings.Cut(line, " = ")
	kind, rest, ok := strings.Cut(key, " ")
	if !ok || kind == "" || rest == "" {
		return f, fmt.Errorf("%q is no fact", line)
	}
	f.Kind, f.Value = kind, value
	f.Subject, f.Aspect, _ = strings.Cut(rest, ": ")
	return f, nil
}

// Text is the facts as a file, one a line, sorted.
func Text(facts []Fact) string {
	lines := make([]string, len(facts))
	for i, f := range facts {
		lines[i] = f.String() + "\n"
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// Parse reads a file of facts, or the JSON of godot-mcp contract show. Lines that begin with # are comments.
func Parse(text string) ([]Fact, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		var s Surface
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			return nil, fmt.Errorf("it is not the JSON of godot-mcp contract show: %w", err)
		}
		return s.asStated(), nil
	}
	return parseLines(text)
}

// asStated are the facts with the digest that the surface itself states, where it states one.
func (s *Surface) asStated() []Fact {
	facts := s.Facts()
	for i, f := range facts {
		if f.Kind == "contract" && f.Subject == "digest" && s.Digest != "" {
			facts[i].Value = s.Digest
		}
	}
	return facts
}

func parseLines(text string) ([]Fact, error) {
	var facts []Fact
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f, err := parseFact(line)
		if err != nil {
			return nil, err
		}
		facts = append(facts, f)
	}
	return facts, lines.Err()
}

// DigestOf is the SHA-256 of the facts in lower-case hex, without the two numbers and the digest itself:
// builds with the same digest take the same calls.
func DigestOf(facts []Fact) string {
	catalogue := slices.DeleteFunc(slices.Clone(facts), func(f Fact) bool { return f.Kind == "contract" })
	sum := sha256.Sum256([]byte(Text(catalogue)))
	return hex.EncodeToString(sum[:])
}

// Facts are all facts of the surface, in no order.
func (s *Surface) Facts() []Fact {
	w := &factWriter{}
	w.number("contract", "version", "", s.ContractVersion)
	w.number("contract", "min_compatible", "", s.MinCompatibleContract)
	for _, t := range s.Tools {
		w.tool(t)
	}
	w.toolsets(s.Tools)
	for _, e := range s.Errors {
		w.add("error", e.Error, "", "")
		w.number("error", e.Error, "exit", e.Exit)
		w.add("error", e.Error, "meaning", e.Meaning)
	}
	for _, r := range s.Required {
		w.add("required", r.Name, "", "")
	}
	for _, c := range s.ExitCodes {
		w.add("exit", strconv.Itoa(c.Code), "", c.Name)
	}
	for _, v := range s.Values {
		w.value(v)
	}
	for _, p := range s.Prompts {
		w.add("prompt", p.Name, "", "")
		for _, a := range p.Arguments {
			w.add("prompt", p.Name, "argument "+a, "")
		}
	}
	for _, r := range s.Resources {
		w.add("resource", r.URI, "", "")
	}
	w.surroundings(s)
	w.add("contract", "digest", "", DigestOf(w.facts))
	return w.facts
}

// isTorn is true for a snapshot that does not hold what its own digest was made of. One without a digest is
// taken at its word.
func isTorn(facts []Fact) bool {
	stated := indexOf(facts).value("contract", "digest", "")
	return stated != "" && stated != DigestOf(facts)
}

// surroundings are the facts beside the tools: commands, variables, messages, limits.
func (w *factWriter) surroundings(s *Surface) {
	for _, c := range s.Commands {
		w.command(c)
	}
	for _, e := range s.Env {
		w.add("env", e.Name, "", "")
		w.bool("env", e.Name, "refused", e.Refused)
	}
	for _, m := range s.Envelope {
		w.add("envelope", m.Name, "", "")
		w.fields("envelope", m.Name, m.Fields)
	}
	for _, e := range s.Events {
		w.add("event", e.Name, "", "")
		w.fields("event", e.Name, e.Fields)
	}
	for _, l := range s.Limits {
		w.number("limit", l.Name, "", l.Value)
	}
}

type factWriter struct{ facts []Fact }

func (w *factWriter) add(kind, subject, aspect, value string) {
	w.facts = append(w.facts, Fact{kind, subject, aspect, value})
}

func (w *factWriter) bool(kind, subject, aspect string, value bool) {
	w.add(kind, subject, aspect, strconv.FormatBool(value))
}

func (w *factWriter) number(kind, subject, aspect string, value int) {
	w.add(kind, subject, aspect, strconv.Itoa(value))
}

func (w *factWriter) tool(t Tool) {
	w.add("tool", t.CLI, "", "")
	w.add("tool", t.CLI, "mcp_name", t.Name)
	w.add("tool", t.CLI, "class", t.Class)
	w.add("tool", t.CLI, "toolset", t.Toolset)
	w.bool("tool", t.CLI, "executes_code", t.ExecutesCode)
	w.bool("tool", t.CLI, "starter", t.Starter)
	if t.Answer != "" {
		w.add("tool", t.CLI, "answer", t.Answer)
	}
	for _, p := range t.Params {
		w.param(t.CLI, p)
	}
	w.fields("result", t.CLI, t.Result)
	if t.Alias != "" {
		w.alias(t)
	}
}

func (w *factWriter) toolsets(tools []Tool) {
	seen := map[string]bool{}
	for _, t := range tools {
		if !seen[t.Toolset] {
			w.add("toolset", t.Toolset, "", "")
		}
		seen[t.Toolset] = true
	}
}

func (w *factWriter) alias(t Tool) {
	w.add("alias", t.Alias, "", t.CLI)
	for old, ours := range t.AliasMap.Params {
		w.add("alias", t.Alias, "param "+old, ours)
	}
	for ours, expression := range t.AliasMap.Arguments {
		w.add("alias", t.Alias, "argument "+ours, expression)
	}
	for old, expression := range t.AliasMap.Results {
		w.add("alias", t.Alias, "result "+old, expression)
	}
}

func (w *factWriter) param(tool string, p Param) {
	subject := tool + "." + p.Name
	w.add("param", subject, "", "")
	w.shape("param", subject, p.Shape)
	w.bool("param", subject, "required", p.Required)
	w.add("param", subject, "default", textOf(p.Default))
	w.number("param", subject, "position", p.Position)
	if p.Kind != "" {
		w.add("param", subject, "kind", p.Kind)
	}
}

// textOf is JSON on one line; a default that is not there is null.
func textOf(value json.RawMessage) string {
	if len(value) == 0 {
		return "null"
	}
	return strings.ReplaceAll(string(value), "\n", " ")
}

func (w *factWriter) shape(kind, subject string, s Shape) {
	w.add(kind, subject, "type", s.Type)
	for _, member := range s.Enum {
		w.add(kind, subject, "enum "+member, "")
	}
	if s.Items != nil {
		w.field(kind, subject+"[]", *s.Items)
	}
	w.fields(kind, subject, s.Fields)
}

func (w *factWriter) fields(kind, subject string, fields []Result) {
	for _, f := range fields {
		w.field(kind, subject+"."+f.Name, f)
	}
}

func (w *factWriter) field(kind, subject string, f Result) {
	w.add(kind, subject, "", "")
	w.shape(kind, subject, f.Shape)
	w.bool(kind, subject, "optional", f.Optional)
	w.bool(kind, subject, "nullable", f.Nullable)
}

func (w *factWriter) value(v Value) {
	w.add("value", v.Type, "", "")
	w.add("value", v.Type, "out", v.Out)
	for _, form := range v.Accepted {
		w.add("value", v.Type, "accepts "+form, "")
	}
}

func (w *factWriter) command(c Command) {
	if c.Name != "" {
		w.add("command", c.Name, "", "")
	}
	for _, f := range c.Flags {
		subject := strings.TrimSpace(c.Name + " --" + f.Name)
		w.add("flag", subject, "", "")
		w.add("flag", subject, "type", f.Type)
		if f.Short != "" {
			w.add("flag", subject, "short", f.Short)
		}
	}
}
