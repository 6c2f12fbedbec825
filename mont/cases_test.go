package mont

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"residue/internal/testvectors"
)

func hexNumber(t *testing.T, v any) *big.Int {
	t.Helper()
	x, ok := new(big.Int).SetString(fmt.Sprint(v), 16)
	if !ok {
		t.Fatalf("%v is not a hexadecimal number", v)
	}
	return x
}

// vectorCase is a line of cases.jsonl: one known fault of some library.
type vectorCase struct {
	ID, Op   string
	Inputs   map[string]any
	Expected any
}

// TestCases runs the cases that are products, squares or powers modulo odd numbers.
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
	for _, op := range []string{"montmul", "modmul", "modsqr", "modexp", "mod", "fixedbase_exp"} {
		if ran[op] == 0 {
			t.Errorf("no case of %s", op)
		}
	}
}

// runCase reports whether the case is one for this package.
func runCase(t *testing.T, c *vectorCase) bool {
	number := func(name string) *big.Int { return hexNumber(t, c.Inputs[name]) }
	odd := func(n *big.Int) bool { return n.Sign() > 0 && n.Bit(0) == 1 }
	expected := func() *big.Int { return hexNumber(t, c.Expected) }
	switch c.Op {
	case "montmul":
		shift := int(number("w").Int64() * number("limbs").Int64())
		caseProduct(t, number("a"), number("b"), number("n"), shift, expected())
	case "modmul":
		caseProduct(t, number("a"), number("b"), number("n"), 0, expected())
	case "modsqr":
		if !odd(number("n")) {
			return false
		}
		caseProduct(t, number("a"), number("a"), number("n"), 0, expected())
		caseExp(t, number("a"), bigTwo, number("n"), expected())
	case "modexp", "fixedbase_exp":
		if !odd(number("mod")) || number("exp").Sign() < 0 {
			return false
		}
		caseExp(t, number("base"), number("exp"), number("mod"), expected())
	case "mod":
		if !odd(number("n")) {
			return false
		}
		caseExp(t, number("x"), bigOne, number("n"), expected())
	case "modexp_batch":
		for i, answer := range c.Expected.([]any) {
			row := func(name string) *big.Int { return hexNumber(t, c.Inputs[name].([]any)[i]) }
			if n := row("mod"); odd(n) && !strings.HasPrefix(fmt.Sprint(answer), "ERR:") {
				caseExp(t, row("base"), row("exp"), n, hexNumber(t, answer))
			}
		}
	default:
		return false
	}
	return true
}

// caseLengths are lengths to run a case in: its own, and longer ones.
func caseLengths(n *big.Int) []int { return []int{n.BitLen(), n.BitLen() + 130, n.BitLen() + 1300} }

// caseProduct checks a·b·2^−shift modulo n.
func caseProduct(t *testing.T, a, b, n *big.Int, shift int, want *big.Int) {
	t.Helper()
	f := new(big.Int).ModInverse(pow2(shift), n)
	eachKernel(t, func(t *testing.T, k *Kernel) {
		for _, bits := range caseLengths(n) {
			m := newModulus(t, k, bits, n)
			x, y, z := m.NewInt(), m.NewInt(), m.NewInt()
			m.SetBytes(x, a.Bytes(), nil)
			m.SetBytes(y, b.Bytes(), nil)
			m.SetBytes(z, f.Bytes(), nil)
			m.Mul(x, x, y, nil)
			m.Mul(x, z, x, nil)
			if got := m.get(t, x); got.Cmp(want) != 0 {
				t.Fatalf("%d bits: %#x · %#x · 2^-%d modulo %#x: %#x, want %#x", bits, a, b, shift, n, got, want)
			}
			if a.Cmp(b) != 0 {
				continue
			}
			m.SetBytes(y, b.Bytes(), nil)
			m.Sqr(y, y, 1, nil)
			m.Mul(y, y, z, nil)
			if got := m.get(t, y); got.Cmp(want) != 0 {
				t.Fatalf("%d bits: %#x² · 2^-%d modulo %#x: %#x, want %#x", bits, a, shift, n, got, want)
			}
		}
	})
}

func caseExp(t *testing.T, x, e, n, want *big.Int) {
	t.Helper()
	if x.Sign() < 0 {
		x = new(big.Int).Mod(x, n)
	}
	eachKernel(t, func(t *testing.T, k *Kernel) {
		if isModel(k) && n.BitLen() > 600 && e.BitLen() > 100 {
			t.Skip("slow")
		}
		lengths := caseLengths(n)
		if n.BitLen() > 1000 {
			lengths = lengths[:1]
		}
		for _, bits := range lengths {
			m := newModulus(t, k, bits, n)
			for _, ebits := range []int{e.BitLen(), e.BitLen() + 3} {
				out := make([]byte, (bits+7)/8)
				if _, err := m.ExpBytes(context.Background(), out, x.Bytes(), e.Bytes(), ebits); err != nil {
					t.Fatal(err)
				}
				if got := new(big.Int).SetBytes(out); got.Cmp(want) != 0 {
					t.Fatalf("%d bits: %#x^%#x modulo %#x: %#x, want %#x", bits, x, e, n, got, want)
				}
			}
		}
	})
}

// TestAWSLC checks the exponentiation vectors of AWS-LC.
func TestAWSLC(t *testing.T) {
	v := map[string]*big.Int{}
	ran := 0
	for line := range testvectors.Lines(t, "vectors", "modexp", "aws-lc-mod_exp.txt") {
		name, value, ok := strings.Cut(string(line), " = ")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		v[name] = hexNumber(t, strings.TrimSpace(value))
		if name == "M" && v["M"].Bit(0) == 1 { // the last line of each
			ran++
			caseExp(t, v["A"], v["E"], v["M"], v["ModExp"])
		}
	}
	if ran < 70 {
		t.Errorf("%d vectors, at least 70 expected", ran)
	}
}
