package commands

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
)

// Digest is the SHA-256 of the catalogue in lower-case hex: names, classes, schemas of every tool. Two
// builds with the same digest take the same calls.
func (t *Table) Digest() string {
	tools := append([]*Tool(nil), t.Tools...)
	sort.Slice(tools, func(i, j int) bool { return tools[i].Name < tools[j].Name })
	sum := sha256.New()
	for _, tool := range tools {
		fmt.Fprintf(sum, "%s\n%s\n%s\n%t\n%s\n%s\n%s\n", tool.Name, tool.Class, tool.Toolset,
			tool.ExecutesCode, tool.Alias, tool.InputSchema(), tool.OutputSchema())
	}
	return hex.EncodeToString(sum.Sum(nil))
}
