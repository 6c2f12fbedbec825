package barrett

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"residue/batch"
	"residue/internal/testvectors"
)

// vectorCase is a line of cases.jsonl: one known fault of some library.
type vectorCase struct {
	ID, Op   string
	Inputs   map[string]any
	Expected any
}

// number returns an input, or an expected result if it has no name.
func (c *vectorCase) number(t *testing.T, name string) *big.Int {
	t.Helper()
	v := c.Expected
	if name != "" {
		v = c.Inputs[name]
	}
	x, ok := new(big.Int).SetString(fmt.Sprint(v), 16)
	if !ok {
		t.Fatalf("%s: %v is not a hexadecimal number", name, v)
	}
	return x
}

// TestCases runs the cases that are residues, products, squares or powers, of every
// class: any modulus will do.
func TestCases(t *testing.T) {
	ran := map[string]int{}
	for line := range testvectors.Cases(t) {
		var c vectorCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.ID, func(t *testing.T) {
			if runCase(t, &c) {
				ran[c.Op]++
			}
		})
	}
	for _, op := range []string{"mod", "modmul", "modsqr", "modexp"} {
		if ran[op] == 0 {
			t.Errorf("no case of %s", op)
		}
	}
}

// runCase reports whether the case is one for this package.
func runCase(t *testing.T, c *vectorCase) bool {
	switch c.Op {
	case "mod":
		caseExp(t, c.number(t, "x"), bigOne, c.number(t, "n"), c.number(t, ""))
		caseReduce(t, c.number(t, "x"), c.number(t, "n"), c.number(t, ""))
	case "modmul":
		a, b := c.number(t, "a"), c.number(t, "b")
		caseReduce(t, a.Mul(a, b), c.number(t, "n"), c.number(t, ""))
	case "modsqr":
		a := c.number(t, "a")
		caseExp(t, a, big.NewInt(2), c.number(t, "n"), c.number(t, ""))
		caseReduce(t, new(big.Int).Mul(a, a), c.number(t, "n"), c.number(t, ""))
	case "modexp", "fixedbase_exp":
		if c.number(t, "exp").Sign() < 0 || c.number(t, "mod").Sign() <= 0 {
			return false
		}
		caseExp(t, c.number(t, "base"), c.number(t, "exp"), c.number(t, "mod"), c.number(t, ""))
	default:
		return false
	}
	return true
}

// caseReduce checks x mod n in both engines, for all numbers of folds, with moduli as
// long as n and longer.
func caseReduce(t *testing.T, x, n, want *big.Int) {
	t.Helper()
	if x.Sign() < 0 {
		return
	}
	eachKernel(t, func(t *testing.T, k *Kernel) {
		for _, bits := range []int{n.BitLen(), n.BitLen() + 70, n.BitLen() + 600} {
			if x.BitLen() > 2*bits {
				continue
			}
			for folds := range MaxFolds(bits) + 1 {
				m := newModulus(t, k, bits, n, folds)
				z := make([]uint64, m.k)
				m.Reduce(z, bigWords(x, 2*m.k), nil)
				if got := wordsBig(z); got.Cmp(want) != 0 {
					t.Fatalf("%d bits, %d folds: %#x mod %#x = %#x, want %#x", bits, folds, x, n, got, want)
				}
			}
			for folds := range LaneFolds(bits) + 1 {
				m := newModuli(t, k, bits, folds, []*big.Int{n})
				z, wide := batch.NewInts(m.Limbs()), batch.NewInts(2*m.Limbs())
				setBig(wide, 0, x)
				m.Reduce(z, wide, nil)
				if got := getBig(z, 0); got.Cmp(want) != 0 {
					t.Fatalf("in lanes, %d bits, %d folds: %#x mod %#x = %#x, want %#x", bits, folds, x, n, got, want)
				}
			}
		}
	})
}

// caseExp checks x^e mod n in both engines.
func caseExp(t *testing.T, x, e, n, want *big.Int) {
	t.Helper()
	if x.Sign() < 0 {
		x = new(big.Int).Mod(x, n)
	}
	bits := n.BitLen()
	eachKernel(t, func(t *testing.T, k *Kernel) {
		m := newModulus(t, k, bits, n, Auto)
		out := make([]byte, (bits+7)/8)
		if _, err := m.ExpBytes(context.Background(), out, x.Bytes(), e.Bytes(), e.BitLen()); err != nil {
			t.Fatal(err)
		}
		if got := new(big.Int).SetBytes(out); got.Cmp(want) != 0 {
			t.Fatalf("%#x^%#x mod %#x = %#x, want %#x", x, e, n, got, want)
		}
		ms := newModuli(t, k, bits, Auto, []*big.Int{n})
		z, d := batch.NewInts(ms.Limbs()), batch.NewInts(e.BitLen()/batch.DigitBits+1)
		setBig(z, 0, new(big.Int).Mod(x, n))
		setBig(d, 0, e)
		if err := ms.Exp(context.Background(), z, z, d, e.BitLen()); err != nil {
			t.Fatal(err)
		}
		if got := getBig(z, 0); got.Cmp(want) != 0 {
			t.Fatalf("in lanes: %#x^%#x mod %#x = %#x, want %#x", x, e, n, got, want)
		}
	})
}
