package batch

import (
	"context"
	"sync"
)

// Exp sets z = x^e mod N in every lane, in [0, N), for any x < R and for e below
// 2^ebits. e may have any number of digits (fewer than ebits needs: the rest are
// zeros); ebits is public, the values of x, e and N are not. x^0 is 1, also for
// x = 0; everything modulo 1 is 0. z may be x or e.
//
// Exp stops early, and returns ctx.Err() and leaves z as it is, when ctx ends.
// It panics if z or x does not have Limbs digits or if ebits is negative.
func (m *Moduli) Exp(ctx context.Context, z, x, e Ints, ebits int) error {
	m.check(z, x, x)
	if ebits < 0 {
		panic("batch: an exponent of negative length")
	}
	window := windowBits(ebits, m.limbs)
	w := borrowExp(m.limbs, window)
	defer returnExp(w)
	m.powers(w, x)
	if err := m.power(ctx, w, e, ebits, window); err != nil {
		return err
	}
	m.FromMontgomery(z, w.acc, w.sc)
	return nil
}

// powers sets entry i of the table to x^i·R mod N, below 2N.
func (m *Moduli) powers(w *expWork, x Ints) {
	k, s := m.kernel.impl, m.limbs
	copy(w.entry(0), m.one)
	m.ToMontgomery(w.entry(1), x, w.sc)
	for i := 2; i*s < len(w.table); i++ {
		if i%2 == 0 {
			k.sqrMont(w.entry(i), w.entry(i/2), m, w.sc)
		} else {
			k.mulMont(w.entry(i), w.entry(i-1), w.entry(1), m, w.sc)
		}
	}
}

// power sets w.acc = x^e·R mod N, below 2N, given the table of the powers of x.
func (m *Moduli) power(ctx context.Context, w *expWork, e Ints, ebits, window int) error {
	k := m.kernel.impl
	// The first window has what is left of the bits: the others are whole.
	from := max(0, (ebits-1)/window*window)
	w.index = exponentBits(e, from, ebits-from)
	entries := len(w.table) / m.limbs
	k.gather(w.acc, w.table, &w.index, entries, m.lanes)
	for from > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		from -= window
		w.index = exponentBits(e, from, window)
		w.gathering.begin(w)
		for parts := window; parts > 0; parts-- {
			k.sqrMontGather(w.acc, w.acc, m, w.sc, &w.gathering, parts)
		}
		k.mulMont(w.acc, w.acc, w.factor, m, w.sc)
	}
	return nil
}

// exponentBits returns bits from to from + n − 1 of every exponent, n < 52.
func exponentBits(e Ints, from, n int) (v Vector) {
	i, off := from/DigitBits, from%DigitBits
	mask := uint64(1)<<n - 1
	for lane := range v {
		var d uint64
		if i < len(e) {
			d = e[i][lane] & digitMask >> off
		}
		if i+1 < len(e) {
			d |= e[i+1][lane] & digitMask << (DigitBits - off)
		}
		v[lane] = d & mask
	}
	return v
}

// maxWindow bounds the table: 64 entries.
const maxWindow = 6

// windowBits returns the width of the windows for exponents of the given length:
// the one with the least cost.
func windowBits(ebits, limbs int) int {
	best := 1
	for w := 2; w <= maxWindow; w++ {
		if windowCost(w, ebits, limbs) < windowCost(best, ebits, limbs) {
			best = w
		}
	}
	return best
}

// windowCost is the time of the multiplications and gathers of an exponentiation,
// in units of a multiply-add of one vector; the squarings are the same for all
// windows, save those of the first.
func windowCost(window, ebits, limbs int) int {
	mul, sqr := 4*limbs*limbs, 3*limbs*limbs
	entries := 1 << window
	windows := max(1, (ebits+window-1)/window)
	first := ebits - (windows-1)*window
	// An entry costs a multiplication or a squaring to make. To gather costs about
	// as much as a multiply-add for every vector of the table.
	gather := entries * limbs
	return entries*(mul+sqr)/2 + (windows-1)*mul - first*sqr + windows*gather
}

// expWork is the working memory of an exponentiation: nothing is allocated once
// the pools are warm.
type expWork struct {
	sc          *Scratch
	memory      Ints // acc; factor and table, each with room for whole groups
	acc, factor Ints
	table       Ints
	index       Vector
	gathering   gathering
}

var expPools [maxLimbs + 1]sync.Pool

// borrowExp returns working memory with a table of 2^window entries.
func borrowExp(limbs, window int) *expWork {
	w, ok := expPools[limbs].Get().(*expWork)
	if !ok {
		w = &expWork{sc: NewScratch(limbs)}
	}
	if n := (2+1<<window)*limbs + 2*gatherGroup; cap(w.memory) < n {
		w.memory = NewInts(n)
	} else {
		w.memory = w.memory[:n]
	}
	free := w.memory
	take := func(vectors, spare int) (x Ints) {
		x, free = free[:vectors:vectors+spare], free[vectors+spare:]
		return x
	}
	w.acc = take(limbs, 0)
	w.factor = take(limbs, gatherGroup-1)
	w.table = take(limbs<<window, gatherGroup-1)
	return w
}

// returnExp wipes the working memory and gives it back.
func returnExp(w *expWork) {
	w.sc.Wipe()
	wipe(w.memory)
	w.index = Vector{}
	w.gathering = gathering{}
	expPools[w.sc.limbs].Put(w)
}

// entry returns entry i of the table.
func (w *expWork) entry(i int) Ints {
	s := len(w.acc)
	return w.table[i*s : (i+1)*s]
}
