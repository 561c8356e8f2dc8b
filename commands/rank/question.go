package rank

import (
	"cmp"
	"slices"
	"strings"
)

// Unknown stands in synonyms for each word: in a question any word may be the name of something.
const Unknown = "?"

// What a word counts that is not the question's own.
const (
	synonymWeight = 0.53
	typoWeight    = 0.45
	unknownWeight = 0.12
	// A word with a capital is a name and says less by itself.
	capitalWeight = 0.48
	// How much of its weight a name keeps in a question that says what it is about.
	besideThing = 0.3
)

// vocabulary is Words by their stems.
type vocabulary struct {
	synonyms map[string][]string
	moods    map[string]string
	things   map[string]bool
	// longest is the most words in a row that are known as one.
	longest int
}

func newVocabulary(words Words) vocabulary {
	v := vocabulary{synonyms: map[string][]string{}, moods: map[string]string{}, things: map[string]bool{}}
	for _, thing := range words.Things {
		v.things[stem(thing)] = true
	}
	for from, to := range words.Synonyms {
		key := stems(from)
		if from == Unknown {
			key = []string{Unknown}
		}
		v.longest = max(v.longest, len(key))
		v.synonyms[joined(key)] = append(v.synonyms[joined(key)], stems(joined(to))...)
	}
	for from, mood := range words.Moods {
		v.moods[joined(stems(from))] = mood
	}
	return v
}

// asked is a question as it is understood.
type asked struct {
	// understood is false when no word is one of the documents, a synonym or a slip of either: a name at most.
	understood bool
	slots      []slot
	mood       string
	known      map[string]float64
}

// slot is a word of the question, or several that are known as one, with all that may be meant.
type slot []meaning

type meaning struct {
	word   string
	weight float64
}

// weight is how much the question says the word, 0 for not at all.
func (q asked) weight(word string) float64 { return q.known[word] }

func (q asked) has(word string) bool { return q.known[word] > 0 }

// read understands a question: what a person says in several words first, then word by word.
func (x *Index) read(question string) asked {
	plain, names := readNames(question)
	spelled, list := words(plain), stems(plain)
	q := asked{mood: x.words.mood(list), known: map[string]float64{}}
	namesCount := 1.0
	if slices.ContainsFunc(list, func(w string) bool { return x.words.things[w] }) {
		namesCount = besideThing
	}
	for i := 0; i < len(list); {
		n := x.words.known(list[i:])
		isIdle := idle[spelled[i]]
		var meant map[string]float64
		switch {
		case n > 1:
			meant = weighted(x.words.synonyms[joined(list[i:i+n])], 1)
		case !isIdle:
			var known bool
			meant, known = x.single(list[i], names[spelled[i]])
			q.understood = q.understood || known
		case n == 1:
			meant = weighted(x.words.synonyms[list[i]], synonymWeight)
		}
		for _, name := range x.words.synonyms[Unknown] {
			if meant[name] > 0 && list[i] != name {
				meant[name] *= namesCount
			}
		}
		q.understood = q.understood || n > 0
		if len(meant) > 0 {
			q.slots = append(q.slots, inOrder(meant))
		}
		for w, weight := range meant {
			q.known[w] = max(q.known[w], weight)
		}
		i += max(n, 1)
	}
	return q
}

// inOrder makes that sums over meanings are always the same.
func inOrder(meant map[string]float64) slot {
	var s slot
	for w, weight := range meant {
		s = append(s, meaning{w, weight})
	}
	slices.SortFunc(s, func(a, b meaning) int { return cmp.Compare(a.word, b.word) })
	return s
}

// known is how many words at the beginning are known as one, 0 for none.
func (v vocabulary) known(list []string) int {
	for n := min(v.longest, len(list)); n > 0; n-- {
		if _, known := v.synonyms[joined(list[:n])]; known {
			return n
		}
	}
	return 0
}

// mood is that of the first words which have one.
func (v vocabulary) mood(list []string) string {
	for i := range list {
		for n := min(4, len(list)-i); n > 0; n-- {
			if mood, known := v.moods[joined(list[i:i+n])]; known {
				return mood
			}
		}
	}
	return ""
}

func weighted(list []string, weight float64) map[string]float64 {
	out := map[string]float64{}
	for _, w := range list {
		out[w] = weight
	}
	return out
}

// single is what a word may mean: itself, a synonym, a word that it is a slip of, or a name. known is false
// for one that can only be a name.
func (x *Index) single(word string, isName bool) (meant map[string]float64, known bool) {
	meant = weighted(x.words.synonyms[word], synonymWeight)
	near := ""
	if len(meant) == 0 && x.terms[word] == nil {
		near = x.nearest(word)
	}
	known = len(meant) > 0 || x.terms[word] != nil || near != ""
	meant[word] = 1
	if near != "" {
		meant[near] = typoWeight
		for _, other := range x.words.synonyms[near] {
			meant[other] = max(meant[other], typoWeight*synonymWeight)
		}
	}
	unknown := unknownWeight
	if isName {
		for w := range meant {
			meant[w] *= capitalWeight
		}
		unknown = capitalWeight
	}
	for _, other := range x.words.synonyms[Unknown] {
		meant[other] += unknown
	}
	return meant, known
}

// nearest is a known word that the word may be a slip of, "" for none.
func (x *Index) nearest(word string) string {
	best, distance := "", 1+len(word)/7
	if len(word) < 4 {
		return ""
	}
	try := func(w string) {
		if len(w) < 4 || max(len(w)-len(word), len(word)-len(w)) > distance || strings.Contains(w, " ") {
			return
		}
		if d := Distance(word, w); d < distance || d == distance && (best == "" || w < best) {
			best, distance = w, d
		}
	}
	for w := range x.terms {
		try(w)
	}
	for w := range x.words.synonyms {
		try(w)
	}
	return best
}
