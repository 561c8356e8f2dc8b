package main

import (
	"context"
	_ "embed" // for the scripts
	"strings"
)

var (
	//go:embed shell/completion.bash
	bashScript string
	//go:embed shell/completion.zsh
	zshScript string
	//go:embed shell/completion.fish
	fishScript string
	//go:embed shell/completion.ps1
	powershellScript string

	shellScripts = map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript, "powershell": powershellScript}
)

// completeFor answers a shell's script: a line of words (open, files, folders) on what the shell is to do,
// then a line for each choice, behind a tab what it is. Whatever goes wrong, it offers nothing and says
// nothing: this is in the middle of somebody's prompt.
func (a *app) completeFor(ctx context.Context, args []string) {
	defer func() { _ = recover() }()
	if len(args) < 2 {
		return
	}
	shell, words := args[0], args[1:]
	if shell == "bash" {
		a.completeBash(ctx, args[1], strings.Join(args[2:], ""))
		return
	}
	c := a.choices(ctx, words)
	var b strings.Builder
	b.WriteString(c.orders())
	for _, one := range c.list {
		b.WriteString(one.Text + "\t" + one.Doc + "\n")
	}
	_ = a.write([]byte(b.String()))
}

func (c choices) orders() string {
	var words []string
	for word, on := range map[string]bool{"open": c.open, "files": c.files && len(c.list) == 0, "folders": c.folders} {
		if on {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ") + "\n"
}

// completeBash gets the line up to the cursor and the characters at which bash ends a word, and answers with
// what bash is to put in the place of the word at the cursor, quoted as that word is.
func (a *app) completeBash(ctx context.Context, line, breaks string) {
	at := readLine(line, breaks)
	if len(at.words) < 2 {
		return
	}
	c := a.choices(ctx, at.words[1:])
	var texts []string
	for _, one := range c.list {
		if rest, ok := strings.CutPrefix(one.Text, at.fixed); ok {
			texts = append(texts, rest)
		}
	}
	typed := strings.TrimPrefix(at.words[len(at.words)-1], at.fixed)
	if common := commonPrefix(texts); len(texts) > 1 && len(common) > len(typed) {
		// Bash would cut the quoted words where they part, which may be behind half an escape.
		texts, c.open = []string{common}, true
	}
	var b strings.Builder
	b.WriteString(c.orders())
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = at.quote(text)
		b.WriteString(quoted[i] + "\n")
	}
	if len(texts) > 1 && len(commonPrefix(quoted)) > len(at.quote(typed)) {
		// The same cut, for words that part right at the cursor: with an empty choice nothing is put in.
		b.WriteString(" \n")
	}
	_ = a.write([]byte(b.String()))
}

// commonPrefix is what all texts begin with, in whole characters.
func commonPrefix(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	common := []rune(texts[0])
	for _, text := range texts[1:] {
		i := 0
		for _, r := range text {
			if i == len(common) || common[i] != r {
				break
			}
			i++
		}
		common = common[:i]
	}
	return string(common)
}
