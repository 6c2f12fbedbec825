package pmns

import (
	"context"
	"io"

	"residue/internal/memory"
	"residue/internal/window"
)

// Exp sets z = x^e for a big-endian e below 2^ebits: what e has beyond these bits must be
// zero, and what it lacks is. ebits is public, the values of x and e are not. x^0 is 1,
// also for x = 0. z may be x.
//
// Exp stops early, and returns ctx.Err() and leaves z as it is, when ctx ends. It panics
// if ebits is negative.
func (s *System) Exp(ctx context.Context, z, x *Element, e []byte, ebits int) error {
	return s.exp(ctx, z, x, e, ebits, nil)
}

// ExpRandomised is Exp with [System.Randomise] for the powers of x in the table and once
// a window for what is raised to a power. The error may be that of random.
func (s *System) ExpRandomised(ctx context.Context, z, x *Element, e []byte, ebits int, random io.Reader) error {
	return s.exp(ctx, z, x, e, ebits, random)
}

func (s *System) exp(ctx context.Context, z, x *Element, e []byte, ebits int, random io.Reader) error {
	s.check(z, x)
	p := s.borrowPowering(ebits, random)
	defer p.release()
	if err := p.begin(x); err != nil {
		return err
	}
	if err := p.power(ctx, e, ebits); err != nil {
		return err
	}
	copy(z.words, p.acc)
	z.terms = 1
	return nil
}

// powering is an exponentiation by windows of a fixed width: a table of the powers of the
// base, of which every look-up reads all, and squarings and products in an order that only
// ebits decides.
type powering struct {
	s      *System
	window int
	random io.Reader // may be nil

	sc          *Scratch
	memory      *Scratch // all that follows
	acc, factor []uint64
	table       []uint64
}

// borrowPowering returns memory from the pool for exponents of ebits bits.
func (s *System) borrowPowering(ebits int, random io.Reader) powering {
	if ebits < 0 {
		panic("pmns: an exponent of negative length")
	}
	p := powering{s: s, window: s.windowBits(ebits), random: random}
	p.sc = borrowScratch(s.scratchLen())
	n := s.elementWords()
	p.memory = borrowScratch((2 + 1<<p.window) * n)
	mem := memory.Carve(p.memory.words)
	p.acc, p.factor, p.table = mem.Take(n), mem.Take(n), mem.Take(n<<p.window)
	return p
}

func (p *powering) release() {
	returnScratch(p.sc)
	returnScratch(p.memory)
}

// begin sets entry i of the table to x^i. The entries are products, and so single
// elements, but for the first two.
func (p *powering) begin(x *Element) error {
	s := p.s
	copy(p.entry(0), s.one)
	copy(p.entry(1), s.shortened(x.words, x.terms, 0, p.sc))
	if err := p.randomise(p.entry(1)); err != nil {
		return err
	}
	for i := 2; i < 1<<p.window; i++ {
		if i%2 == 0 {
			s.arith.sqr(p.entry(i), p.entry(i/2), 1, p.sc.words)
		} else {
			s.arith.mul(p.entry(i), p.entry(i-1), p.entry(1), p.sc.words)
		}
		if err := p.randomise(p.entry(i)); err != nil {
			return err
		}
	}
	return p.randomise(p.entry(0))
}

// power sets acc to x^e.
func (p *powering) power(ctx context.Context, e []byte, ebits int) error {
	s := p.s
	// The first window has what is left of the bits: the others are whole.
	from := max(0, (ebits-1)/p.window*p.window)
	s.arith.gather(p.acc, p.table, window.Bits(e, from, ebits-from))
	for from > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		from -= p.window
		s.arith.sqr(p.acc, p.acc, p.window, p.sc.words)
		s.arith.gather(p.factor, p.table, window.Bits(e, from, p.window))
		s.arith.mul(p.acc, p.acc, p.factor, p.sc.words)
		if err := p.randomise(p.acc); err != nil {
			return err
		}
	}
	return nil
}

// randomise makes x another polynomial, and a single element again.
func (p *powering) randomise(x []uint64) error {
	if p.random == nil {
		return nil
	}
	z := Element{x, 1}
	if _, err := p.s.Randomise(&z, &z, p.random, p.sc); err != nil {
		return err
	}
	copy(x, p.s.shortened(x, z.terms, 0, p.sc))
	return nil
}

// entry returns entry i of the table.
func (p *powering) entry(i int) []uint64 {
	n := p.s.elementWords()
	return p.table[i*n : (i+1)*n]
}

// windowBits returns the width of the windows for exponents of the given length. Costs are
// in multiply-adds; a vector of the table takes about as long to read as one.
func (s *System) windowBits(ebits int) int {
	return window.Best(ebits, window.Cost{
		Mul:   float64(s.params.Cost(s.variant)),
		Sqr:   float64(s.params.SquareCost(s.variant)),
		Entry: float64(s.elementVectors()),
	})
}
