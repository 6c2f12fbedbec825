package residue

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/pmns"
)

// TestKnownPrimes raises numbers to powers modulo the primes that package pmns has
// parameters for, and modulo neighbours of them, which it must not take for them.
func TestKnownPrimes(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	taken := 0
	for _, name := range pmns.EmbeddedNames() {
		params, err := pmns.Embedded(name)
		if err != nil {
			t.Fatal(err)
		}
		bits := params.P.BitLen()
		if bits > 4096 && testing.Short() {
			continue
		}
		for _, delta := range []int64{0, -2, 2} {
			n := new(big.Int).Add(params.P, big.NewInt(delta))
			if n.BitLen() > bits {
				continue
			}
			m, err := NewModulus(n.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if m.prime != nil {
				taken++
				if delta != 0 || primeTimes[bits] == (singleTime{}) {
					t.Errorf("%s%+d is done by package pmns", name, delta)
				}
			}
			minusOne := new(big.Int).Sub(n, big.NewInt(1))
			wide := make([]byte, bits/8+9) // a base above the modulus
			for i := range wide {
				wide[i] = byte(r.Uint64())
			}
			for _, base := range []*big.Int{big.NewInt(0), big.NewInt(1), minusOne, n, new(big.Int).SetBytes(wide)} {
				for _, e := range []*big.Int{big.NewInt(0), big.NewInt(65537), new(big.Int).SetBytes(wide[:7])} {
					out := make([]byte, bits/8)
					if err := m.Exp(out, base.Bytes(), e.Bytes()); err != nil {
						t.Fatal(err)
					}
					want := new(big.Int).Exp(base, e, n)
					if got := new(big.Int).SetBytes(out); got.Cmp(want) != 0 {
						t.Fatalf("%s%+d: %#x^%#x: %#x, want %#x", name, delta, base, e, got, want)
					}
					// Three rows: one at a time as well, or in a vector.
					rows := []*big.Int{base, minusOne, base}
					zs, err := m.ExpBatchBig(context.Background(), rows, []*big.Int{e, e, big.NewInt(3)})
					if err != nil {
						t.Fatal(err)
					}
					for i, f := range []*big.Int{e, e, big.NewInt(3)} {
						if want := new(big.Int).Exp(rows[i], f, n); zs[i].Cmp(want) != 0 {
							t.Fatalf("%s%+d: %#x^%#x in a batch: %#x, want %#x", name, delta, rows[i], f, zs[i], want)
						}
					}
				}
			}
		}
	}
	if k, _ := pmns.Default(); k.Name() == "ifma512" && taken == 0 {
		t.Error("no prime was done by package pmns")
	}
}
