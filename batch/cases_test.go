package batch

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"residue/internal/testvectors"
)

// vectorCase is a line of cases.jsonl: a known fault of other libraries. All
// numbers are hexadecimal.
type vectorCase struct {
	ID       string
	Class    string
	Op       string
	Inputs   map[string]any
	Expected any
}

func (c *vectorCase) number(t *testing.T, name string) *big.Int {
	t.Helper()
	s, _ := c.Inputs[name].(string)
	return hexNumber(t, s)
}

func (c *vectorCase) numbers(t *testing.T, name string) []*big.Int {
	t.Helper()
	var vs []*big.Int
	list, _ := c.Inputs[name].([]any)
	for _, s := range list {
		vs = append(vs, hexNumber(t, fmt.Sprint(s)))
	}
	return vs
}

func hexNumber(t *testing.T, s string) *big.Int {
	t.Helper()
	v, ok := new(big.Int).SetString(s, 16)
	if !ok {
		t.Fatalf("%q is not a hexadecimal number", s)
	}
	return v
}

// TestCases runs the cases of the shared collection that this package can
// express, on every kernel and in every lane.
func TestCases(t *testing.T) {
	ran := 0
	for line := range testvectors.Cases(t) {
		var c vectorCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if c.Class != "mont-carry" && c.Class != "batch-lane" {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			eachKernel(t, func(t *testing.T, k *Kernel) { runCase(t, k, &c) })
		})
	}
	if ran == 0 {
		t.Error("no case of the classes mont-carry and batch-lane")
	}
}

func runCase(t *testing.T, k *Kernel, c *vectorCase) {
	expected, _ := c.Expected.(string)
	switch c.Op {
	case "montmul":
		a, b, n := c.number(t, "a"), c.number(t, "b"), c.number(t, "n")
		shift := int(c.number(t, "w").Int64() * c.number(t, "limbs").Int64())
		caseProduct(t, k, a, b, n, shift, hexNumber(t, expected))
	case "modmul":
		caseProduct(t, k, c.number(t, "a"), c.number(t, "b"), c.number(t, "n"), 0, hexNumber(t, expected))
	case "modsqr":
		a, n := c.number(t, "a"), c.number(t, "n")
		caseProduct(t, k, a, a, n, 0, hexNumber(t, expected))
		caseSquare(t, k, a, n, hexNumber(t, expected))
	case "sqr":
		a := c.number(t, "a")
		for _, s := range caseLimbs(a.BitLen()) {
			x, z := NewInts(s), NewInts(2*s)
			for lane := range Lanes {
				setBig(x, lane, a)
			}
			k.Sqr(z, x, nil)
			for lane := range Lanes {
				wantLane(t, z, lane, hexNumber(t, expected), "%#x squared", a)
			}
			k.Mul(z, x, x, nil)
			wantLane(t, z, Lanes-1, hexNumber(t, expected), "%#x · itself", a)
		}
	case "modexp_batch":
		caseExpBatch(t, k, c)
	case "modsub":
		t.Skip("the package has no modular subtraction of its own")
	default:
		t.Fatalf("no way to run the operation %q", c.Op)
	}
}

// caseLimbs returns numbers of limbs in which to run a case of the given length:
// the least one, and larger ones with one and with more super-digits.
func caseLimbs(bits int) []int { return []int{Limbs(bits), Limbs(bits + 120), Limbs(bits + 1300)} }

// caseProduct checks a·b·2^−shift mod n. A case's R is 2^shift, not ours, and so
// one factor more is a known power of two.
func caseProduct(t *testing.T, k *Kernel, a, b, n *big.Int, shift int, want *big.Int) {
	t.Helper()
	for _, s := range caseLimbs(max(n.BitLen(), a.BitLen(), b.BitLen(), shift)) {
		m := newModuli(t, k, s, n, n, n, n, n, n, n, n)
		x, y, f, z := NewInts(s), NewInts(s), NewInts(s), NewInts(s)
		factor := pow2(3*s*DigitBits - shift)
		factor.Mod(factor, n)
		for lane := range Lanes {
			setBig(x, lane, a)
			setBig(y, lane, b)
			setBig(f, lane, factor)
		}
		m.MulMont(z, x, y, nil)
		m.MulMont(z, z, f, nil)
		m.FromMontgomery(z, z, nil)
		for lane := range Lanes {
			wantLane(t, z, lane, want, "%#x · %#x · 2^-%d mod %#x", a, b, shift, n)
		}
		// And through product and reduction apart.
		wide := NewInts(2 * s)
		k.Mul(wide, x, y, nil)
		m.Redc(z, wide, nil)
		m.MulMont(z, z, f, nil)
		m.FromMontgomery(z, z, nil)
		for lane := range Lanes {
			wantLane(t, z, lane, want, "redc: %#x · %#x · 2^-%d mod %#x", a, b, shift, n)
		}
	}
}

func caseSquare(t *testing.T, k *Kernel, a, n, want *big.Int) {
	t.Helper()
	for _, s := range caseLimbs(max(n.BitLen(), a.BitLen())) {
		m := newModuli(t, k, s, n, n, n, n, n, n, n, n)
		z := fromBig(s, a, a, a, a, a, a, a, a)
		m.ToMontgomery(z, z, nil)
		m.SqrMont(z, z, nil)
		m.FromMontgomery(z, z, nil)
		for lane := range Lanes {
			wantLane(t, z, lane, want, "%#x squared mod %#x", a, n)
		}
		if err := m.Exp(t.Context(), z, fromBig(s, a, a, a, a, a, a, a, a), fromBig(1, bigTwo, bigTwo), 2); err != nil {
			t.Fatal(err)
		}
		wantLane(t, z, 0, want, "%#x^2 mod %#x", a, n)
	}
}

// caseExpBatch runs the rows in one vector. Rows with a bad modulus must be named
// by the error, and the others give their results without them.
func caseExpBatch(t *testing.T, k *Kernel, c *vectorCase) {
	bases, exps, mods := c.numbers(t, "base"), c.numbers(t, "exp"), c.numbers(t, "mod")
	expected, _ := c.Expected.([]any)
	bits, ebits := 1, 0
	for i := range mods {
		bits = max(bits, mods[i].BitLen(), bases[i].BitLen())
		ebits = max(ebits, exps[i].BitLen())
	}
	var n, x, e []*big.Int
	var want []*big.Int
	for i := range mods {
		answer := fmt.Sprint(expected[i])
		if !strings.HasPrefix(answer, "ERR:") {
			n, x, e, want = append(n, mods[i]), append(x, bases[i]), append(e, exps[i]), append(want, hexNumber(t, answer))
			continue
		}
		var all [][]byte
		for _, m := range mods {
			all = append(all, m.Bytes())
		}
		_, err := k.NewModuli(bits, all...)
		if name := fmt.Sprintf("lane %d", i); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("NewModuli: error %v, want one that names %s", err, name)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range caseLimbs(bits) {
		m := newModuli(t, k, s, n...)
		for _, eb := range []int{ebits, ebits + 1, ebits + 60} {
			expLanes(t, r, m, n, x, e, eb)
		}
		z := NewInts(s)
		if err := m.Exp(t.Context(), z, fromBig(s, x...), fromBig(ebits/DigitBits+1, e...), ebits); err != nil {
			t.Fatal(err)
		}
		for lane := range want {
			wantLane(t, z, lane, want[lane], "%#x^%#x mod %#x", x[lane], e[lane], n[lane])
		}
	}
}
