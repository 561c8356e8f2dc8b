// Command generate writes the files that are derived from the table of tools. Run it by go generate ./...
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	failed := false
	for _, f := range derived() {
		if err := write(root, f); err != nil {
			fmt.Fprintf(os.Stderr, "generate: %s: %v\n", f.path, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// write brings one file up to date.
func write(root string, f file) error {
	path := filepath.Join(root, filepath.FromSlash(f.path))
	have, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	want, err := f.make(string(have))
	if err != nil || want == string(have) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	fmt.Println("wrote", f.path)
	return os.WriteFile(path, []byte(want), 0o644)
}
