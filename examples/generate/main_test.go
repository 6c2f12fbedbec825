package main

import (
	"bytes"
	"math/big"
	"os"
	"path/filepath"
	"testing"
)

// TestFilesAreCurrent fails when go generate would change a file.
func TestFilesAreCurrent(t *testing.T) {
	for name, want := range files() {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
			t.Errorf("%s is not what the generator writes; run go generate in examples", name)
		}
	}
}

// TestPrimes checks that the formula and the constants give safe primes, with 2 a
// square and so a generator of the subgroup of prime order.
func TestPrimes(t *testing.T) {
	for _, g := range groups {
		p := g.prime()
		if p.BitLen() != g.bits {
			t.Errorf("group %d: %d bits, want %d", g.number, p.BitLen(), g.bits)
		}
		if testing.Short() && g.bits > 3072 {
			continue
		}
		q := new(big.Int).Rsh(p, 1)
		if !p.ProbablyPrime(0) || !q.ProbablyPrime(0) {
			t.Errorf("group %d: not a safe prime", g.number)
		}
		if new(big.Int).Exp(big.NewInt(2), q, p).Cmp(big.NewInt(1)) != 0 {
			t.Errorf("group %d: 2 is not a square", g.number)
		}
	}
}
