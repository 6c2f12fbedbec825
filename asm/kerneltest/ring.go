package kerneltest

import (
	"encoding/binary"
	"math/bits"

	"residue/asm/internal/machine"
)

// Words32 returns room for words of 32 bits, so many words behind a multiple of 64 bytes.
func (l *Lab) Words32(name string, n, skew int) machine.Span {
	return l.Mem.Alloc(name, 4*n, 4*skew)
}

// SetWords32 sets words of 32 bits. They are secrets unless they are said to be public.
func (l *Lab) SetWords32(s machine.Span, words []int64, public bool) {
	for i, w := range words {
		binary.LittleEndian.PutUint32(s.Bytes()[4*i:], uint32(w))
	}
	s.Define(!public && !l.Public)
}

// Words32At returns the words of 32 bits in memory.
func Words32At(s machine.Span) []int64 {
	words := make([]int64, s.Len/4)
	for i := range words {
		words[i] = int64(int32(binary.LittleEndian.Uint32(s.Bytes()[4*i:])))
	}
	return words
}

// Transform is what a number-theoretic transform of Xⁿ + 1 is about, as FIPS 203 and 204 have
// it, for 2^Layers factors and primes below 2^31.
type Transform struct {
	Q         int64
	N, Layers int
	root      int64 // the smallest ζ of order 2^(Layers+1)
}

// NewTransform finds ζ.
func NewTransform(q int64, n, layers int) *Transform {
	t := &Transform{Q: q, N: n, Layers: layers}
	for z := int64(2); z < q; z++ {
		if t.power(z, 1<<layers) == q-1 {
			t.root = z
			break
		}
	}
	return t
}

// power returns z^e modulo q.
func (t *Transform) power(z, e int64) int64 {
	p := int64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			p = p * z % t.Q
		}
		z = z * z % t.Q
	}
	return p
}

func (t *Transform) inverse(z int64) int64 { return t.power(z, t.Q-2) }

// Zeta is the constant of a block of a layer: its polynomial is modulo X^m − z² with the z that
// this is.
func (t *Transform) Zeta(layer, block int) int64 {
	return t.power(t.root, t.reverse(1<<layer+block))
}

func (t *Transform) reverse(i int) int64 {
	return int64(bits.Reverse64(uint64(i)) >> (64 - t.Layers))
}

// Forward returns the coefficients of x modulo the factors of Xⁿ + 1, by their definition, in
// [0, q): factor i is X^d − γ with γ = ζ^(2·rev(i)+1).
func (t *Transform) Forward(x []int64) []int64 {
	d := t.N >> t.Layers
	z := make([]int64, t.N)
	for i := range t.N / d {
		gamma := t.power(t.root, 2*t.reverse(i)+1)
		for j := t.N - 1; j >= 0; j-- {
			at := i*d + j%d
			z[at] = t.mod(z[at]*gamma + x[j])
		}
	}
	return z
}

func (t *Transform) mod(v int64) int64 { return (v%t.Q + t.Q) % t.Q }

// Residues returns x modulo q, in [0, q).
func (t *Transform) Residues(x []int64) []int64 {
	z := make([]int64, len(x))
	for i, v := range x {
		z[i] = t.mod(v)
	}
	return z
}

// Product returns x·y modulo Xⁿ + 1 and q by the schoolbook method, in [0, q).
func (t *Transform) Product(x, y []int64) []int64 {
	x, y = t.Residues(x), t.Residues(y)
	z := make([]int64, t.N)
	for i, v := range x {
		for j, w := range y {
			if p := v * w % t.Q; i+j < t.N {
				z[i+j] = (z[i+j] + p) % t.Q
			} else {
				z[i+j-t.N] = (z[i+j-t.N] + t.Q - p) % t.Q
			}
		}
	}
	return z
}
