package commands

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/godot-mcp/godot-mcp/commands/rank"
)

// personsWords is what people say for tools and for the words in them; its head tells the form.
//
//go:embed synonyms.txt
var personsWords string

// FoundTool is a tool that a search gave, with its score.
type FoundTool struct {
	Tool  *Tool
	Score float64
}

// searchIndex is made when first asked for.
type searchIndex struct {
	once  sync.Once
	index *rank.Index
}

// Search gives the tools that may be meant by a question in a person's words, the best first.
func (t *Table) Search(question string) []FoundTool {
	t.search.once.Do(func() { t.search.index = t.newIndex() })
	var found []FoundTool
	for _, hit := range t.search.index.Search(question) {
		found = append(found, FoundTool{t.Tools[hit.Document], math.Round(hit.Score*100) / 100})
	}
	if named, _ := t.Lookup(question); named != nil {
		return first(named, found)
	}
	return found
}

// first brings a tool that was asked for by its name to the front.
func first(named *Tool, found []FoundTool) []FoundTool {
	best := FoundTool{Tool: named}
	if len(found) > 0 {
		best.Score = found[0].Score
	}
	found = slices.DeleteFunc(found, func(f FoundTool) bool { return f.Tool == named })
	return slices.Insert(found, 0, best)
}

func (t *Table) newIndex() *rank.Index {
	phrases, words := readSynonyms(personsWords)
	var documents []rank.Document
	for _, tool := range t.Tools {
		documents = append(documents, tool.document(phrases[tool.Name]))
	}
	return rank.New(documents, words)
}

// document is what a tool is found by.
func (t *Tool) document(phrases []string) rank.Document {
	var parameters strings.Builder
	for _, f := range t.Params() {
		if f.Name == "dry_run" || f.Name == "confirm" || f.Name == "scene_path" {
			continue // nearly all have them
		}
		parameters.WriteString(f.Name + " " + strings.Join(f.Enum, " ") + " ")
	}
	topic, _, several := strings.Cut(t.Name, " ")
	if !several {
		topic = ""
	}
	return rank.Document{
		Name: t.Name, Phrases: phrases, Mood: t.mood(), Topic: topic,
		Fields: []rank.Field{
			{Text: t.Summary, Weight: 1}, {Text: parameters.String(), Weight: 0.3},
			{Text: t.Alias, Weight: 0.5}, {Text: GroupSummary(t.Group()), Weight: 0.3},
		},
	}
}

// Moods of a question, and of the tools that answer it.
const (
	asks  = "asks"
	tells = "tells"
)

// mood is asks for a tool that looks, tells for one that changes; a tool that waits, or runs something, is
// called for in both ways.
func (t *Tool) mood() string {
	_, verb, _ := strings.Cut(t.Name, " ")
	switch {
	case t.Class == Mutating || t.Class == Destructive:
		return tells
	case t.Class == Runtime, slices.Contains([]string{"enable", "disable", "wait", "snapshot", "screenshot", "rescan"}, verb):
		return ""
	}
	return asks
}

// readSynonyms reads synonyms.txt: phrases by tool, and by a person's words those of the tools. Tools that
// this build does not have are in it for those that do.
func readSynonyms(text string) (phrases map[string][]string, words rank.Words) {
	phrases = map[string][]string{}
	words = rank.Words{Synonyms: map[string][]string{}, Moods: map[string]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if mood, said, ok := strings.Cut(line, "! "); ok {
			if mood == "things" {
				words.Things = append(words.Things, split(said)...)
				continue
			}
			for _, s := range split(said) {
				words.Moods[s] = mood
			}
			continue
		}
		if tool, said, ok := strings.Cut(line, ": "); ok {
			phrases[tool] = append(phrases[tool], split(said)...)
			continue
		}
		said, meant, _ := strings.Cut(line, " = ")
		for _, s := range split(said) {
			words.Synonyms[s] = append(words.Synonyms[s], meant)
		}
	}
	return phrases, words
}

func split(list string) []string {
	parts := strings.Split(list, ",")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return parts
}
