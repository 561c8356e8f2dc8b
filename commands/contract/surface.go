// Package contract describes what other software can build against: as a value, as facts, one a line, and
// as the difference between two sets of facts, judged by the contract's rules.
//
// It knows no tool. Package commands fills a [Surface] from the table; the facts of each contract number are
// frozen in this folder and written by go generate ./...
package contract

import "encoding/json"

// Surface is the whole contract of one build, as godot-mcp contract show prints it.
type Surface struct {
	// Version is the build, CalVer; it says nothing about compatibility.
	Version               string `json:"version"`
	ContractVersion       int    `json:"contract_version"`
	MinCompatibleContract int    `json:"min_compatible_contract"`
	// Digest is the SHA-256 of the facts without the two numbers.
	Digest    string     `json:"digest"`
	Tools     []Tool     `json:"tools"`
	Errors    []Error    `json:"errors"`
	Required  []Required `json:"required"`
	ExitCodes []ExitCode `json:"exit_codes"`
	Values    []Value    `json:"values"`
	Prompts   []Prompt   `json:"prompts"`
	Resources []Resource `json:"resources"`
	Commands  []Command  `json:"commands"`
	Env       []Env      `json:"env"`
	Envelope  []Message  `json:"envelope"`
	Events    []Message  `json:"events"`
	Limits    []Limit    `json:"limits"`
}

// Tool is one row of the table.
type Tool struct {
	// Name is the MCP name, CLI the path on the command line.
	Name         string `json:"name"`
	CLI          string `json:"cli"`
	Class        string `json:"class"`
	ExecutesCode bool   `json:"executes_code"`
	Toolset      string `json:"toolset"`
	Starter      bool   `json:"starter"`
	// Answer is the boolean result whose false means exit 10; "" for none.
	Answer string `json:"answer"`
	// Alias is the older server's name for it, without godot_; "" for none.
	Alias    string          `json:"alias"`
	AliasMap AliasMap        `json:"alias_map"`
	Summary  string          `json:"summary"`
	Params   []Param         `json:"params"`
	Result   []Result        `json:"result"`
	Example  json.RawMessage `json:"example"`
}

// AliasMap says what a call by the alias has otherwise.
type AliasMap struct {
	// Params maps an old parameter to ours.
	Params map[string]string `json:"params"`
	// Arguments maps a parameter of ours to the jq expression over the old arguments that makes it.
	Arguments map[string]string `json:"arguments"`
	// Results maps an old result to the jq expression over our result that makes it.
	Results map[string]string `json:"results"`
}

// Shape is what a value is made of, down to the leaves.
type Shape struct {
	// Type is string, integer, number, boolean, array, object or any.
	Type string   `json:"type"`
	Enum []string `json:"enum"`
	// Items is the element of an array.
	Items *Result `json:"items,omitempty"`
	// Fields are the members of an object whose keys are known.
	Fields []Result `json:"fields,omitempty"`
}

// Param is a parameter of a tool.
type Param struct {
	Name string `json:"name"`
	Shape
	Required bool `json:"required"`
	// Default is null when there is none.
	Default json.RawMessage `json:"default"`
	// Position is the place among the positionals of the command line, from 1; 0 for a flag.
	Position int `json:"position"`
	// Kind says what a text names: node, project, host-read, host-write, url, user.
	Kind string `json:"kind"`
	Doc  string `json:"doc"`
}

// Result is a field of a result, or an element of an array.
type Result struct {
	Name string `json:"name"`
	Shape
	// Optional says that the field may be absent, Nullable that it may be null.
	Optional bool   `json:"optional"`
	Nullable bool   `json:"nullable"`
	Doc      string `json:"doc"`
}

// Error is an error code.
type Error struct {
	Error   string `json:"error"`
	Exit    int    `json:"exit"`
	Meaning string `json:"meaning"`
	Next    string `json:"next"`
}

// Required is a name that stands in an error's required, beside those of parameters.
type Required struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
	Next    string `json:"next"`
}

// ExitCode is an exit status of the command line.
type ExitCode struct {
	Code int `json:"code"`
	// Name is an error code in capitals, or one word.
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

// Value is a type of the engine as JSON.
type Value struct {
	Type string `json:"type"`
	// Out is the form that is printed and accepted.
	Out string `json:"out"`
	// Accepted are the other forms that are taken.
	Accepted []string `json:"accepted"`
}

// Prompt is an MCP prompt.
type Prompt struct {
	Name      string   `json:"name"`
	Arguments []string `json:"arguments"`
}

// Resource is an MCP resource or a template of some.
type Resource struct {
	URI string `json:"uri"`
}

// Command is a command that is no tool; the one with the empty name stands for all of them.
type Command struct {
	Name  string `json:"name"`
	Flags []Flag `json:"flags"`
}

// Flag is a flag of a command.
type Flag struct {
	Name  string `json:"name"`
	Short string `json:"short"`
	// Type is string, int, bool, or stringArray for one that is repeated.
	Type string `json:"type"`
	Doc  string `json:"doc"`
}

// Env is an environment variable.
type Env struct {
	Name string `json:"name"`
	// Refused says that it is recognised and the command refused.
	Refused bool   `json:"refused"`
	Doc     string `json:"doc"`
}

// Message is one kind of message of the bridge, an event, or the line that the command line writes.
type Message struct {
	Name   string   `json:"name"`
	Doc    string   `json:"doc"`
	Fields []Result `json:"fields"`
}

// Limit is a number that callers can run into.
type Limit struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
	Unit  string `json:"unit"`
	Doc   string `json:"doc"`
}
