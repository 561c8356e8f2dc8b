package rank

import (
	"regexp"
	"strings"
	"unicode"
)

// Words that tell nothing about what is meant.
var idle = set(`a an the this that these those it its is are was were be been am do does did done doing can could
	will would should shall may might must i me my mine we us our you your he she they them their there here to of
	in on at by for from with without into onto as and or but so if then than too also just even ever please want
	need like lets let have has had get got how what which who where when why whose any some about again now right
	really actually oops hey ok thing things stuff one ones up out back am im id ive whats hows dont doesnt isnt
	cant wont shouldnt anymore still yet already only not no called hello hi nope
	great thanks maybe first second everything anything something someone go going gone come comes use used`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

var apostrophes = strings.NewReplacer("'", "", "’", "")

// words are the words of a text in lower case. An apostrophe stands inside a word, all else between words.
func words(text string) []string {
	text = apostrophes.Replace(strings.ToLower(text))
	list := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range list {
		switch {
		case strings.Trim(w, "0123456789") == "":
			list[i] = "0"
		case len(w) > 2 && (strings.HasSuffix(w, "2d") || strings.HasSuffix(w, "3d")):
			list[i] = "nodeclass"
		}
	}
	return list
}

// stems are the words by which texts are compared.
func stems(text string) []string {
	out := words(text)
	for i, w := range out {
		out[i] = stem(w)
	}
	return out
}

// stem takes the endings of plain English off, so that saved, saves and saving are save. It need not give a
// word, only the same for what belongs together.
func stem(w string) string {
	w = singular(w)
	for _, end := range []string{"ing", "ed"} {
		base, ok := strings.CutSuffix(w, end)
		if !ok || len(base) < 3 && !hasVowel(base) || !hasVowel(base) || w == "setting" || w == "string" {
			continue
		}
		w = undouble(base)
		break
	}
	if base, ok := strings.CutSuffix(w, "ction"); ok && len(base) > 1 {
		w = base + "ct"
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	if base, ok := strings.CutSuffix(w, "y"); ok && len(base) > 2 {
		w = base + "i"
	}
	return w
}

func singular(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	}
	return strings.TrimSuffix(w, "s")
}

func hasVowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

// undouble makes run of runn.
func undouble(w string) string {
	n := len(w)
	if n > 2 && w[n-1] == w[n-2] && !strings.ContainsRune("lszaeiou", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

var (
	quoted   = regexp.MustCompile(`"[^"]*"|“[^”]*”`)
	fileName = regexp.MustCompile(`[\w:/%-]+\.([a-z][a-z0-9]{1,8})\b`)
	// A word with a capital that does not begin the question.
	capital = regexp.MustCompile(`[^.?!\s]\s+([A-Z]\w+)`)
)

// readNames takes out of a question what is a text or the name of a file, and tells the words that are
// names of something: they say little by themselves.
func readNames(question string) (plain string, names map[string]bool) {
	plain = quoted.ReplaceAllString(question, " quotedtext ")
	plain = fileName.ReplaceAllString(plain, " $1 ")
	names = map[string]bool{}
	for _, found := range capital.FindAllStringSubmatch(plain, -1) {
		for _, w := range words(found[1]) {
			names[w] = true
		}
	}
	return plain, names
}
