package pmns

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// eachToeplitz runs f for the routines that split products, and widths of words that they
// take.
func eachToeplitz(t *testing.T, f func(t *testing.T, v *vectorRoutines, width int, r *rand.Rand)) {
	t.Helper()
	ran := false
	for _, k := range Kernels() {
		for i := range k.routines {
			v := &k.routines[i]
			if v.variant != Toeplitz {
				continue
			}
			ran = true
			for _, width := range []int{v.toeplitzWidth(), 46, MinWidth} {
				t.Run(fmt.Sprintf("%s/%dx%dx%d", k.name, v.n, v.s, width), func(t *testing.T) {
					f(t, v, width, rand.New(rand.NewPCG(uint64(v.n), uint64(width))))
				})
			}
		}
	}
	if !ran {
		t.Skip("this CPU has none")
	}
}

// TestToeplitzRoutines has any M for which results fit, words that are all ones, and
// litter above them. Results are the polynomials that other variants have.
func TestToeplitzRoutines(t *testing.T) {
	eachToeplitz(t, func(t *testing.T, v *vectorRoutines, width int, r *rand.Rand) {
		phi := pow2(v.s * width)
		// Below φ/8n, so that Q·M/φ is below φ/4; and operands below φ/2^h, of which
		// products divided by φ are below φ/2.
		short := new(big.Int).Quo(phi, big.NewInt(int64(8*v.n)))
		operand := new(big.Int).Rsh(phi, 5)
		polynomial := func(below *big.Int, kind int) []*big.Int {
			a := zeroPolynomial(v.n)
			for _, c := range a {
				switch kind {
				case 0: // all ones below the highest word
					c.Sub(pow2((v.s-1)*width), bigOne)
					c.Or(c, new(big.Int).Sub(below, bigOne))
				case 1: // ones, and a highest word of zeros
					c.Sub(pow2((v.s-1)*width), bigOne)
				case 2:
					c.Mul(new(big.Int).Sub(below, bigOne), big.NewInt(int64(r.IntN(2))))
				default:
					c.Mod(randomBig(r, below.BitLen()+64), below)
				}
			}
			return a
		}
		for kind := range 20 {
			p := &Params{N: v.n, Words: v.s, Width: width, Lambda: 2, M: polynomial(short, kind%5)}
			p.M[0].SetBit(p.M[0], 0, 1)
			p.MPrime = negInverse(p.M, 2, v.s*width)
			constants := newToeplitzConstants(p)
			a, b := polynomial(operand, kind/5), polynomial(operand, kind%3)
			if kind == 0 {
				b = a
			}
			want := (&representer{Params: p, phi: phi}).redc(mulMod(a, b, 2))
			for _, c := range want {
				if c.Cmp(phi) >= 0 {
					t.Fatal("a result does not fit")
				}
			}
			z := alignedWords(lanes * v.elementVectors())
			x, y := alignedWords(len(z)), alignedWords(len(z))
			work := alignedWords(lanes * v.workVectors())
			for i := range x {
				z[i], x[i], y[i] = r.Uint64(), r.Uint64(), r.Uint64()
			}
			for i := range work {
				work[i] = r.Uint64()
			}
			v.put(x, a, width)
			v.put(y, b, width)
			to := &z[0]
			switch kind % 4 {
			case 1:
				to = &x[0]
			case 2:
				to = &y[0]
			}
			v.mul(to, &x[0], &y[0], &constants[0], &work[0])
			for i, c := range v.polynomial(wordsAt(to, len(z)), width) {
				if c.Cmp(want[i]) != 0 {
					t.Fatalf("kind %d: coefficient %d is %#x, want %#x", kind, i, c, want[i])
				}
			}
		}
	})
}

// put sets the words of x, and leaves what is above them.
func (s shape) put(x []uint64, a []*big.Int, width int) {
	words := make([]uint64, len(x))
	for i, c := range a {
		setWords(words[i:], lanes*s.coefficientVectors(), s.s, width, c)
	}
	for i, w := range words {
		x[i] = x[i]&^(1<<width-1) | w
	}
}

func (s shape) polynomial(x []uint64, width int) []*big.Int {
	a := zeroPolynomial(s.n)
	for i, c := range a {
		for w := s.s - 1; w >= 0; w-- {
			c.Lsh(c, uint(width))
			c.Or(c, new(big.Int).SetUint64(x[w*lanes*s.coefficientVectors()+i]&(1<<width-1)))
		}
	}
	return a
}
