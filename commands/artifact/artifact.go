// Package artifact keeps what tools made that is no text of an answer, such as pictures and recordings, in a
// private folder of the user's, for a while and up to a size.
//
// Each is two files: its bytes, and beside them what is known of it, which is written last. Both are written
// beside their places and renamed, so that several processes can write, read and clean at once.
package artifact

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Limits where nobody says otherwise.
const (
	DefaultMaxBytes = 256 << 20
	DefaultMaxAge   = 7 * 24 * time.Hour
)

// Kinds are what an artifact can be.
var Kinds = []string{"picture", "recording", "log"}

// Errors of a store.
var (
	ErrNotFound = errors.New("there is no such artifact, or it was too old and is gone")
	ErrTooLarge = errors.New("it is larger than all artifacts may be together")
	ErrDamaged  = errors.New("its bytes are not those that were kept")
)

// Artifact is what is known of one.
type Artifact struct {
	ID      string    `json:"artifact_id"`
	Kind    string    `json:"kind"`
	MIME    string    `json:"mime"`
	Bytes   int       `json:"bytes"`
	SHA256  string    `json:"sha256"`
	Created time.Time `json:"created_at"`
	// Tool made it, for the project in this folder.
	Tool    string `json:"tool"`
	Project string `json:"project_path"`
}

// Store is the folder. A nil store and the zero value keep nothing.
type Store struct {
	// Dir need not exist.
	Dir string
	// MaxBytes bounds all artifacts together, MaxAge each; 0 is the default.
	MaxBytes int64
	MaxAge   time.Duration

	// now is the time; nil is the clock's.
	now func() time.Time
}

const (
	infoEnd, bytesEnd, newEnd = ".json", ".bin", ".new"
	// unfinished is how old a file without the other must be for it to be nobody's work any more.
	unfinished = time.Hour
	// maxInfo is the most bytes that are read of what is known of one.
	maxInfo = 64 << 10
)

// An id has 130 random bits: whoever does not know it cannot guess it. It names files and holds nothing that
// leads elsewhere.
var idForm = regexp.MustCompile(`^[a-z2-7]{26}$`)

func newID() string { return strings.ToLower(rand.Text()) }

// Put keeps bytes, and fills in all of a but kind, MIME type, tool and project. What is too old goes, and the
// oldest ones as far as room is needed.
func (s *Store) Put(a Artifact, content []byte) (Artifact, error) {
	if s == nil {
		s = &Store{}
	}
	if int64(len(content)) > s.maxBytes() {
		return a, ErrTooLarge
	}
	if err := s.open(); err != nil {
		return a, err
	}
	sum := sha256.Sum256(content)
	a.ID, a.Bytes, a.SHA256, a.Created = newID(), len(content), hex.EncodeToString(sum[:]), s.time().UTC().Truncate(time.Millisecond)
	info, err := json.Marshal(a)
	if err != nil {
		return a, err
	}
	s.clean(int64(len(content)))
	if err := s.write(a.ID+bytesEnd, content); err != nil {
		return a, err
	}
	if err := s.write(a.ID+infoEnd, info); err != nil {
		_ = os.Remove(filepath.Join(s.Dir, a.ID+bytesEnd))
		return a, err
	}
	return a, nil
}

// Get is the artifact with its bytes, which are those that were put. Errors: ErrNotFound, ErrDamaged.
func (s *Store) Get(id string) (Artifact, []byte, error) {
	a, err := s.info(id)
	if err == nil && s.isOld(a) {
		err = ErrNotFound
	}
	if err != nil {
		return a, nil, err
	}
	content, err := s.read(id+bytesEnd, int64(a.Bytes))
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil, ErrNotFound
	}
	if err != nil {
		return a, nil, err
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != a.SHA256 {
		return a, nil, ErrDamaged
	}
	return a, content, nil
}

// List are the artifacts, the youngest first.
func (s *Store) List() []Artifact {
	return slices.DeleteFunc(s.all(), s.isOld)
}

// all are those that are kept, too old ones among them.
func (s *Store) all() []Artifact {
	var all []Artifact
	for _, name := range s.names() {
		id, isInfo := strings.CutSuffix(name, infoEnd)
		if !isInfo {
			continue
		}
		if a, err := s.info(id); err == nil {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b Artifact) int {
		if order := b.Created.Compare(a.Created); order != 0 {
			return order
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all
}

func (s *Store) names() []string {
	if s == nil || s.Dir == "" {
		return nil
	}
	entries, _ := os.ReadDir(s.Dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// info is what is known of an artifact.
func (s *Store) info(id string) (Artifact, error) {
	var a Artifact
	if s == nil || s.Dir == "" || !idForm.MatchString(id) {
		return a, ErrNotFound
	}
	text, err := s.read(id+infoEnd, maxInfo)
	if errors.Is(err, fs.ErrNotExist) {
		return a, ErrNotFound
	}
	if err != nil {
		return a, err
	}
	if json.Unmarshal(text, &a) != nil || a.ID != id {
		return a, ErrDamaged
	}
	return a, nil
}

// read is a file of the store, which is no link to one elsewhere.
func (s *Store) read(name string, most int64) ([]byte, error) {
	path := filepath.Join(s.Dir, name)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, ErrDamaged
	}
	return os.ReadFile(path)
}

// open makes the folder, private to its user.
func (s *Store) open() error {
	if s.Dir == "" {
		return errors.New("there is no folder for artifacts: neither HOME nor XDG_STATE_HOME is set")
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(s.Dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", s.Dir)
	}
	return os.Chmod(s.Dir, 0o700)
}

// write writes a file beside its place and renames it.
func (s *Store) write(name string, content []byte) error {
	path := filepath.Join(s.Dir, name)
	file, err := os.OpenFile(path+newEnd, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(path+newEnd, path)
	}
	if err != nil {
		_ = os.Remove(path + newEnd)
	}
	return err
}

// clean removes what is too old, then the oldest ones until there is room for so many more bytes.
func (s *Store) clean(more int64) {
	kept := s.all()
	total := more
	known := map[string]bool{}
	for _, a := range kept {
		total += int64(a.Bytes)
		known[a.ID] = true
	}
	for i := len(kept) - 1; i >= 0 && (total > s.maxBytes() || s.isOld(kept[i])); i-- {
		s.remove(kept[i].ID)
		total -= int64(kept[i].Bytes)
	}
	for _, name := range s.names() {
		id, _, _ := strings.Cut(name, ".")
		if !idForm.MatchString(id) || known[id] {
			continue
		}
		// Another process may be about to write the other file.
		if info, err := os.Lstat(filepath.Join(s.Dir, name)); err == nil && s.time().Sub(info.ModTime()) > unfinished {
			_ = os.Remove(filepath.Join(s.Dir, name))
		}
	}
}

// remove takes what is known of it first: without that it is not there.
func (s *Store) remove(id string) {
	_ = os.Remove(filepath.Join(s.Dir, id+infoEnd))
	_ = os.Remove(filepath.Join(s.Dir, id+bytesEnd))
}

func (s *Store) isOld(a Artifact) bool {
	age := s.MaxAge
	if age == 0 {
		age = DefaultMaxAge
	}
	return s.time().Sub(a.Created) > age
}

func (s *Store) maxBytes() int64 {
	if s.MaxBytes == 0 {
		return DefaultMaxBytes
	}
	return s.MaxBytes
}

func (s *Store) time() time.Time {
	if s.now != nil {
		return s.now()
	}
	return time.Now()
}

// Dir is the user's own folder for artifacts: godot-mcp/artifacts below $XDG_STATE_HOME or ~/.local/state, on
// macOS below ~/Library/Application Support, on Windows below %LocalAppData%; "" where none is known.
func Dir() string {
	base := stateDir()
	if base == "" {
		return ""
	}
	return filepath.Join(base, "godot-mcp", "artifacts")
}
