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
	for _, f := range derived() {
		path := filepath.Join(root, filepath.FromSlash(f.path))
		have, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			fail(err)
		}
		want, err := f.make(string(have))
		if err != nil {
			fail(fmt.Errorf("%s: %w", f.path, err))
		}
		if want == string(have) {
			continue
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			fail(err)
		}
		fmt.Println("wrote", f.path)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "generate:", err)
	os.Exit(1)
}
