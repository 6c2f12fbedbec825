package folding

import (
	"encoding/json"
	"math/big"
	"strconv"
	"testing"

	"residue/internal/testvectors"
)

// TestCases: faults of other libraries' quotient estimates, with words of the width
// that shows them and with all numbers of folds.
func TestCases(t *testing.T) {
	ran := 0
	for line := range testvectors.Cases(t) {
		var c struct {
			ID, Class, Op string
			Inputs        map[string]any
			Expected      any
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if c.Class != "barrett" {
			continue
		}
		hex := func(v any) *big.Int {
			z, ok := new(big.Int).SetString(v.(string), 16)
			if !ok {
				t.Fatalf("%s: %v is no number", c.ID, v)
			}
			return z
		}
		width := uint64(32) // where the case does not name one
		if w, ok := c.Inputs["w"].(string); ok {
			var err error
			if width, err = strconv.ParseUint(w, 16, 8); err != nil {
				t.Fatal(err)
			}
		}
		var x *big.Int
		switch c.Op {
		case "mod":
			x = hex(c.Inputs["x"])
		case "modsqr":
			x = hex(c.Inputs["a"])
			x.Mul(x, x)
		default:
			t.Fatalf("%s: unknown operation %s", c.ID, c.Op)
		}
		ran++
		m := &reference{t: t, width: uint(width)}
		m.checkCase(c.ID, x, hex(c.Inputs["n"]), hex(c.Expected))
	}
	if ran == 0 {
		t.Error("no cases of class barrett")
	}
}

// checkCase checks x mod n. Both are shifted so that n fills its words, which are as
// many as are needed for x to have no more than twice that.
func (m *reference) checkCase(id string, x, n, want *big.Int) {
	m.t.Helper()
	for k := 1; ; k++ {
		shift := k*int(m.width) - n.BitLen()
		if shift < 0 || x.BitLen()+shift > 2*k*int(m.width) {
			continue
		}
		shifted := new(big.Int).Lsh(n, uint(shift))
		for folds := 0; folds <= MaxFolds(k); folds++ {
			a := &Arithmetic[uint64]{Machine: m, Leaf: 1}
			z := make([]uint64, k)
			t := m.words(new(big.Int).Lsh(x, uint(shift)), 2*k)
			a.Reduce(z, t, m.modulus(shifted, k, folds), make([]uint64, a.ReduceScratch(k, folds)))
			if got := m.big(z); got.Rsh(got, uint(shift)).Cmp(want) != 0 {
				m.t.Errorf("%s: %d folds: %x mod %x = %x, want %x", id, folds, x, n, got, want)
			}
		}
		return
	}
}
