package batch

import (
	"sync"

	"residue/internal/wordmont"
	"residue/internal/words"
)

// wordPowering raises one number after the other to its power, in 64-bit words and
// modulo R′ = 2^(64·wordLen), which has room for the modulus and perhaps not for one
// bit more.
type wordPowering struct {
	lanewise wordmont.Powering
	routines wordmont.Routines
	m        *Moduli
	window   int
	sc       *Scratch
	bases    Ints // x·R′ mod N of all lanes, in digits

	memory []uint64 // all that follows
	accs   []uint64 // of all lanes: see acc
	// One number in digits, with room for unpack to read zeros behind it. Twice as
	// many words are enough for a product as well.
	t []uint64

	lane int // that the pass is about
}

var wordPowerings [maxLimbs + 1]sync.Pool

func (m *Moduli) borrowWordPowering(k wordmont.Routines, window int) *wordPowering {
	w, ok := wordPowerings[m.limbs].Get().(*wordPowering)
	if !ok {
		w = &wordPowering{sc: NewScratch(m.limbs), bases: NewInts(m.limbs)}
	}
	w.routines, w.m, w.window = k, m, window
	accs, t := Lanes*m.wordLen, m.wordLen+packedLen(m.limbs)
	if n := accs + t; cap(w.memory) < n {
		w.memory = make([]uint64, n)
	} else {
		w.memory = w.memory[:n]
	}
	w.accs, w.t = w.memory[:accs:accs], w.memory[accs:]
	return w
}

func (w *wordPowering) release() {
	w.lanewise.Wipe()
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
	base := w.t[:packedLen(m.limbs)]
	pack(base, w.bases, pass)
	w.lanewise.Reset(w.modulus(pass), w.window)
	w.lanewise.Begin(m.wordOne[pass], base)
}

func (w *wordPowering) start(index Vector) { w.lanewise.Start(w.acc(w.lane), index[w.lane]) }

func (w *wordPowering) step(index Vector, window int) {
	w.lanewise.Step(w.acc(w.lane), index[w.lane], window)
}

func (w *wordPowering) finish(z Ints) {
	m, l := w.m, w.m.wordLen
	for lane := range m.lanes {
		copy(w.t, w.acc(lane))
		clear(w.t[l : 2*l])
		n := w.modulus(lane)
		n.Redc(w.t[l:], w.t[:2*l])
		unpack(z, lane, w.t[l:], 0)
	}
	m.subtractOnce(z, w.sc.wide[:m.limbs])
}

// modulus returns the modulus of a lane.
func (w *wordPowering) modulus(lane int) wordmont.Modulus {
	m := w.m
	return wordmont.Modulus{Routines: w.routines, N: m.packed[lane][:m.wordLen], NInv: m.packedInv[lane]}
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
