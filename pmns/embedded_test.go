package pmns

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"residue/pmns/internal/rfcprimes"
)

// TestEmbedded verifies all sets, compares their primes with the definitions, and finds
// them by those.
func TestEmbedded(t *testing.T) {
	names := EmbeddedNames()
	count := 0
	for _, p := range rfcprimes.All {
		value := p.Value()
		found := EmbeddedFor(value)
		if len(found) != len(p.Shapes()) {
			t.Errorf("%s has %d sets", p.Name, len(found))
		}
		for i, set := range found {
			count++
			s := p.Shapes()[i]
			name := p.Name
			if i > 0 {
				name = fmt.Sprintf("%s_%dx%d", p.Name, s.N, s.Words)
			}
			if set.Name != name || set.N != s.N || set.Words != s.Words || set.Width != s.Width || set.Lambda != 2 || set.P.Cmp(value) != 0 {
				t.Errorf("%s is number %d of %s: n = %d, s = %d, w = %d, λ = %d", set.Name, i, p.Name, set.N, set.Words, set.Width, set.Lambda)
			}
			if err := set.Verify(); err != nil {
				t.Errorf("%s: %v", set.Name, err)
			}
		}
	}
	if count != len(names) {
		t.Errorf("%d sets, %d of them found", len(names), count)
	}
	if found := EmbeddedFor(testSets()[0].P); found != nil {
		t.Errorf("%s is for another prime", found[0].Name)
	}
	if _, err := Embedded("modp2047"); err == nil {
		t.Error("no error for a name that is not there")
	}
}

// TestMadeAgain makes some of the embedded sets again.
func TestMadeAgain(t *testing.T) {
	names := []string{"modp1024", "modp2048", "ffdhe2048", "modp4096", "modp4096_15x6", "modp2048_24x2"}
	if testing.Short() {
		names = names[:2]
	}
	for _, name := range names {
		want := mustEmbedded(t, name)
		prime, _, _ := strings.Cut(name, "_")
		o := &Options{}
		if prime != name {
			o = &Options{N: want.N, Words: want.Words, Width: want.Width}
		}
		got, err := New(context.Background(), rfcprimes.Named(prime), o)
		if err != nil {
			t.Fatal(err)
		}
		got.Name = name
		wantSame(t, got, want)
		var b bytes.Buffer
		got.Write(&b)
		if file, _ := sets.ReadFile("sets/" + name + ".json"); !bytes.Equal(file, b.Bytes()) {
			t.Errorf("the file of %s is not what Write writes", name)
		}
	}
}
