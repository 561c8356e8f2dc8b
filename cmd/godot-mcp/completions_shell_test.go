//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godot-mcp/godot-mcp/bridge/bridgetest"
	"github.com/godot-mcp/godot-mcp/commands"
)

// hostile are names that nodes can have and that mean something to some shell. What they would run makes a
// file, which must not be there afterwards.
var hostile = []string{
	"a b$(touch x)", "a b`touch x`", "a;touch x", "a&touch x", "a|touch x", "a>x", "a<x", "it's", "it's `touch x`", "$HOME", "${HOME}",
	"~root", "~", "-dash", "--params", "!bang", "*", "?", "[a-z]", "{a,b}", "#hash", `back\slash`, `end\`, "Größe", "玩家 1", "𝄞", "(touch x)", "'; touch x; '",
	"=a", "a=b", "a,b", "^a", "two  spaces", "$'a'",
}

// unofferable are names that a prompt cannot take as they are.
var unofferable = []string{"tab\there", "line\nbreak", "\x1b[31mred", "\x7f", " before", "behind ", "\u0085", "bell\a"}

// hostileProject is a project whose scene has these nodes, and no editor.
func hostileProject(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	text := "[gd_scene format=3]\n\n[node name=\"Top\" type=\"Node2D\"]\n"
	for _, name := range append(slices.Clone(hostile), unofferable...) {
		text += fmt.Sprintf("\n[node name=%s type=\"Label\" parent=\".\" groups=[\"g\"]]\nvisible = false\n", literal(name))
	}
	for name, content := range map[string]string{
		"project.godot":         "config_version=5\n\n[application]\n\nrun/main_scene=\"res://hostile.tscn\"\n",
		"hostile.tscn":          text,
		"a b$(touch x).tscn":    "[gd_scene format=3]\n",
		"sub dir/it's in.tscn":  "[gd_scene format=3]\n",
		"sub dir/notes.txt":     "",
		".hidden/not this.tscn": "[gd_scene format=3]\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// literal is a string of a scene file.
func literal(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\a", `\a`).Replace(text) + `"`
}

// shell runs a script with the built program on PATH, in a project of its own, and checks that nothing was
// carried out on the way.
func shell(t *testing.T, dir, program, script string, args ...string) string {
	t.Helper()
	path, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{"-c", script}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"XDG_RUNTIME_DIR="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir(), "HOME="+t.TempDir(), "LC_ALL=C.UTF-8")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v: %s%s", err, stderr.String(), out)
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Errorf("%s %q ran what is in a name", program, args)
	}
	return string(out)
}

func scriptFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "completions", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// bashTab is what bash puts in the place of the word at the end of the line, each choice in a line. As bash
// does, it takes off what is behind the last break character.
const bashTab = `source "$0"
COMP_WORDBREAKS=$' \t\n"\'@><=;|&(:'
COMP_LINE=$1 COMP_POINT=${#1}
_godot_mcp godot-mcp
printf '%s\n' "${COMPREPLY[@]}"
`

// bashRead is the line as bash would carry it out, its words each in a line.
const bashRead = `eval "set -- $1"; printf '%s\n' "$@"`

// A name that is chosen by its first letters becomes the word that is the name, in every kind of quotes, and
// runs nothing: not when it is offered, not when the line is completed again, not when it is carried out.
func TestBashCompletesHostileNames(t *testing.T) {
	dir := hostileProject(t)
	script := scriptFile(t, "godot-mcp.bash")
	for _, name := range hostile {
		want := name
		if strings.HasPrefix(name, "-") {
			want = "./" + name
		}
		for _, open := range []string{"", "'", `"`} {
			// Typed up to the last character, so that there is one choice.
			runes := []rune(want)
			typed := bashLine{open: (open + "\x00")[0]}
			if open == "" {
				typed.open = 0
			}
			line := "godot-mcp node get " + open + typed.quote(string(runes[:len(runes)-1]))
			got := strings.Split(strings.TrimSuffix(shell(t, dir, "bash", bashTab, script, line), "\n"), "\n")
			whole := ""
			for _, choice := range got {
				// Bash keeps the line up to the last break character outside of quotes.
				completed := line[:bashStart(line)] + choice + open
				if words := shell(t, dir, "bash", bashRead, "bash", completed); strings.HasSuffix(words, "\n"+want+"\n") && strings.Count(words, "\n") == 4 {
					whole = completed
				}
			}
			if whole == "" {
				t.Errorf("%s typed as %s: got %q", name, line, got)
				continue
			}
			if again := shell(t, dir, "bash", bashTab, script, whole+" "); strings.TrimSpace(again) != "" {
				t.Errorf("behind %s: %q", whole, again)
			}
		}
	}
}

// bashStart is where the word begins that bash puts a choice in the place of: a second reading, of the
// characters alone.
func bashStart(line string) int {
	start, open := 0, byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case open != '\'' && c == '\\':
			i++
		case open != 0 && c == open:
			open, start = 0, i+1
		case open != 0:
		case c == '\'' || c == '"':
			open, start = c, i+1
		case strings.IndexByte(" \t\n@><=;|&(:", c) >= 0:
			start = i + 1
		}
	}
	return start
}

// Many choices, half words and words that cannot be: bash gets what it can show and never an error.
func TestBashCompletes(t *testing.T) {
	dir := hostileProject(t)
	script := scriptFile(t, "godot-mcp.bash")
	for line, want := range map[string][]string{
		"godot-mcp node set-p":                        {"set-property"},
		"godot-mcp no":                                {"node"},
		"godot-mcp help exit":                         {"exit-codes"},
		"godot-mcp node get Grö":                      {"Größe"},
		"godot-mcp node get a\\ ":                     {`a\ b`},
		"godot-mcp node get a\\ b":                    {`a\ b\$\(touch\ x\)`, "a\\ b\\`touch\\ x\\`", " "},
		"godot-mcp node get 'a ":                      {"a b"},
		"godot-mcp node get nothing":                  nil,
		"godot-mcp node get Top ":                     nil,
		"godot-mcp node get ~r":                       {`\~root`},
		"godot-mcp node set-property Größe ":          {"visible"},
		"godot-mcp node set-property 'it'\\''s' vis":  {"visible"},
		"godot-mcp scene open res://sub":              {`//sub\ dir/`},
		"godot-mcp scene open res://sub\\ dir/":       {`//sub\ dir/it\'s\ in.tscn`},
		"godot-mcp scene open 'res://sub dir/it":      {`res://sub dir/it'\''s in.tscn`},
		"godot-mcp scene open sub\\ d":                {`sub\ dir/`},
		"godot-mcp scene open ../":                    nil,
		"godot-mcp node add-to-group Größe ":          {"g"},
		"godot-mcp node add Node X --parent-path=Grö": {"Größe"},
		"godot-mcp editor wait --for ":                {"idle", "imported", "scanned"},
		"godot-mcp editor wait --for=sc":              {"scanned"},
		"godot-mcp watch --event scene_s":             {"scene_saved"},
		"godot-mcp mcp --toolsets starter,cl":         {"starter,class"},
		"godot-mcp nothing ":                          nil,
		"godot-mcp node get $(touch x) ":              nil,
		"godot-mcp node get `touch x`; godot-mcp ver": {"version"},
		"godot-mcp --project 'unclosed":               nil,
	} {
		out := strings.TrimSuffix(shell(t, dir, "bash", bashTab, script, line), "\n")
		got := strings.Split(out, "\n")
		if out == "" {
			got = nil
		}
		slices.Sort(got)
		want = slices.Clone(want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", line, got, want)
		}
	}
}

// What zsh is asked to put in; it quotes by itself. Its own compadd works inside its line editor only.
const zshTab = `compdef() { : }
compadd() { while [[ $1 != -a ]]; do shift; done; print -rl -- "${(@P)2}" }
_files() { print -r -- "FILES $*" }
source "$0"
words=("${(@s:|:)1}") CURRENT=$#words
PREFIX=$words[-1]
_godot_mcp
true`

func TestZshCompletesHostileNames(t *testing.T) {
	needShell(t, "zsh")
	dir := hostileProject(t)
	script := scriptFile(t, "_godot-mcp")
	got := strings.Split(shell(t, dir, "zsh", zshTab, script, "godot-mcp|node|get|"), "\n")
	wantHostile(t, got)
	for words, want := range map[string]string{
		`godot-mcp|node|get|a\ b\$`:                "a b$(touch x)\n",
		`godot-mcp|node|set-property|'it'\''s'|`:   "visible\n",
		"godot-mcp|node|get|$(touch x)|":           "",
		"godot-mcp|node|get|`touch x`":             "",
		`godot-mcp|node|add|X|Y|--parent-path=Grö`: "--parent-path=Größe\n",
		`godot-mcp|--project|`:                     "FILES -/\n",
		`godot-mcp|call|`:                          "FILES \n",
		`godot-mcp|scene|open|res://sub\ dir/i`:    "res://sub dir/it's in.tscn\n",
	} {
		if out := shell(t, dir, "zsh", zshTab, script, words); out != want {
			t.Errorf("%s: got %q, want %q", words, out, want)
		}
	}
}

// needShell fails where a shell is missing that make test installs.
func needShell(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("%v; run: testbed/install-shells.sh", err)
	}
}

// wantHostile checks that every name is offered that can be, and no other.
func wantHostile(t *testing.T, got []string) {
	t.Helper()
	for _, name := range hostile {
		if strings.HasPrefix(name, "-") {
			name = "./" + name
		}
		if !slices.Contains(got, name) {
			t.Errorf("%q is not offered", name)
		}
	}
	for _, line := range got {
		name := strings.TrimPrefix(line, "./")
		if name != "" && name != "." && !slices.Contains(hostile, name) {
			t.Errorf("%q is offered", line)
		}
	}
}

func TestFishCompletesHostileNames(t *testing.T) {
	needShell(t, "fish")
	dir := hostileProject(t)
	script := scriptFile(t, "godot-mcp.fish")
	tab := func(line string) []string {
		out := shell(t, dir, "fish", "source $argv[1]; complete -C $argv[2]", script, line)
		var names []string
		for l := range strings.Lines(out) {
			name, _, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
			names = append(names, name)
		}
		return names
	}
	// Fish shows what begins with a dot once a dot is typed.
	wantHostile(t, append(tab("godot-mcp node get "), tab("godot-mcp node get .")...))
	for line, want := range map[string]string{
		`godot-mcp node get a\ b\$`:                "a b$(touch x)",
		`godot-mcp node get 'a b$`:                 "a b$(touch x)",
		`godot-mcp node set-property 'it\'s' vis`:  "visible",
		`godot-mcp node get (touch x) `:            "",
		`godot-mcp node get "$(touch x)" `:         "",
		`godot-mcp scene open "res://sub dir/`:     "res://sub dir/it's in.tscn",
		`godot-mcp node add X Y --parent-path=Grö`: "--parent-path=Größe",
	} {
		if got := strings.Join(tab(line), "|"); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// No script has the shell read as code what was typed or what a name is. PowerShell is not run by the tests:
// its script is judged by its text.
func TestCompletionScriptsEvaluateNothing(t *testing.T) {
	for shell, name := range completionFiles {
		text, err := os.ReadFile(scriptFile(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"eval ", "Invoke-Expression", "iex ", "ExpandString", "source ", "${(e)"} {
			for line := range strings.Lines(string(text)) {
				if !strings.HasPrefix(strings.TrimSpace(line), "#") && strings.Contains(line, word) {
					t.Errorf("%s: %s", shell, line)
				}
			}
		}
		if !strings.Contains(string(text), completeWord+" ") || !strings.Contains(string(text), "2>") {
			t.Errorf("%s: it does not ask the program, or shows its errors", shell)
		}
	}
}

// An editor that does not answer in time is not waited for: the files tell.
func TestCompletionFallsBackToTheFiles(t *testing.T) {
	dir := hostileProject(t)
	for name, option := range map[string]bridgetest.Option{"silent": bridgetest.Silent(), "no hello": bridgetest.SilentHello(), "a stranger": bridgetest.WrongProof()} {
		t.Run(name, func(t *testing.T) {
			ed := bridgetest.New(t, bridgetest.Project(dir), option)
			alone(t, ed)
			// A stranger's answer is not believed.
			ed.Reply("node.find", `{"nodes":[{"path":"Grabbed"}]}`)
			a := &app{table: commands.All(), contract: commands.ThisContract}
			got := a.choices(t.Context(), []string{"--project", dir, "node", "get", "Gr"}).list
			if len(got) != 1 || got[0] != (choice{Text: "Größe", Doc: "Label"}) {
				t.Errorf("got %q", got)
			}
		})
	}
}

// What is asked of a project that is broken offers nothing and says nothing.
func TestCompletionInABrokenProject(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"project.godot": "[application]\nrun/main_scene=\"res://broken.tscn\"\n", "broken.tscn": "[gd_scene\n[node name=\"A\"", "godot-mcp.toml": "not = [toml",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"node get ", "node get --scene-path res://none.tscn ", "scene open ", "node add ", "node add-to-group . ", "node set-property . ", "--editor ", "nonsense ", "node get --nonsense x ", "watch --count x --event "} {
		var out, stderr strings.Builder
		words := append([]string{completeWord, "zsh", "--project", dir}, strings.Split(line, " ")...)
		code := run(words, streams{in: strings.NewReader(""), out: &out, err: &stderr})
		if code != 0 || stderr.Len() > 0 || strings.ContainsAny(out.String(), "/:") || strings.Contains(out.String(), "files") {
			t.Errorf("%s: exit %d, %q, %q", line, code, out.String(), stderr.String())
		}
	}
}

// From a live editor: what it says goes before the files, and nothing is asked that could change something.
func TestCompletionAsksTheEditor(t *testing.T) {
	ed := bridgetest.New(t)
	alone(t, ed)
	ed.Reply("node.find", `{"scene_path":"res://a.tscn","nodes":[{"path":".","type":"Node"},{"path":"Live One","type":"Label"}]}`)
	ed.Reply("node.list-properties", `{"properties":[{"name":"text","type":"String"}]}`)
	ed.Reply("node.list-groups", `{"groups":["mine"]}`)
	ed.Reply("class.list", `{"classes":[{"class_name":"Object","base":""},{"class_name":"Node","base":"Object"},{"class_name":"Label","base":"Node"},{"class_name":"Hero","base":"Label","path":"res://hero.gd"},{"class_name":"Mesh","base":"Object"}]}`)
	ed.Reply("signal.list", `{"signals":[{"name":"pressed"}],"methods":[{"name":"_on_pressed"}]}`)
	for line, want := range map[string]string{
		"node|get|":                          ".|Live One",
		"node|get|L":                         "Live One",
		"node|get-property|Live One|":        "text",
		"node|remove-from-group|Live One|":   "mine",
		"node|add|":                          "Node|Label|Hero",
		"class|describe|":                    "Object|Node|Label|Hero|Mesh",
		"signal|connect|Live One|":           "pressed",
		"signal|connect|.|pressed|Live One|": "_on_pressed",
		"signal|connect|.|pressed|":          ".|Live One",
		"node|get-property|--node-path=Live One|--property|t": "text",
	} {
		words := strings.Split(line, "|")
		var got []string
		for _, c := range (&app{table: commands.All(), contract: commands.ThisContract}).choices(t.Context(), append([]string{"--project", ed.Project}, words...)).list {
			got = append(got, c.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
