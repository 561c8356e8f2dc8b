package addon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"sort"
	"strings"
)

// manifestName is a file that installing writes beside the addon's own: what was installed, as sha256sum
// prints it. By it a later binary tells what was changed by hand from what is only older, and takes out
// what its own version no longer has.
const manifestName = Folder + "/files.sha256"

// manifest holds the SHA-256 of files by their path in a project.
type manifest map[string]string

// ownManifest is about the files that this binary carries.
func ownManifest() manifest {
	m := manifest{}
	for _, name := range names() {
		m[name] = sumOf(content(name))
	}
	return m
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(plainEnds(text))
	return hex.EncodeToString(sum[:])
}

// text is the manifest with paths as they are below the addon's folder.
func (m manifest) text() []byte {
	var b strings.Builder
	for _, name := range m.names() {
		fmt.Fprintf(&b, "%s  %s\n", m[name], strings.TrimPrefix(name, Folder+"/"))
	}
	return []byte(b.String())
}

func (m manifest) names() []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// readManifest returns what a project's manifest says, nothing where there is none. A path that leads out
// of the addon's folder is passed over: the file is the project's.
func readManifest(project string) manifest {
	m := manifest{}
	text, err := os.ReadFile(in(project, manifestName))
	if err != nil {
		return m
	}
	for line := range strings.Lines(string(text)) {
		sum, path, found := strings.Cut(strings.TrimRight(line, "\r\n"), "  ")
		if found && len(sum) == sha256.Size*2 && isInside(path) {
			m[Folder+"/"+path] = sum
		}
	}
	return m
}

func isInside(path string) bool {
	if path == "" || strings.ContainsAny(path, "\\:") {
		return false
	}
	for _, part := range strings.Split(path, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// modified are the files that are not as the manifest says, missing ones too.
func (m manifest) modified(project string) []string {
	out := []string{}
	for _, name := range m.names() {
		if text, err := os.ReadFile(in(project, name)); err != nil || sumOf(text) != m[name] {
			out = append(out, name)
		}
	}
	return out
}
