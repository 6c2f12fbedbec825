package pmns

import (
	"math/big"

	"residue/internal/memory"
)

// What the routines of [Toeplitz] need. They split a polynomial of n = 8·n̄ coefficients
// into n̄ of eight, A_j with the coefficients l·n̄ + j, and multiply sums of those, the
// leaves (docs/pmns-toeplitz.md).

// partsOf are the numbers of parts that n̄ polynomials are split into, from the top.
var partsOf = [...][]int{2: {2}, 3: {3}, 4: {2, 2}, 6: {3, 2}, 8: {2, 2, 2}}

// splits returns the numbers of parts, or nil if there are no routines for n̄.
func splits(vectors int) []int {
	if vectors < len(partsOf) {
		return partsOf[vectors]
	}
	return nil
}

// leaves calls f with all sums of vectors of words that are multiplied, in the order that
// the routines have.
func leaves(a [][]uint64, split []int, f func([]uint64)) {
	if len(a) == 1 {
		f(a[0])
		return
	}
	h := len(a) / split[0]
	part := func(i int) [][]uint64 { return a[i*h : (i+1)*h] }
	for i := range split[0] {
		leaves(part(i), split[1:], f)
	}
	for i := range split[0] {
		for j := i + 1; j < split[0]; j++ {
			both := make([][]uint64, h)
			for k := range both {
				both[k] = make([]uint64, lanes)
				for l := range both[k] {
					both[k][l] = part(i)[k][l] + part(j)[k][l]
				}
			}
			leaves(both, split[1:], f)
		}
	}
}

// leafCount is the number of leaves, 0 if there are no routines.
func (s shape) leafCount() int {
	split := splits(s.coefficientVectors())
	if split == nil {
		return 0
	}
	n := 1
	for _, p := range split {
		n *= p * (p + 1) / 2
	}
	return n
}

// toeplitzWidth is how many bits words may have: a leaf is a sum of 2^L, and its double
// must have at most 52 bits.
func (s shape) toeplitzWidth() int { return MaxWidth - 1 - len(splits(s.coefficientVectors())) }

// toeplitzWorkVectors is the work space, in vectors: 4s for each leaf, 3 for one of the
// quotient, and a carry.
func (s shape) toeplitzWorkVectors() int {
	return (4*s.s+3)*s.leafCount() + s.coefficientVectors()
}

// toeplitzCost is the number of multiply-adds of a product: for each leaf and each of its
// eight coefficients, s² word products for A·B and for Q·M, of two halves, and one half
// for each word of Q. Where there are no routines it is that of Truncated.
func (s shape) toeplitzCost() int {
	if n := s.leafCount(); n > 0 {
		return n * lanes * (4*s.s*s.s + s.s)
	}
	return cost(s.n, s.s, Truncated)
}

// newToeplitzConstants returns the constants of the routines for a set of parameters. In
// vectors:
//
//	2^w − 1, w, and 52 − w, in every lane;
//	turnTables;
//	for each leaf of the lowest words of M′, that times Zⁱ modulo Z⁸ − 2 for i = 0 … 7;
//	for each leaf, the s words of M.
func newToeplitzConstants(p *Params) []uint64 {
	sh := p.shape()
	tables := turnTables()
	c := memory.Aligned(lanes * (3 + len(tables) + sh.leafCount()*(lanes+sh.s)))
	rest := memory.Carve(c)
	for _, v := range []uint64{1<<p.Width - 1, uint64(p.Width), uint64(MaxWidth - p.Width)} {
		fill(rest.Take(lanes), v)
	}
	for _, t := range tables {
		copy(rest.Take(lanes), t[:])
	}
	split := splits(sh.coefficientVectors())
	leaves(sh.parts(p, p.MPrime, 0), split, func(v []uint64) {
		for i := range lanes {
			row := rest.Take(lanes)
			for l := range row {
				if l >= i {
					row[l] = v[l-i]
				} else {
					row[l] = 2 * v[l-i+lanes]
				}
			}
		}
	})
	modulus := rest
	for w := range sh.s {
		leaf := 0
		leaves(sh.parts(p, p.M, w), split, func(v []uint64) {
			copy(modulus[lanes*(leaf*sh.s+w):], v)
			leaf++
		})
	}
	return c
}

// parts returns word w of every n̄-th coefficient of a polynomial, from each of the first
// n̄ on.
func (s shape) parts(p *Params, a []*big.Int, w int) [][]uint64 {
	n := s.coefficientVectors()
	parts := make([][]uint64, n)
	for j := range parts {
		parts[j] = make([]uint64, lanes)
		for l := range parts[j] {
			v := new(big.Int).Rsh(a[l*n+j], uint(w*p.Width))
			parts[j][l] = v.And(v, new(big.Int).SetUint64(1<<p.Width-1)).Uint64()
		}
	}
	return parts
}

func fill(z []uint64, v uint64) {
	for i := range z {
		z[i] = v
	}
}

// turnTables returns permutations of the lanes of two vectors, which put coefficients
// into the order of parts and back: lane l is lane t[l] of the first vector, or t[l] − 8
// of the second. There are those for the even and the odd ones of two vectors; for the
// two vectors that have even and odd ones in turn; for each residue modulo 3 those of two
// vectors, and then what they give and a third; and the same back.
func turnTables() [][lanes]uint64 {
	const third = 3
	table := func(lane func(l int) int) (t [lanes]uint64) {
		for l := range t {
			t[l] = uint64(lane(l))
		}
		return t
	}
	// three are the tables for lane(l) of three vectors.
	three := func(lane func(l int) int) [][lanes]uint64 {
		return [][lanes]uint64{
			table(func(l int) int { return lane(l) % (2 * lanes) }),
			table(func(l int) int {
				if from := lane(l); from >= 2*lanes {
					return from - lanes
				}
				return l
			}),
		}
	}
	ts := [][lanes]uint64{
		table(func(l int) int { return 2 * l }),
		table(func(l int) int { return 2*l + 1 }),
		table(func(l int) int { return l/2 + l%2*lanes }),
		table(func(l int) int { return l/2 + l%2*lanes + lanes/2 }),
	}
	for r := range third {
		ts = append(ts, three(func(l int) int { return third*l + r })...)
	}
	for v := range third {
		ts = append(ts, three(func(l int) int { i := lanes*v + l; return i%third*lanes + i/third })...)
	}
	return ts
}
