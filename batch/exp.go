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
	p := m.borrowPowering(window)
	defer p.release()
	for pass := range p.passes() {
		p.begin(pass, x)
		if err := power(ctx, p, e, ebits, window); err != nil {
			return err
		}
	}
	p.finish(z)
	return nil
}

// powering is the numbers of an exponentiation, in the form that suits the kernel:
// a table of the powers of a base and an accumulator, of all lanes at once or of
// one lane in each pass.
type powering interface {
	passes() int
	// begin makes the table of the pass for the bases x.
	begin(pass int, x Ints)
	// start sets the accumulator to the entry that index asks for.
	start(index Vector)
	// step raises the accumulator to the power 2^window and multiplies it by the
	// entry that index asks for.
	step(index Vector, window int)
	// finish sets z to the accumulators of all passes, in [0, N).
	finish(z Ints)
	// release wipes the memory and gives it back.
	release()
}

// borrowPowering returns a powering with tables of 2^window entries.
func (m *Moduli) borrowPowering(window int) powering {
	if k, ok := m.kernel.impl.(wordwise); ok {
		return m.borrowWordPowering(k.Routines, window)
	}
	return m.borrowExp(window)
}

// power leaves x^e in the accumulator of the pass that has begun with the base x.
func power(ctx context.Context, p powering, e Ints, ebits, window int) error {
	// The first window has what is left of the bits: the others are whole.
	from := max(0, (ebits-1)/window*window)
	p.start(exponentBits(e, from, ebits-from))
	for from > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		from -= window
		p.step(exponentBits(e, from, window), window)
	}
	return nil
}

func (w *expWork) passes() int { return 1 }

// begin sets entry i of the table to x^i·R mod N, below 2N.
func (w *expWork) begin(_ int, x Ints) {
	m := w.m
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

func (w *expWork) start(index Vector) {
	w.index = index
	entries := len(w.table) / w.m.limbs
	w.m.kernel.impl.gather(w.acc, w.table, &w.index, entries, w.m.lanes)
}

func (w *expWork) step(index Vector, window int) {
	k := w.m.kernel.impl
	w.index = index
	w.gathering.begin(w)
	k.sqrMontTimes(w.acc, w.acc, window, w.m, w.sc, &w.gathering)
	k.mulMont(w.acc, w.acc, w.factor, w.m, w.sc)
}

func (w *expWork) finish(z Ints) { w.m.FromMontgomery(z, w.acc, w.sc) }

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

// expWork is a powering of all lanes at once, in digits. Like every powering it
// comes from a pool: nothing is allocated once the pools are warm.
type expWork struct {
	m           *Moduli
	sc          *Scratch
	memory      Ints // acc, factor and table
	acc, factor Ints
	table       Ints
	index       Vector
	gathering   gathering
}

var expPools [maxLimbs + 1]sync.Pool

func (m *Moduli) borrowExp(window int) *expWork {
	limbs := m.limbs
	w, ok := expPools[limbs].Get().(*expWork)
	if !ok {
		w = &expWork{sc: NewScratch(limbs)}
	}
	w.m = m
	if n := (2 + 1<<window) * limbs; cap(w.memory) < n {
		w.memory = NewInts(n)
	} else {
		w.memory = w.memory[:n]
	}
	free := w.memory
	take := func(vectors int) (x Ints) {
		x, free = free[:vectors:vectors], free[vectors:]
		return x
	}
	w.acc = take(limbs)
	w.factor = take(limbs)
	w.table = take(limbs << window)
	return w
}

func (w *expWork) release() {
	w.sc.Wipe()
	wipe(w.memory)
	w.index = Vector{}
	w.gathering = gathering{}
	w.m = nil
	expPools[w.sc.limbs].Put(w)
}

// entry returns entry i of the table.
func (w *expWork) entry(i int) Ints {
	s := len(w.acc)
	return w.table[i*s : (i+1)*s]
}
