package negacyclic

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/operand"

	"residue/asm/internal/lanes"
)

// Vectors of 16-bit words that carry what is known of their size, for several moduli at once.
// A program that is composed of the operations below proves, when it is generated, that no
// word overflows, whatever the coefficients are: an operation that could is a panic of the
// generator. Operations that have a choice make words small where they must, and only there.

// bounded is a vector of words, with a bound of their absolute value for each modulus.
type bounded struct {
	lanes.Vec
	most []int
}

const mostWord = 1<<15 - 1

// anyWord is the bound of words that nothing is known of.
const anyWord = 1 << 15

// arithmetic is operations on bounded words for some moduli. The vectors of constants are in
// memory, but for q.
type arithmetic struct {
	*lanes.Program
	moduli []int

	q     lanes.Vec
	small operand.Mem // m = round(2^15/q)
}

// bound returns the bounds that f gives for every modulus.
func (a *arithmetic) bound(f func(q, i int) int) []int {
	most := make([]int, len(a.moduli))
	for i, q := range a.moduli {
		most[i] = f(q, i)
	}
	return most
}

// all is the same bound for every modulus.
func (a *arithmetic) all(most int) []int {
	return a.bound(func(int, int) int { return most })
}

// below is the bound of residues in [0, q).
func (a *arithmetic) below() []int { return a.bound(func(q, _ int) int { return q - 1 }) }

// fits reports whether words hold the sum of words of two bounds.
func fits(v, w []int) bool {
	for i := range v {
		if v[i]+w[i] > mostWord {
			return false
		}
	}
	return true
}

// largest is the maximum of bounds, for each modulus.
func largest(vs []bounded) []int {
	most := slices.Clone(vs[0].most)
	for _, v := range vs {
		for i, m := range v.most {
			most[i] = max(most[i], m)
		}
	}
	return most
}

// add returns v + w, and sub returns v − w.
func (a *arithmetic) add(v, w bounded) bounded {
	return bounded{a.Of(a.VPADDW, w.Vec, v.Vec), a.sum(v, w)}
}

func (a *arithmetic) sub(v, w bounded) bounded {
	return bounded{a.Of(a.VPSUBW, w.Vec, v.Vec), a.sum(v, w)}
}

func (a *arithmetic) sum(v, w bounded) []int {
	if !fits(v.most, w.most) {
		panic(fmt.Sprintf("asm/negacyclic: words of at most %v and %v added, for %v", v.most, w.most, a.moduli))
	}
	return a.bound(func(_, i int) int { return v.most[i] + w.most[i] })
}

// times multiplies by a constant z, given by w = z·R mod q, centred, and behind it w/q mod R,
// for R = 2^16: high(v·w) − high(low(v·w/q)·q) is v·z modulo q. Both products have the same low
// half, so the difference of the high ones is exact, and at most (|v|·q/2 + R/2·q)/R.
func (a *arithmetic) times(v bounded, w, companion operand.Mem) bounded {
	high := a.Of(a.VPMULHW, w, v.Vec)
	low := a.Of(a.VPMULLW, companion, v.Vec)
	z := a.Of(a.VPSUBW, a.Of(a.VPMULHW, a.q, low), high)
	return bounded{z, a.bound(func(q, i int) int { return (v.most[i]*(q/2) + 1<<15*q) >> 16 })}
}

// makeSmall returns v − q·round(v·m/2^15). That is at most |v|·|1 − q·m/2^15| + q/2.
func (a *arithmetic) makeSmall(v bounded) bounded {
	z := a.Of(a.VPSUBW, a.Of(a.VPMULLW, a.q, a.Of(a.VPMULHRSW, a.small, v.Vec)), v.Vec)
	return bounded{z, a.bound(func(q, i int) int {
		m := (1<<15 + q/2) / q
		return (v.most[i]*max(1<<15-q*m, q*m-1<<15) + q*1<<14) >> 15
	})}
}

// canonical brings words of (−q, q) into [0, q): v + q is below v, as unsigned words, if v is
// negative, and otherwise it is not.
func (a *arithmetic) canonical(v bounded) lanes.Vec {
	for i, q := range a.moduli {
		if v.most[i] >= q {
			panic(fmt.Sprintf("asm/negacyclic: words of at most %v, q is %v", v.most, a.moduli))
		}
	}
	return a.Of(a.VPMINUW, a.Of(a.VPADDW, a.q, v.Vec), v.Vec)
}

// belowTwice brings words of (−q, 2q) into [0, q), in two steps of that kind.
func (a *arithmetic) belowTwice(v bounded) lanes.Vec {
	for i, q := range a.moduli {
		if v.most[i] >= 2*q {
			panic(fmt.Sprintf("asm/negacyclic: words of at most %v, q is %v", v.most, a.moduli))
		}
	}
	w := a.Of(a.VPMINUW, a.Of(a.VPADDW, a.q, v.Vec), v.Vec)
	return a.Of(a.VPMINUW, a.Of(a.VPSUBW, a.q, w), w)
}

// forward is the butterfly of Cooley and Tukey: x ± y·z.
func (a *arithmetic) forward(x, y bounded, w, companion operand.Mem) (sum, difference bounded) {
	t := a.times(y, w, companion)
	if !fits(x.most, t.most) {
		x = a.makeSmall(x)
	}
	return a.add(x, t), a.sub(x, t)
}

// back is the butterfly of Gentleman and Sande: x + y and (x − y)·z.
func (a *arithmetic) back(x, y bounded, w, companion operand.Mem) (sum, product bounded) {
	x, y = a.addable(x, y)
	return a.add(x, y), a.times(a.sub(x, y), w, companion)
}

// addable makes the larger of two vectors small, or both, if words do not hold their sum.
func (a *arithmetic) addable(x, y bounded) (bounded, bounded) {
	if fits(x.most, y.most) {
		return x, y
	}
	if slices.Max(x.most) < slices.Max(y.most) {
		y = a.makeSmall(y)
	} else {
		x = a.makeSmall(x)
	}
	if fits(x.most, y.most) {
		return x, y
	}
	return a.addable(x, y)
}

// within makes the vectors small of which a bound is above a limit.
func (a *arithmetic) within(vs []bounded, limit int) {
	for i, v := range vs {
		if slices.Max(v.most) > limit {
			vs[i] = a.makeSmall(v)
		}
	}
}
