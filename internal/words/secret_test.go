//go:build valgrind && linux && amd64

package words

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"residue/internal/ct"
)

// These tests show that the package is constant time when they run under
// Valgrind, by internal/ct/check.

func TestSecretLeaks(t *testing.T) { ct.Leak() }

// secretly calls f with numbers of the given lengths, once with public ones and
// once with the same as secrets, and checks that the results are the same and
// secret. What f is given is its own.
func secretly(t *testing.T, name string, lengths []int, f func(x [][]uint64) []uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(71, uint64(len(name))))
	plain, secret := make([][]uint64, len(lengths)), make([][]uint64, len(lengths))
	for i, l := range lengths {
		plain[i] = make([]uint64, l)
		for j := range plain[i] {
			plain[i][j] = r.Uint64()
		}
		secret[i] = slices.Clone(plain[i])
		ct.Secret(secret[i])
	}
	want := f(plain)
	got := f(secret)
	if ct.Watched() && !ct.IsSecret(got) {
		t.Errorf("%s%v: the result does not depend on a secret", name, lengths)
	}
	ct.Declassify(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s%v: secrets give %x, and public numbers %x", name, lengths, got, want)
	}
}

func TestSecretWord(t *testing.T) {
	for name, f := range map[string]func(a, b uint64) uint64{
		"Mask":           func(a, _ uint64) uint64 { return Mask(a & 1) },
		"MaskZero":       func(a, _ uint64) uint64 { return MaskZero(a) },
		"MaskNonZero":    func(a, _ uint64) uint64 { return MaskNonZero(a) },
		"MaskEqual":      MaskEqual,
		"MaskLess":       MaskLess,
		"SelectWord":     func(a, b uint64) uint64 { return SelectWord(Mask(a&1), a, b) },
		"NegInverse":     func(a, _ uint64) uint64 { return NegInverse(a | 1) },
		"leadingZeros64": func(a, _ uint64) uint64 { return leadingZeros64(a) },
		"reciprocal":     func(a, b uint64) uint64 { return reciprocal(a|1<<63, b) },
	} {
		secretly(t, name, []int{2}, func(x [][]uint64) []uint64 { return []uint64{f(x[0][0], x[0][1])} })
	}
}

// secretLengths has the ends of the loops that take several words at a time.
var secretLengths = []int{1, 2, 3, 4, 5, 9}

func TestSecretLinear(t *testing.T) {
	for _, l := range secretLengths {
		for name, f := range map[string]func(z, x, y []uint64) uint64{
			"Add":          func(z, x, y []uint64) uint64 { return Add(z, x, y) },
			"Sub":          func(z, x, y []uint64) uint64 { return Sub(z, x, y) },
			"CondAdd":      func(z, x, y []uint64) uint64 { return CondAdd(z, x, Mask(y[0]&1)) },
			"CondSub":      func(z, x, y []uint64) uint64 { return CondSub(z, x, Mask(y[0]&1)) },
			"MulAdd":       func(z, x, y []uint64) uint64 { return MulAdd(z, x, y[0]) },
			"MulSub":       func(z, x, y []uint64) uint64 { return MulSub(z, x, y[0]) },
			"IsZero":       func(_, x, _ []uint64) uint64 { return IsZero(x) },
			"Equal":        func(_, x, y []uint64) uint64 { return Equal(x, y) },
			"Less":         func(_, x, y []uint64) uint64 { return Less(x, y) },
			"Select":       func(z, x, y []uint64) uint64 { Select(z, x, y, Mask(z[0]&1)); return 0 },
			"CondAssign":   func(z, x, y []uint64) uint64 { CondAssign(z, x, Mask(y[0]&1)); return 0 },
			"NegMod":       func(z, x, y []uint64) uint64 { NegMod(z, x, y, Mask(z[0]&1)); return 0 },
			"LeadingZeros": func(_, x, _ []uint64) uint64 { return LeadingZeros(x) },
			"ShiftLeft":    func(z, x, _ []uint64) uint64 { ShiftLeft(z, x[0]%uint64(64*l)); return 0 },
			"ShiftRight":   func(z, x, _ []uint64) uint64 { ShiftRight(z, x[0]%uint64(64*l)); return 0 },
			"setBit":       func(z, x, _ []uint64) uint64 { setBit(z, x[0]%uint64(64*l)); return 0 },
			"reduceOnce":   func(z, x, y []uint64) uint64 { reduceOnce(z, x, y[0]&1); return 0 },
			"twoMinus":     func(z, _, _ []uint64) uint64 { twoMinus(z); return 0 },
			"MaskPow2":     func(z, _, _ []uint64) uint64 { MaskPow2(z, 64*l-3); return 0 },
			"scanTable":    func(z, x, y []uint64) uint64 { scanTable(z, slices.Concat(x, y), z[0]&1); return 0 },
		} {
			secretly(t, name, []int{l, l, l}, func(x [][]uint64) []uint64 {
				w := f(x[0], x[1], x[2])
				return append(x[0], w)
			})
		}
	}
}

func TestSecretBytes(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 24, 31} {
		for _, l := range []int{1, 2, 4} {
			secretly(t, fmt.Sprint("bytes", n), []int{l, 4}, func(x [][]uint64) []uint64 {
				b := make([]byte, n)
				whole := FillBytes(x[1], b)
				back := SetBytes(x[0], b)
				var flags uint64
				if ct.Public(whole) {
					flags |= 1
				}
				if ct.Public(back) {
					flags |= 2
				}
				return append(x[0], flags)
			})
		}
	}
}

func TestSecretMod(t *testing.T) {
	for _, n := range secretLengths {
		for _, x := range []int{1, 4, 11} {
			secretly(t, "Mod", []int{x, n}, func(in [][]uint64) []uint64 {
				r := make([]uint64, n)
				Mod(r, in[0], in[1])
				return r
			})
			secretly(t, "Div", []int{x, n}, func(in [][]uint64) []uint64 {
				q, r := make([]uint64, x), make([]uint64, n)
				Div(q, r, in[0], in[1])
				return append(q, r...)
			})
		}
		secretly(t, "DivNormal", []int{2 * n, n}, func(in [][]uint64) []uint64 {
			q, r := make([]uint64, n), make([]uint64, n)
			DivNormal(q, r, in[0], in[1])
			return append(q, r...)
		})
		secretly(t, "ModPow2", []int{n}, func(in [][]uint64) []uint64 {
			r := make([]uint64, n)
			ModPow2(r, 100*n, in[0])
			return r
		})
		// Values that take other ways in code that is not constant time.
		for _, value := range []uint64{0, 1, 1 << 63, 1<<64 - 1} {
			x, m, r := make([]uint64, 2*n), make([]uint64, n), make([]uint64, n)
			x[n], m[n/2] = value, max(1, value)
			want := new(big.Int).Mod(toBig(x), toBig(m))
			ct.Secret(x)
			ct.Secret(m)
			Mod(r, x, m)
			ct.Declassify(r)
			if got := toBig(r); got.Cmp(want) != 0 {
				t.Errorf("Mod of %#x·2^%d: %v, want %v", value, 64*n, got, want)
			}
		}
	}
}

func TestSecretInverse(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		for _, factor := range []uint64{1, 3} { // without and with a common factor
			secretly(t, "InverseOdd", []int{n, n}, func(in [][]uint64) []uint64 {
				x, m := in[0], in[1]
				x[n-1] &= 1<<61 - 1
				m[n-1] = m[n-1]&(1<<61-1) | 1<<60
				m[0] |= 1
				carryX := MulAdd(x, x, factor-1)
				carryM := MulAdd(m, m, factor-1)
				Mod(x, x, m)
				ok := ct.Public(InverseOdd(x, x, m, make([]uint64, InverseScratch(n))))
				if !ok {
					clear(x) // unspecified
					x[0] = m[0]
				}
				return append(x, carryX, carryM)
			})
		}
	}
}

func TestSecretPow2(t *testing.T) {
	for _, bits := range []int{1, 5, 64, 65, 200, 256} {
		n := Len(bits)
		secretly(t, "MulLow", []int{n + 1, 2}, func(in [][]uint64) []uint64 {
			z := make([]uint64, n)
			MulLow(z, in[0], in[1])
			return z
		})
		secretly(t, "sqrLow", []int{n}, func(in [][]uint64) []uint64 {
			z := make([]uint64, n)
			sqrLow(z, in[0])
			return z
		})
		if bits > 1 { // modulo 2 the inverse is known
			secretly(t, "InversePow2", []int{n + 2}, func(in [][]uint64) []uint64 {
				z := make([]uint64, n)
				in[0][0] |= 1
				InversePow2(z, in[0], bits)
				return z
			})
		}
		for _, e := range []int{1, 5} {
			secretly(t, "ExpPow2", []int{n, e}, func(in [][]uint64) []uint64 {
				z := make([]uint64, n)
				if !ExpPow2(z, in[0], in[1], bits, make([]uint64, Pow2Scratch(bits)), nil) {
					t.Errorf("ExpPow2 stopped")
				}
				return z
			})
		}
	}
}
