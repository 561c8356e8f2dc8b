// Package rank orders short documents by how well they answer a question in a person's words: weighted
// fields and rare words before common ones (BM25F), a person's words for the documents' own, what kind of
// question it is, and slips of the keyboard. The same question always gives the same order.
package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Field is a text of a document and how much a word in it says.
type Field struct {
	Text   string
	Weight float64
}

// Document is what is found.
type Document struct {
	// Name has the words that matter most: a document whose whole name is meant comes first.
	Name string
	// Topic is a word that what the document is about goes by, "" for none: without it, or a synonym, in the
	// question the document is meant less.
	Topic string
	// Mood is one of [Words].Moods, "" for a document that answers questions of each.
	Mood string
	// Phrases are what a person may say for it.
	Phrases []string
	Fields  []Field
}

// Words is what is known of a person's words.
type Words struct {
	// Synonyms gives for words, also for several in a row, those of the documents.
	Synonyms map[string][]string
	// Things are words that say what a question is about: where one stands, fewer others are names.
	Things []string
	// Moods gives for words that begin a question what kind of question it is.
	Moods map[string]string
}

// Hit is a document by its place in the list, with its score.
type Hit struct {
	Document int
	Score    float64
}

// What words and matches weigh: found by trial on questions, none of them is critical.
const (
	nameWeight   = 4.5
	phraseWeight = 1.5
	// A word that stands often in a document says little more than one that stands in it once.
	saturation   = 1.3
	lengthEffect = 0.3
	nameBonus    = 0.36
	phraseBonus  = 0.88
	// How much of the score depends on how much of the question is met.
	coverage   = 0.44
	otherMood  = 0.58
	otherTopic = 0.8
)

// Index is made once for a list of documents.
type Index struct {
	documents []indexed
	terms     map[string]*term
	words     vocabulary
}

type indexed struct {
	name, topic []string
	mood        string
	phrases     [][]string
	length      float64
}

// term is a word of the documents: how rare it is and where it stands.
type term struct {
	idf   float64
	found []posting
}

type posting struct {
	document int
	weight   float64
}

// New makes the index.
func New(documents []Document, words Words) *Index {
	x := &Index{terms: map[string]*term{}, words: newVocabulary(words)}
	total := 0.0
	for i, d := range documents {
		x.documents = append(x.documents, x.add(i, d))
		total += x.documents[i].length
	}
	count := float64(len(documents))
	for i := range x.documents {
		x.documents[i].length *= count / total
	}
	for _, t := range x.terms {
		n := float64(len(t.found))
		t.idf = math.Log(1 + (count-n+0.5)/(n+0.5))
	}
	return x
}

func (x *Index) add(at int, d Document) indexed {
	doc := indexed{name: stems(d.Name), topic: stems(d.Topic), mood: d.Mood}
	weights := map[string]float64{}
	count := func(list []string, weight float64) {
		for _, w := range list {
			weights[w] += weight
			doc.length += weight
		}
	}
	count(doc.name, nameWeight)
	for _, p := range d.Phrases {
		phrase := meaningful(p)
		doc.phrases = append(doc.phrases, phrase)
		count(phrase, phraseWeight)
	}
	for _, f := range d.Fields {
		count(meaningful(f.Text), f.Weight)
	}
	for w, weight := range weights {
		if x.terms[w] == nil {
			x.terms[w] = &term{}
		}
		x.terms[w].found = append(x.terms[w].found, posting{at, weight})
	}
	return doc
}

// Search gives the documents that have anything of the question, the best first; none for a question of which
// no word is known.
func (x *Index) Search(question string) []Hit {
	q := x.read(question)
	if !q.understood {
		return nil
	}
	scores, met, all := x.match(q)
	var hits []Hit
	for i, score := range scores {
		if score == 0 {
			continue
		}
		d := x.documents[i]
		if q.mood != "" && d.mood != "" && d.mood != q.mood {
			score *= otherMood
		}
		if len(d.topic) > 0 && !slices.ContainsFunc(d.topic, q.has) {
			score *= otherTopic
		}
		hits = append(hits, Hit{i, x.bonus(d, q, score) * (1 - coverage + coverage*met[i]/all)})
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits
}

// Knows is true for a word that stands in a document.
func (x *Index) Knows(word string) bool { return x.terms[stem(strings.ToLower(word))] != nil }

// match adds up what each document has of the question: its score, and how much of all that could be met.
func (x *Index) match(q asked) (scores, met []float64, all float64) {
	scores, met = make([]float64, len(x.documents)), make([]float64, len(x.documents))
	best := make([]float64, len(x.documents))
	for _, s := range q.slots {
		clear(best)
		most := 0.0
		for _, may := range s {
			t := x.terms[may.word]
			if t == nil {
				continue
			}
			most = max(most, may.weight*t.idf)
			for _, p := range t.found {
				norm := saturation * (1 - lengthEffect + lengthEffect*x.documents[p.document].length)
				scores[p.document] += may.weight * t.idf * p.weight * (saturation + 1) / (p.weight + norm)
				best[p.document] = max(best[p.document], may.weight*t.idf)
			}
		}
		all += most
		for i, b := range best {
			met[i] += b
		}
	}
	return scores, met, all
}

// bonus raises a document whose name, or one of whose phrases, is meant as a whole.
func (x *Index) bonus(d indexed, q asked, score float64) float64 {
	name, all := x.share(d.name, q)
	best := 0.0
	for _, phrase := range d.phrases {
		have, _ := x.share(phrase, q)
		best = max(best, have)
	}
	return score*(1+nameBonus*name/all) + phraseBonus*best
}

// share is how much of the words the question has, and how much they are altogether; rare ones count more.
func (x *Index) share(list []string, q asked) (have, all float64) {
	for _, w := range list {
		idf := x.terms[w].idf
		all += idf
		have += q.weight(w) * idf
	}
	return have, all
}

// meaningful are the stems of the words that tell something.
func meaningful(text string) []string {
	var out []string
	for _, w := range words(text) {
		if !idle[w] {
			out = append(out, stem(w))
		}
	}
	return out
}

func joined(list []string) string { return strings.Join(list, " ") }
