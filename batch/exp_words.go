package batch

import (
	"sync"

	"residue/internal/words"
)

// wordPowering raises one number after the other to its power, in 64-bit words and
// modulo R′ = 2^(64·words), which has room for the modulus and perhaps not for one
// bit more. Numbers are below R′.
type wordPowering struct {
	wordRoutines
	m     *Moduli
	sc    *Scratch
	bases Ints // x·R′ mod N of all lanes, in digits

	memory []uint64 // all that follows
	accs   []uint64 // of all lanes: see acc
	factor []uint64
	table  []uint64
	t      []uint64 // products, and room for unpack to read zeros behind them

	lane int // that the pass is about
}

var wordPowerings [maxLimbs + 1]sync.Pool

func (m *Moduli) borrowWordPowering(k wordRoutines, window int) *wordPowering {
	w, ok := wordPowerings[m.limbs].Get().(*wordPowering)
	if !ok {
		w = &wordPowering{sc: NewScratch(m.limbs), bases: NewInts(m.limbs)}
	}
	w.wordRoutines, w.m = k, m
	l, long := m.wordLen, packedLen(m.limbs)
	accs, table := Lanes*l, l<<window
	if n := accs + l + table + l + long; cap(w.memory) < n {
		w.memory = make([]uint64, n)
	} else {
		w.memory = w.memory[:n]
	}
	free := w.memory
	take := func(n int) (x []uint64) {
		x, free = free[:n:n], free[n:]
		return x
	}
	w.accs, w.factor, w.table, w.t = take(accs), take(l), take(table), take(l+long)
	return w
}

func (w *wordPowering) release() {
	w.sc.Wipe()
	wipe(w.bases)
	clear(w.memory)
	limbs := w.m.limbs
	w.m = nil
	wordPowerings[limbs].Put(w)
}

func (w *wordPowering) passes() int { return w.m.lanes }

func (w *wordPowering) begin(pass int, x Ints) {
	m := w.m
	if pass == 0 {
		m.kernel.impl.mulMont(w.bases, x, m.toWords, m, w.sc)
		m.subtractOnce(w.bases, w.sc.wide[:m.limbs])
	}
	w.lane = pass
	copy(w.entry(0), m.wordOne[pass])
	base := w.t[:packedLen(m.limbs)]
	pack(base, w.bases, pass)
	copy(w.entry(1), base)
	for i := 2; i*m.wordLen < len(w.table); i++ {
		if i%2 == 0 {
			w.sqrMont(w.entry(i), w.entry(i/2))
		} else {
			w.mulMont(w.entry(i), w.entry(i-1), w.entry(1))
		}
	}
}

func (w *wordPowering) start(index Vector) { w.lookup(w.acc(w.lane), w.table, index[w.lane]) }

func (w *wordPowering) step(index Vector, window int) {
	acc := w.acc(w.lane)
	for range window {
		w.sqrMont(acc, acc)
	}
	w.lookup(w.factor, w.table, index[w.lane])
	w.mulMont(acc, acc, w.factor)
}

func (w *wordPowering) finish(z Ints) {
	m, l := w.m, w.m.wordLen
	for lane := range m.lanes {
		// For t < R′ the sum (t + Q·N)/R′ is at most N.
		copy(w.t, w.acc(lane))
		clear(w.t[l : 2*l])
		w.reduce(w.t[l:], w.t[:2*l], m.packed[lane][:l], m.packedInv[lane], ^uint64(0))
		unpack(z, lane, w.t[l:], 0)
	}
	m.subtractOnce(z, w.sc.wide[:m.limbs])
}

// mulMont sets z ≡ x·y/R′ modulo N.
func (w *wordPowering) mulMont(z, x, y []uint64) {
	t := w.t[:2*len(z)]
	w.product(t, x, y)
	w.reduceTo(z, t)
}

// sqrMont sets z ≡ x²/R′ modulo N.
func (w *wordPowering) sqrMont(z, x []uint64) {
	t := w.t[:2*len(z)]
	w.square(t, x)
	w.reduceTo(z, t)
}

// reduceTo sets z ≡ t/R′ modulo N. (t + Q·N)/R′ is below R′ + N: if it does not
// fit, what it is without N does.
func (w *wordPowering) reduceTo(z, t []uint64) {
	w.reduce(z, t, w.m.packed[w.lane][:len(z)], w.m.packedInv[w.lane], ^uint64(0))
}

// entry returns entry i of the table.
func (w *wordPowering) entry(i int) []uint64 {
	l := w.m.wordLen
	return w.table[i*l : (i+1)*l]
}

// acc returns the accumulator of a lane.
func (w *wordPowering) acc(lane int) []uint64 {
	l := w.m.wordLen
	return w.accs[lane*l : (lane+1)*l]
}

// prepareWords finds what wordPowering needs to know of moduli of the given length.
func (m *Moduli) prepareWords(bits int) {
	m.wordLen = words.Len(bits)
	sc := borrowScratch(m.limbs)
	defer returnScratch(sc)
	// R·R′ mod N is R³·(2^(32·words))²/R². 8·2^(32·words) ≤ R, so that both products
	// are below 1.25·N after the reduction.
	half := NewInts(m.limbs)
	for lane := range Lanes {
		b := m.wordLen * words.WordBits / 2
		half[b/DigitBits][lane] = 1 << (b % DigitBits)
	}
	k, z := m.kernel.impl, NewInts(m.limbs)
	k.sqrMont(z, m.rr, m, sc)
	k.mulMont(z, z, half, m, sc)
	k.mulMont(z, z, half, m, sc)
	m.subtractOnce(z, sc.wide[:m.limbs])
	m.toWords = z

	one := NewInts(m.limbs)
	m.FromMontgomery(one, z, sc)
	for lane := range m.lanes {
		w := make([]uint64, packedLen(m.limbs))
		pack(w, one, lane)
		m.wordOne[lane] = w[:m.wordLen]
	}
	wipe(one)
}
