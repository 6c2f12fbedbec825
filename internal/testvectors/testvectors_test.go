package testvectors

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestLines: all lines of a file are read, also those that are longer than a scanner's buffer
// by itself, and what follows them.
func TestLines(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("RESIDUE_VECTORS", dir)
	want := [][]byte{[]byte("first"), bytes.Repeat([]byte("x"), 1<<20), []byte("last")}
	if err := os.Mkdir(filepath.Join(dir, "cases"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(Path(t, "cases", "cases.jsonl"), bytes.Join(want, []byte("\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	i := 0
	for line := range Cases(t) {
		if i >= len(want) || !bytes.Equal(line, want[i]) {
			t.Fatalf("line %d has %d bytes", i, len(line))
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d lines, want %d", i, len(want))
	}
	if got := Read(t, "cases", "cases.jsonl"); !bytes.Equal(got, bytes.Join(want, []byte("\n"))) {
		t.Error("the file is not what was written")
	}
}
