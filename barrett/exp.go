package barrett

import (
	"context"

	"residue/internal/window"
)

// Exp sets z = x^e modulo m for a big-endian e below 2^ebits: what e has beyond these
// bits must be zero, and what it lacks is. ebits is public, the values of x, e and m
// are not. x^0 is 1, also for x = 0; everything modulo 1 is 0. z may be x.
//
// Exp stops early, and returns ctx.Err() and leaves z as it is, when ctx ends. It
// panics if ebits is negative.
func (m *Modulus) Exp(ctx context.Context, z, x *Int, e []byte, ebits int) error {
	m.check(z, x)
	p := m.borrowPowering(ebits)
	defer p.release()
	p.begin(x.words)
	if err := p.power(ctx, e, ebits); err != nil {
		return err
	}
	copy(z.words, p.acc)
	return nil
}

// ExpBytes sets out = base^e modulo m, with numbers in big-endian bytes; base may be of
// any length, and out is filled as [Modulus.FillBytes] does, which reports what is
// returned as fits. The rest is as for [Modulus.Exp]. out may be base or e.
func (m *Modulus) ExpBytes(ctx context.Context, out, base, e []byte, ebits int) (fits bool, err error) {
	p := m.borrowPowering(ebits)
	defer p.release()
	acc := Int{p.acc}
	m.SetBytes(&acc, base, p.sc)
	p.begin(p.acc)
	if err := p.power(ctx, e, ebits); err != nil {
		return false, err
	}
	return m.FillBytes(out, &acc, p.sc), nil
}

// powering is an exponentiation by windows of a fixed width: a table of the powers of
// the base, of which every look-up reads all, and squarings and products in an order
// that only ebits decides.
type powering struct {
	m      *Modulus
	window int

	sc          *Scratch
	memory      *Scratch // all that follows
	acc, factor []uint64
	table       []uint64
}

// borrowPowering returns memory from the pool for exponents of ebits bits.
func (m *Modulus) borrowPowering(ebits int) powering {
	if ebits < 0 {
		panic("barrett: an exponent of negative length")
	}
	p := powering{m: m, window: m.window(ebits)}
	p.sc = borrowScratch(m.scratchLen())
	p.memory = borrowScratch((2 + 1<<p.window) * m.k)
	mem := p.memory.words
	p.acc, p.factor, p.table = mem[:m.k:m.k], mem[m.k:2*m.k:2*m.k], mem[2*m.k:]
	return p
}

func (p *powering) release() {
	returnScratch(p.sc)
	returnScratch(p.memory)
}

// begin sets entry i of the table to x^i.
func (p *powering) begin(x []uint64) {
	clear(p.entry(0))
	p.entry(0)[0] = 1
	copy(p.entry(1), x)
	for i := 2; i < 1<<p.window; i++ {
		if i%2 == 0 {
			p.m.sqr(p.entry(i), p.entry(i/2), 1, p.sc)
		} else {
			p.m.mul(p.entry(i), p.entry(i-1), p.entry(1), p.sc)
		}
	}
}

// power sets acc to x^e.
func (p *powering) power(ctx context.Context, e []byte, ebits int) error {
	// The first window has what is left of the bits: the others are whole.
	from := max(0, (ebits-1)/p.window*p.window)
	p.m.kernel.words.Lookup(p.acc, p.table, window.Bits(e, from, ebits-from))
	for from > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		from -= p.window
		p.m.sqr(p.acc, p.acc, p.window, p.sc)
		p.m.kernel.words.Lookup(p.factor, p.table, window.Bits(e, from, p.window))
		p.m.mul(p.acc, p.acc, p.factor, p.sc)
	}
	return nil
}

// entry returns entry i of the table.
func (p *powering) entry(i int) []uint64 { return p.table[i*p.m.k : (i+1)*p.m.k] }

// window returns the width of the windows for exponents of the given length. Only products
// count: there is no conversion, so short exponents take what the binary method does.
func (m *Modulus) window(ebits int) int { return window.Best(ebits, window.Cost{Mul: 1, Sqr: 1}) }
