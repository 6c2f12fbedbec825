package kerneltest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/asm/internal/machine"
	"residue/asm/internal/ports"
	"residue/asm/pmns"
)

// eachToeplitz runs a test for every set and the widest words, with room for so many
// polynomials.
func eachToeplitz(t *testing.T, polynomials int, f func(t *testing.T, p *Toeplitz)) {
	t.Helper()
	if routines(t, pmnsKernel) == nil {
		t.Skip("no kernel " + pmnsKernel)
	}
	for _, s := range pmns.ToeplitzSets {
		p := NewToeplitz(newLab(t, pmnsKernel, ToeplitzBytes(s, polynomials)), s, toeplitzWidth(s))
		t.Run(fmt.Sprintf("%dx%dx%d", s.Coefficients, s.Words, p.Width), func(t *testing.T) {
			f(t, p)
			aboutCPU(t, p.Lab)
		})
	}
}

// toeplitzOperands returns M with coefficients below φ/8n, so that Q·M/φ is below φ/4, and
// operands below φ/32, of which products divided by φ are below φ/2: with kind, of words
// that are all ones, of ones and zeros, or random.
func toeplitzOperands(r *rand.Rand, ring Ring, kind int) (m, x, y Polynomial) {
	polynomial := func(bound *big.Int, kind int) Polynomial {
		return ring.each(func(int) *big.Int {
			switch kind % 3 {
			case 0:
				return minus(pow2(bound.BitLen()-1), 1)
			case 1:
				if r.IntN(2) == 0 {
					return new(big.Int)
				}
				return minus(bound, 1)
			}
			return below(r, bound)
		})
	}
	short := new(big.Int).Quo(pow2(ring.bits), big.NewInt(int64(8*ring.n)))
	return withOdd(polynomial(short, kind)), polynomial(pow2(ring.bits-5), kind/3), polynomial(pow2(ring.bits-5), kind/2)
}

// TestToeplitz compares products with math/big.
func TestToeplitz(t *testing.T) {
	eachToeplitz(t, 3, func(t *testing.T, p *Toeplitz) {
		ring, r := p.Ring(), rand.New(rand.NewPCG(94, uint64(p.Words())))
		x, y, z := p.Number("x"), p.Number("y"), p.Number("z")
		for kind := range 9 {
			m, vx, vy := toeplitzOperands(r, ring, kind)
			inverse := ring.negativeInverse(m)
			p.SetModulus(m, inverse)
			want := ring.montgomery(ring.mul(vx, vy), m, inverse)
			for _, to := range []machine.Span{z, x, y} {
				p.SetPolynomial(x, vx, r.Uint64)
				p.SetPolynomial(y, vy, r.Uint64)
				do(t, p.Mul(to, x, y))
				if got := p.Polynomial(to); !got.Equal(want) {
					t.Fatalf("kind %d:\n got %#x\nwant %#x", kind, got, want)
				}
			}
		}
	})
}

// TestToeplitzTraces is TestTraces for products that are split.
func TestToeplitzTraces(t *testing.T) {
	eachToeplitz(t, 3, func(t *testing.T, p *Toeplitz) {
		p.Public = true
		ring := p.Ring()
		x, y, z := p.Number("x"), p.Number("y"), p.Number("z")
		do(t, p.SameTraces(runs, func(run int) error {
			s := newSecrets(run)
			m, _, _ := toeplitzOperands(s.r, ring, 2+run)
			p.SetModulus(m, ring.negativeInverse(m))
			for _, operand := range []machine.Span{x, y} {
				p.SetPolynomial(operand, ring.each(func(int) *big.Int { return s.below(pow2(ring.bits - 5)) }), s.litter)
			}
			return p.Mul(z, x, y)
		}))
	})
}

// TestToeplitzGather reads every entry of tables.
func TestToeplitzGather(t *testing.T) {
	eachToeplitz(t, 6, func(t *testing.T, p *Toeplitz) { checkGather(t, &p.Across, []int{1, 4}) })
}

// TestToeplitzMadds: products execute as many multiply-adds as docs/pmns-toeplitz.md says.
// With -v it tells what else they execute.
func TestToeplitzMadds(t *testing.T) {
	eachToeplitz(t, 6, func(t *testing.T, p *Toeplitz) {
		tally, err := p.Tally(p.Operation("mulmont", 2))
		do(t, err)
		s := p.Shape.Words
		if got, want := tally.Madds(), len(p.Shape.Leaves())*vectorLanes*(4*s*s+s); got != want {
			t.Errorf("%d madds, want %d", got, want)
		}
		all := 0
		for _, row := range tally.Rows {
			all += row.Count
			t.Logf("%-24s %5d", row.Name, row.Count)
		}
		bound, by := tally.Bound(ports.GoldenCove)
		t.Logf("%d instructions, %.0f cycles by %s", all, bound, by)
	})
}
