package kerneltest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/asm/internal/machine"
)

// secrets are numbers for a run: run 0 has zeros wherever that can be, run 1 the
// largest ones, and the others random or extreme ones.
type secrets struct {
	run int
	r   *rand.Rand
}

func newSecrets(run int) secrets { return secrets{run, rand.New(rand.NewPCG(91, uint64(run)))} }

// runs is the number of runs with different secrets.
const runs = 4

func (s secrets) below(bound *big.Int) *big.Int {
	switch s.run {
	case 0:
		return new(big.Int)
	case 1:
		return minus(bound, 1)
	}
	return below(s.r, bound)
}

func (s secrets) modulus(bits int) *big.Int {
	switch s.run {
	case 0:
		return big.NewInt(1)
	case 1:
		return minus(pow2(bits), 1)
	}
	return modulus(s.r, bits)
}

// litter is what stands above the digits.
func (s secrets) litter() uint64 {
	switch s.run {
	case 0:
		return 0
	case 1:
		return ^uint64(0)
	}
	return s.r.Uint64()
}

// TestTraces: every routine executes the same instructions, and accesses the same
// addresses, whatever the numbers and the moduli are.
func TestTraces(t *testing.T) {
	eachBatch(t, func(t *testing.T, kernel string, s shape) {
		const entries = 8
		b := newBatch(t, kernel, s, 2*entries+12)
		b.Public = true // it is the traces that must tell
		limbs := b.Limbs
		x, y, z, wide := b.Ints("x", limbs), b.Ints("y", limbs), b.Ints("z", limbs), b.Ints("wide", 2*limbs)
		table, index := b.Ints("table", entries*limbs), b.Ints("index", 1)
		factor := b.Ints("factor", limbs)
		g := &Gathering{Z: factor, Table: table, Index: index, Entries: entries}
		routines := map[string]func() error{
			"Mul":          func() error { return b.Mul(wide, x, y) },
			"Sqr":          func() error { return b.Sqr(wide, x) },
			"MulMont":      func() error { return b.MulMont("", z, x, y) },
			"SquareMont":   func() error { return b.SqrMont("", z, x, 2) },
			"Reduce":       func() error { return b.Redc("", z, wide) },
			"Gather":       func() error { return b.Gather(z, table.Slice(0, entries*limbs), index) },
			"SqrMontTimes": func() error { return b.SqrMontTimes(z, x, 3, g) },
		}
		if b.has("MulMontFull") {
			routines["MulMontFull"] = func() error { return b.MulMont("Full", z, x, y) }
			routines["SquareMontFull"] = func() error { return b.SqrMont("Full", z, x, 1) }
			routines["ReduceFull"] = func() error { return b.Redc("Full", z, wide) }
		}
		routines["SquareMont by the schoolbook"] = func() error {
			b.Schoolbook = true
			defer func() { b.Schoolbook = false }()
			return b.SqrMont("", z, x, 2)
		}
		for _, block := range b.blocks() {
			for _, form := range []string{"", "Full"} {
				routines[fmt.Sprintf("blocks of %d %s", block, form)] = func() error {
					if err := b.MulMontBlocks(form, block, z, x, y); err != nil {
						return err
					}
					return b.SqrMontBlocks(form, block, z, x)
				}
			}
		}
		for name, routine := range routines {
			err := b.SameTraces(runs, func(run int) error {
				s := newSecrets(run)
				n := each(b.Lanes, func(int) *big.Int { return s.modulus(digitBits*limbs - 3) })
				b.SetModuli(n)
				numbers := func(x Ints, bound func(lane int) *big.Int) {
					b.Set(x, each(b.Lanes, func(lane int) *big.Int { return s.below(bound(lane)) }), s.litter)
				}
				twice := func(lane int) *big.Int { return multiple(n[lane], 2) }
				numbers(x, twice)
				numbers(y, twice)
				numbers(wide, func(lane int) *big.Int { return new(big.Int).Mul(b.R(), n[lane]) })
				numbers(index, func(int) *big.Int { return big.NewInt(entries) })
				numbers(table, func(int) *big.Int { return pow2(digitBits * table.Limbs()) })
				b.Set(index, each(b.Lanes, func(int) *big.Int { return s.below(big.NewInt(entries)) }), noLitter)
				return routine()
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestWordsTraces is TestTraces for one number in words.
func TestWordsTraces(t *testing.T) {
	for _, words := range wordSizes {
		const entries = 8
		w := newWords(t, words, 8+entries)
		w.Public = true
		x, y, z, wide := w.Alloc("x", words), w.Alloc("y", words), w.Alloc("z", words), w.Alloc("wide", 2*words)
		table := w.Alloc("table", entries*words)
		bits := wordBits * words
		var s secrets
		for name, routine := range map[string]func() error{
			"Mul":    func() error { return w.Mul(wide, x, y) },
			"Sqr":    func() error { return w.Sqr(wide, x) },
			"Reduce": func() error { return w.Reduce(z, wide, bits-5) },
			"Gather": func() error { return w.Gather(z, table, int(s.below(big.NewInt(entries)).Int64())) },
		} {
			err := w.SameTraces(runs, func(run int) error {
				s = newSecrets(run)
				w.SetModulus(s.modulus(bits))
				for _, v := range []machine.Span{x, y, wide, table} {
					w.Set(v, s.below(pow2(8*v.Len)))
				}
				return routine()
			})
			if err != nil {
				t.Errorf("%s of %d words: %v", name, words, err)
			}
		}
	}
}

// TestMontTraces is TestTraces for one number across lanes.
func TestMontTraces(t *testing.T) {
	eachMont(t, acrossTraceNumbers, func(t *testing.T, m *Mont) {
		acrossTraces(t, &m.Across, func(s secrets, x, y machine.Span) {
			n := s.modulus(m.ModulusBits())
			m.SetModulus(n)
			m.SetDigits(x, m.split(s.below(multiple(n, 2))), s.litter)
			m.SetDigits(y, m.split(s.below(multiple(n, 2))), s.litter)
		})
	})
}

// TestPMNSTraces is TestTraces for polynomials.
func TestPMNSTraces(t *testing.T) {
	eachPMNS(t, acrossTraceNumbers, func(t *testing.T, p *PMNS) {
		ring := p.Ring()
		acrossTraces(t, &p.Across, func(s secrets, x, y machine.Span) {
			limit := new(big.Int).Quo(pow2(ring.bits), big.NewInt(int64(16*ring.n*ring.n)))
			m := ring.newModulus(withOdd(ring.each(func(int) *big.Int { return s.below(limit) })))
			p.SetModulus(m.m, m.inverse)
			for _, operand := range []machine.Span{x, y} {
				p.SetPolynomial(operand, ring.each(func(k int) *big.Int { return s.below(minus(m.bound(k), -1)) }), s.litter)
			}
		})
	})
}

// acrossTraceEntries is the length of the longest table of acrossTraces, and
// acrossTraceNumbers how many numbers it has.
const (
	acrossTraceEntries = 8
	acrossTraceNumbers = 3 + acrossTraceEntries
)

// acrossTraces compares the traces of all routines. set sets the constants and operands.
func acrossTraces(t *testing.T, a *Across, set func(s secrets, x, y machine.Span)) {
	t.Helper()
	a.Public = true
	x, y, z := a.Number("x"), a.Number("y"), a.Number("z")
	table := a.Alloc("table", acrossTraceEntries*a.Words())
	var s secrets
	for name, routine := range map[string]func() error{
		"Mul":            func() error { return a.Mul(z, x, y) },
		"Mul, z = x":     func() error { return a.Mul(x, x, y) },
		"Mul, z = y":     func() error { return a.Mul(y, x, y) },
		"Sqr":            func() error { return a.Sqr(z, x, 1) },
		"Sqr, 3 times":   func() error { return a.Sqr(z, x, 3) },
		"Sqr, z = x":     func() error { return a.Sqr(x, x, 3) },
		"Gather":         func() error { return a.Gather(z, table, int(s.below(big.NewInt(acrossTraceEntries)).Int64())) },
		"Gather of some": func() error { return a.Gather(z, table.Slice(0, 2*z.Len), int(s.below(big.NewInt(2)).Int64())) },
	} {
		err := a.SameTraces(runs, func(run int) error {
			s = newSecrets(run)
			set(s, x, y)
			words := make([]uint64, acrossTraceEntries*a.Words())
			for i := range words {
				words[i] = s.litter()
			}
			a.Set(table, words, false)
			return routine()
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
