// Package testvectors reads the collection of test vectors that others have made. It is kept
// apart from the project: the environment variable RESIDUE_VECTORS names its directory, and
// tests that need it skip where there is none.
package testvectors

import (
	"bufio"
	"iter"
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file of the collection, by its elements.
func Path(t testing.TB, name ...string) string {
	t.Helper()
	dir := os.Getenv("RESIDUE_VECTORS")
	if dir == "" {
		t.Skip("RESIDUE_VECTORS does not name the directory of test vectors")
	}
	return filepath.Join(append([]string{dir}, name...)...)
}

// Read returns a file.
func Read(t testing.TB, name ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(Path(t, name...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// mostBytes is the length of the longest line.
const mostBytes = 1 << 24

// Lines returns the lines of a file, which may be long. A test that they are not read to the
// end for is one that fails.
func Lines(t testing.TB, name ...string) iter.Seq[[]byte] {
	t.Helper()
	f, err := os.Open(Path(t, name...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, mostBytes)
	return func(yield func([]byte) bool) {
		for lines.Scan() {
			if !yield(lines.Bytes()) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// Cases returns the lines of the collection of cases: each is a known fault of some library, in
// JSON.
func Cases(t testing.TB) iter.Seq[[]byte] {
	t.Helper()
	return Lines(t, "cases", "cases.jsonl")
}
