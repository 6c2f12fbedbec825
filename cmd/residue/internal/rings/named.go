package rings

import (
	"fmt"
	"slices"
	"strings"
)

// Named is a ring that has names.
type Named struct {
	Names []string // the first is the one that is shown
	Q     int64
	N     int
	Of    string // what it is from
}

// List has the rings of schemes of lattice cryptography.
var List = []Named{
	{[]string{"ml-kem", "kyber"}, 3329, 256, "FIPS 203"},
	{[]string{"ml-dsa", "dilithium"}, 8380417, 256, "FIPS 204"},
	{[]string{"saber"}, 1 << 13, 256, "Saber, round 3"},
	{[]string{"falcon-512", "fn-dsa-512"}, 12289, 512, "Falcon, round 3"},
	{[]string{"falcon-1024", "fn-dsa-1024"}, 12289, 1024, "Falcon, round 3"},
}

// Lookup returns the ring of a name, in letters of either case.
func Lookup(name string) (Named, error) {
	var known []string
	for _, r := range List {
		if slices.Contains(r.Names, strings.ToLower(name)) {
			return r, nil
		}
		known = append(known, r.Names...)
	}
	return Named{}, fmt.Errorf("unknown ring %q (known: %s)", name, strings.Join(known, ", "))
}
