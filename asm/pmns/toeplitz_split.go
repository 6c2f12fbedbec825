package pmns

import (
	"slices"

	"residue/asm/internal/ifma"
)

// Splitting. In two parts,
//
//	(a₀ + a₁Y)(b₀ + b₁Y) = a₀b₀ + ((a₀+a₁)(b₀+b₁) − a₀b₀ − a₁b₁)·Y + a₁b₁·Y²,
//
// and in three with a product for each pair (i, j) of parts likewise, at Y^(i+j): 3
// products instead of 4, or 6 instead of 9. The two-way and three-way splittings of a
// Toeplitz matrix times a vector are the transposes of these identities, and take as many
// products. In this form operands are sums, never differences, as is needed for words
// without signs.
//
// Leaves are numbered in the order in which a recursion meets them: those of each part,
// then those of the sum of each pair.

// splits are the numbers of parts for so many A_j, from the top.
func splits(vectors int) []int {
	return map[int][]int{1: nil, 2: {2}, 3: {3}, 4: {2, 2}, 6: {3, 2}, 8: {2, 2, 2}}[vectors]
}

// leaves calls f with each leaf of a. add returns a sum.
func leaves[V any](a []V, split []int, add func(x, y V) V, f func(V)) {
	if len(a) == 1 {
		f(a[0])
		return
	}
	h := len(a) / split[0]
	part := func(i int) []V { return a[i*h : (i+1)*h] }
	for i := range split[0] {
		leaves(part(i), split[1:], add, f)
	}
	for i := range split[0] {
		for j := i + 1; j < split[0]; j++ {
			both := make([]V, h)
			for k := range both {
				both[k] = add(part(i)[k], part(j)[k])
			}
			leaves(both, split[1:], add, f)
		}
	}
}

// Leaves returns of which A_j each leaf is the sum.
func (s Set) Leaves() (sums [][]int) {
	parts := make([][]int, s.vectors())
	for j := range parts {
		parts[j] = []int{j}
	}
	leaves(parts, splits(len(parts)),
		func(x, y []int) []int { return slices.Concat(x, y) },
		func(v []int) { sums = append(sums, v) })
	return sums
}

// leaves is the number of leaves.
func (k *toeplitz) leaves() int { return len(k.Leaves()) }

// evaluate calls f with the leaves.
func (k *toeplitz) evaluate(a []ifma.Vec, f func(leaf int, v ifma.Vec)) {
	leaf := 0
	sum := func(x, y ifma.Vec) ifma.Vec {
		v := k.ZMM()
		k.VPADDQ(x, y, v)
		return v
	}
	leaves(a, splits(k.vectors()), sum, func(v ifma.Vec) {
		f(leaf, v)
		leaf++
	})
}

// interpolate returns the n̄ coefficients of a product modulo E from a column of the
// products of all leaves.
func (k *toeplitz) interpolate(at func(leaf int) ifma.Vec) []ifma.Vec {
	leaf := 0
	var product func(n int, split []int) []ifma.Vec
	product = func(n int, split []int) []ifma.Vec {
		if n == 1 {
			leaf++
			return []ifma.Vec{at(leaf - 1)}
		}
		h := n / split[0]
		part := func() []ifma.Vec { return product(h, split[1:]) }
		if split[0] == 2 {
			low, high := part(), part()
			return k.two(low, high, part())
		}
		return k.three(part(), part(), part(), part(), part(), part())
	}
	n := k.vectors()
	c := product(n, splits(n))
	for j, v := range c[n:] { // times Z: a lane up, and doubled where it wraps
		turned := k.ZMM()
		k.VALIGNQ(ifma.Imm(ifma.Lanes-1), v, v, turned)
		k.VPADDQ(turned, c[j], c[j])
		k.VPADDQ(turned, c[j], k.lane0, c[j])
	}
	return c[:n]
}

func (k *toeplitz) minus(a, b ifma.Vec) ifma.Vec {
	v := k.ZMM()
	k.VPSUBQ(b, a, v)
	return v
}

func (k *toeplitz) plus(a, b ifma.Vec) ifma.Vec {
	k.Sum(&a, b)
	return a
}

// two returns the product of two parts each, from those of low parts, high ones and sums.
// Where products overlap, with h coefficients to a part, both have low[h+j] − high[j], or
// its negative.
func (k *toeplitz) two(low, high, both []ifma.Vec) []ifma.Vec {
	h := (len(low) + 1) / 2
	out := make([]ifma.Vec, 4*h-1)
	copy(out, low[:h])
	copy(out[3*h-1:], high[h-1:])
	for j := range h - 1 {
		d := k.minus(low[h+j], high[j])
		out[h+j] = k.plus(k.minus(both[j], low[j]), d)
		out[2*h+j] = k.minus(k.minus(both[h+j], high[h+j]), d)
	}
	out[2*h-1] = k.minus(k.minus(both[h-1], low[h-1]), high[h-1])
	return out
}

// three returns the product of three parts each, from those of parts and of sums of two.
func (k *toeplitz) three(p0, p1, p2, p01, p02, p12 []ifma.Vec) []ifma.Vec {
	h := (len(p0) + 1) / 2
	out := make([]ifma.Vec, 6*h-1)
	add := func(at int, p []ifma.Vec) {
		for j, v := range p {
			k.Sum(&out[at+j], v)
		}
	}
	less := func(p, a, b []ifma.Vec) []ifma.Vec {
		d := make([]ifma.Vec, len(p))
		for j := range p {
			d[j] = k.minus(k.minus(p[j], a[j]), b[j])
		}
		return d
	}
	add(h, less(p01, p0, p1))
	add(2*h, less(p02, p0, p2))
	add(3*h, less(p12, p1, p2))
	add(0, p0)
	add(2*h, p1)
	add(4*h, p2)
	return out
}
