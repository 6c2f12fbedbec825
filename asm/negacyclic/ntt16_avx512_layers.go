package negacyclic

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/lanes"
)

// The pairs of vectors that differ in x, y or z.
var (
	pairsX = [][2]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}
	pairsY = [][2]int{{0, 2}, {1, 3}, {4, 6}, {5, 7}}
	pairsZ = [][2]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}}
)

// exchange replaces vectors a and b of each pair by what two instructions make of them.
func (n *ntt16) exchange(r []lanes.Vec, pairs [][2]int, first, second func(a, b lanes.Vec) lanes.Vec) {
	for _, p := range pairs {
		a, b := r[p[0]], r[p[1]]
		r[p[0]], r[p[1]] = first(a, b), second(a, b)
	}
}

func (n *ntt16) shuffle(instruction func(...operand.Op), imm int) func(a, b lanes.Vec) lanes.Vec {
	return func(a, b lanes.Vec) lanes.Vec { return n.Of(instruction, lanes.Imm(imm), b, a) }
}

func (n *ntt16) unpack(instruction func(...operand.Op)) func(a, b lanes.Vec) lanes.Vec {
	return func(a, b lanes.Vec) lanes.Vec { return n.Of(instruction, b, a) }
}

// halves changes the places of a register bit and l4.
func (n *ntt16) halves(r []lanes.Vec, pairs [][2]int) {
	n.exchange(r, pairs, n.shuffle(n.VSHUFI64X2, 0x44), n.shuffle(n.VSHUFI64X2, 0xee))
}

// quarters brings a register bit to l4, l4 to l3 and l3 to the register.
func (n *ntt16) quarters(r []lanes.Vec, pairs [][2]int) {
	n.exchange(r, pairs, n.shuffle(n.VSHUFI64X2, 0x88), n.shuffle(n.VSHUFI64X2, 0xdd))
}

// quadwords changes the places of a register bit and l2.
func (n *ntt16) quadwords(r []lanes.Vec, pairs [][2]int) {
	n.exchange(r, pairs, n.unpack(n.VPUNPCKLQDQ), n.unpack(n.VPUNPCKHQDQ))
}

// doublewords changes the places of a register bit and l1.
func (n *ntt16) doublewords(r []lanes.Vec, pairs [][2]int) {
	merge := func(into, from lanes.Vec, instruction func(...operand.Op), mask reg.Register) lanes.Vec {
		v := n.Vec()
		n.VMOVDQA64(into, v)
		instruction(from, mask, v)
		return v
	}
	n.exchange(r, pairs,
		func(a, b lanes.Vec) lanes.Vec { return merge(a, b, n.VMOVSLDUP, n.mask(oddMask)) },
		func(a, b lanes.Vec) lanes.Vec { return merge(b, a, n.VMOVSHDUP, n.mask(evenMask)) })
}

// butterflies does a layer of Cooley and Tukey's on pairs of vectors: a ± times(b, z). The
// constants of the pairs are one behind the other, every one for so many pairs.
func (n *ntt16) butterflies(r []lanes.Vec, pairs [][2]int, constant *int, each int) {
	for i, p := range pairs {
		a, t := r[p[0]], n.times(r[p[1]], *constant+i/each*2)
		r[p[0]], r[p[1]] = n.add(a, t), n.sub(a, t)
	}
	*constant += len(pairs) / each * 2
}

// forward transforms coefficients, up to layer 1.
func (n *ntt16) forward(r []lanes.Vec) {
	for _, p := range pairsX {
		r[p[0]] = n.small(r[p[0]])
	}
	n.layers(r, forward16)
}

// layers does the layers of forward, of which the first has a constant of its own.
func (n *ntt16) layers(r []lanes.Vec, first int) {
	n.butterflies(r, pairsX, &first, 4)
	constant, layer := forward16+2, 1
	do := func(pairs [][2]int, each int) {
		if slices.Contains(n.plan.again, layer) {
			for _, p := range pairs {
				r[p[0]] = n.small(r[p[0]])
			}
		}
		layer++
		n.butterflies(r, pairs, &constant, each)
	}
	do(pairsY, 2)
	do(pairsZ, 1)
	n.halves(r, pairsX)
	do(pairsX, 1)
	n.quarters(r, pairsY)
	do(pairsY, 1)
	n.quadwords(r, pairsZ)
	do(pairsZ, 1)
	n.doublewords(r, pairsX)
	do(pairsX, 1)
}

// toOrder brings what forward leaves into the order of FIPS 203.
func (n *ntt16) toOrder(r []lanes.Vec) {
	n.exchange(r, pairsX, n.unpack(n.VPUNPCKLDQ), n.unpack(n.VPUNPCKHDQ))
	n.quadwords(r, pairsZ)
	n.quarters(r, pairsY)
	n.quarters(r, pairsZ)
}

// fromOrder does the reverse.
func (n *ntt16) fromOrder(r []lanes.Vec) {
	n.quarters(r, pairsY)
	n.quarters(r, pairsZ)
	n.quadwords(r, pairsZ)
	n.exchange(r, pairsX, n.shuffle(n.VSHUFPS, 0x88), n.shuffle(n.VSHUFPS, 0xdd))
}

// back transforms back, from layer 1 on, to coefficients in [0, q). divided says how often
// words have been divided by R.
func (n *ntt16) back(r []lanes.Vec, divided int) {
	n.layersBack(r, divided)
	for i, v := range r {
		r[i] = n.canonical(v)
	}
}

// layersBack does the same, but leaves coefficients in (−q, q).
func (n *ntt16) layersBack(r []lanes.Vec, divided int) {
	constant, layer := back16, 0
	// Gentleman and Sande's butterflies: a + b and times(a − b, z).
	do := func(pairs [][2]int, each int) {
		for i, p := range pairs {
			a, b := r[p[0]], r[p[1]]
			sum := n.add(a, b)
			if slices.Contains(n.plan.sparse, layer) {
				sum = n.small(sum)
			}
			r[p[0]], r[p[1]] = sum, n.times(n.sub(a, b), constant+i/each*2)
		}
		constant += len(pairs) / each * 2
		layer++
	}
	do(pairsX, 1)
	n.doublewords(r, pairsX)
	do(pairsZ, 1)
	n.quadwords(r, pairsZ)
	do(pairsY, 1)
	n.halves(r, pairsY)
	do(pairsX, 1)
	n.quarters(r, pairsX)
	do(pairsZ, 1)
	do(pairsY, 2)
	for _, p := range pairsX {
		a, b := r[p[0]], r[p[1]]
		r[p[0]] = n.times(n.add(a, b), scale16+2*divided)
		r[p[1]] = n.times(n.sub(a, b), last16+2*divided)
	}
}
