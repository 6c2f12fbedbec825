package mont

import (
	"github.com/mmcloughlin/avo/operand"

	"residue/asm/internal/ifma"
)

// Products with constants. Of N and N′ there are eight copies, each one lane further
// up, so a row of the product, a digit times a constant, is a madd for each vector of
// a copy and needs no move. Of the products of two numbers of 8V digits only half of
// the columns are computed: with N′ the low ones, with N the high ones.

// constant is a number in copies.
type constant struct {
	copies func(c, w int) operand.Mem
	digits int // that can be other than zero
	stride int // vectors of a copy
	column int // the vector of columns that is the lowest to be computed
}

func (k *kernel) inverse() constant {
	return constant{copies: k.inverseCopy, digits: lanes * k.Vectors, stride: k.Vectors}
}

func (k *kernel) modulus() constant {
	return constant{copies: k.modulusCopy, digits: k.Digits, stride: k.Vectors + 1, column: k.Vectors}
}

// within returns the vectors of a copy that digits of block t have to be multiplied
// with for the n vectors of columns from the given one on.
func (c constant) within(t, column, n int) (first, last int) {
	return max(0, column-t), min(c.stride, column+n-t)
}

// spread is a vector of columns, summed in several registers in turn, since a madd
// that adds to a register waits for the one before.
type spread struct {
	sums  [2][]vec // of low and high halves
	count [2]int
}

// spreads returns sums for the columns of a product: to each vector as many registers
// as let madds on it take no longer than all of them.
func (k *kernel) spreads(c constant) []spread {
	counts, total := make([]int, k.Vectors), 0
	for t := range k.Vectors {
		first, last := c.within(t, c.column, k.Vectors)
		for w := first; w < last; w++ {
			counts[t+w-c.column] += lanes
			total += 2 * lanes
		}
	}
	s := make([]spread, k.Vectors)
	for i, n := range counts {
		regs := max(1, (n*ifma.MaddLatency*ifma.MaddPorts+total-1)/total)
		s[i].sums = [2][]vec{make([]vec, regs), make([]vec, regs)}
	}
	return s
}

func (k *kernel) spreadMadd(s *spread, h half, a, b operand.Op) {
	k.Madd(h, &s.sums[h][s.count[h]%len(s.sums[h])], a, b)
	s.count[h]++
}

// collect returns the sum of a spread, added up in pairs.
func (k *kernel) collect(s spread) vec {
	var highs vec
	for _, v := range s.sums[high] {
		k.Sum(&highs, v)
	}
	return k.Tree(append([]vec{k.weighted(highs)}, s.sums[low]...))
}

// rows returns the columns of a number times a constant, plus those of more. The
// number's digits are in memory; ready(n) makes the next n of them ready, if it is
// not nil.
//
// Digit 8t+c times vector w of copy c belongs to vector t+w, the high half with copy
// c + 1. So a vector of copy c is loaded once, for the low half with digit c and the
// high half with the one below.
func (k *kernel) rows(number func(i int) operand.Mem, by constant, more []vec, ready func(n int)) []vec {
	s := k.spreads(by)
	for i, v := range more {
		s[i].sums[low][0] = v
	}
	below := make([]vec, k.Vectors) // digit 8t+c−1
	row := func(t, c int) {
		var f vec
		if c < lanes {
			f = k.Broadcast(number(lanes*t + c))
		}
		first, last := by.within(t, by.column, k.Vectors)
		for w := first; w < last; w++ {
			if c == lanes && w == 0 || lanes*w >= by.digits+c {
				continue // the copy has no digits there
			}
			y := k.Read(by.copies(c%lanes, w-c/lanes))
			to := &s[t+w-by.column]
			if c < lanes {
				k.spreadMadd(to, low, y, f)
			}
			if c > 0 {
				k.spreadMadd(to, high, y, below[t])
			}
		}
		below[t] = f
	}
	if ready != nil {
		// In the order in which digits come.
		for t := range k.Vectors {
			ready(lanes)
			for c := range lanes + 1 {
				row(t, c)
			}
		}
	} else {
		for c := range lanes + 1 {
			for t := range k.Vectors {
				row(t, c)
			}
		}
	}
	sums := make([]vec, k.Vectors)
	for i := range s {
		sums[i] = k.collect(s[i])
	}
	return sums
}

// loopedSums is how many vectors of columns, each in two halves, fit the registers.
const loopedSums = 13

// loopedRows is rows in loops over the digits of a block. below is, in lane 7, what
// the column below the lowest has of high halves.
//
// High halves are summed apart from low ones, and belong one lane further up.
func (k *kernel) loopedRows(number operand.Mem, by constant, below vec) []vec {
	var sums []vec
	for from := by.column; from < by.column+k.Vectors; from += loopedSums {
		n := min(loopedSums, by.column+k.Vectors-from)
		l, h := make([]vec, n), make([]vec, n)
		for i := range n {
			l[i], h[i] = k.Zeros(), k.Zeros()
		}
		p, c := k.Pointer(number), k.Pointer(by.copies(0, 0))
		k.Loop(lanes, func() {
			for _, t := range k.alternating() {
				first, last := by.within(t, from, n)
				if first >= last {
					continue
				}
				f := k.Broadcast(at(p, t))
				for w := first; w < last; w++ {
					y := k.Read(at(c, w))
					k.Madd(low, &l[t+w-from], y, f)
					k.Madd(high, &h[t+w-from], y, f)
				}
			}
			k.ADDQ(imm(wordBytes), p)
			k.ADDQ(operand.I32(int32(vectorBytes*by.stride)), c)
		})
		for i := range n {
			k.Sum(&l[i], k.weighted(k.up(1, h[i], below)))
			below = h[i]
		}
		sums = append(sums, l...)
	}
	return sums
}

// carryOfLowerHalf returns, in lane 0, what the columns below 8V of C + Q·N are in
// units of R. They sum up to a multiple of R, so that all but a rounding can be read
// off column 8V − 1: it is the dot product of Q with N in reverse, plus what top has
// in lane 7.
//
// If separate is set, it also returns what column 8V − 1 has of high halves, in lane
// 7: in loops they have not been added to the column above.
func (k *kernel) carryOfLowerHalf(q []vec, top vec, separate bool) (carry, highs vec) {
	var dot, belowDot vec
	for v, d := range q {
		n := k.Read(k.reversed(low, v))
		k.Madd(low, &dot, n, d)
		k.Madd(high, &belowDot, k.Read(k.reversed(high, v)), d)
		if separate {
			k.Madd(high, &highs, n, d)
		}
	}
	k.Sum(&dot, k.weighted(belowDot))
	k.VPADDQ(top, dot, k.lane(lanes-1), dot)
	dot = k.acrossLanes(dot)
	if separate {
		highs = k.acrossLanes(highs)
	}
	k.VPADDQ(k.mask(), dot, dot)
	carry = k.ZMM()
	k.VPSRLQ(imm(k.Bits), dot, carry)
	only := k.ZMM()
	k.VMOVDQA64_Z(carry, k.lane(0), only)
	return only, highs
}

// acrossLanes returns the sum of all lanes in every lane.
func (k *kernel) acrossLanes(v vec) vec {
	for n := lanes / 2; n > 0; n /= 2 {
		moved := k.ZMM()
		k.VALIGNQ(imm(n), v, v, moved)
		k.Sum(&v, moved)
	}
	return v
}
