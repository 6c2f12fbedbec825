package pmns

import (
	"bytes"
	"embed"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

//go:generate go run ./internal/makesets

// sets are parameters for the primes of RFC 2409, 3526 and 7919, made by internal/makesets.
//
//go:embed sets/*.json
var sets embed.FS

// EmbeddedNames returns the names of the parameters that [Embedded] has: that of the
// prime, and of n and s where there is more than one set for it.
func EmbeddedNames() []string {
	files, err := sets.ReadDir("sets")
	if err != nil {
		panic(err) // the directory is in the binary
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".json"))
	}
	return names
}

// Embedded returns the parameters of a name. They have been verified by this package's
// tests; [NewSystem] verifies them again.
func Embedded(name string) (*Params, error) {
	b, err := sets.ReadFile("sets/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("pmns: there are no parameters with the name %q", name)
	}
	p := new(Params)
	return p, p.UnmarshalJSON(b)
}

// EmbeddedFor returns the embedded parameters for a prime, the cheapest first.
func EmbeddedFor(prime *big.Int) []*Params {
	var found []*Params
	for _, name := range EmbeddedNames() {
		// The prime is written as in the document: that saves reading all of them.
		b, _ := sets.ReadFile("sets/" + name + ".json")
		if !bytes.Contains(b, fmt.Appendf(nil, `"p": "%#x"`, prime)) {
			continue
		}
		if p, err := Embedded(name); err == nil {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b *Params) int { return a.Cost(Truncated) - b.Cost(Truncated) })
	return found
}
