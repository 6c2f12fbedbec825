package barrett

import (
	"context"
	"sync"

	"residue/batch"
	"residue/internal/window"
)

// Exp sets z = x^e mod n in every lane, in [0, n), for any x of Limbs digits and for e
// below 2^ebits. e may have any number of digits (fewer than ebits needs: the rest are
// zeros); ebits is public, the values of x, e and n are not. x^0 is 1, also for x = 0;
// everything modulo 1 is 0. z may be x or e.
//
// Exp stops early, and returns ctx.Err() and leaves z as it is, when ctx ends. It
// panics if z or x does not have Limbs digits or if ebits is negative.
func (m *Moduli) Exp(ctx context.Context, z, x, e batch.Ints, ebits int) error {
	m.check(z, x, x)
	if ebits < 0 {
		panic("barrett: an exponent of negative length")
	}
	p := m.borrowLanePowering(laneWindow(ebits, m.form.limbs))
	defer p.release()
	p.begin(x)
	if err := p.power(ctx, e, ebits); err != nil {
		return err
	}
	m.last(z, p.acc, p.sc)
	return nil
}

// lanePowering is an exponentiation of all lanes by windows of a fixed width, as
// powering is of one number.
type lanePowering struct {
	m      *Moduli
	window int

	sc          *LaneScratch
	memory      batch.Ints // all that follows
	acc, factor batch.Ints
	table       batch.Ints
	index       batch.Vector
}

var lanePowerings [maxLaneLimbs + 1]sync.Pool

func (m *Moduli) borrowLanePowering(window int) *lanePowering {
	s := m.form.limbs
	p, ok := lanePowerings[s].Get().(*lanePowering)
	if !ok {
		p = &lanePowering{}
	}
	p.m, p.window, p.sc = m, window, m.use(nil)
	if n := (2 + 1<<window) * s; cap(p.memory) < n {
		p.memory = batch.NewInts(n)
	} else {
		p.memory = p.memory[:n]
	}
	p.acc, p.factor, p.table = p.memory[:s:s], p.memory[s:2*s:2*s], p.memory[2*s:]
	return p
}

func (p *lanePowering) release() {
	doneLanes(nil, p.sc)
	clear(p.memory)
	p.index = batch.Vector{}
	s := p.m.form.limbs
	p.m, p.sc = nil, nil
	lanePowerings[s].Put(p)
}

// begin sets entry i of the table to x^i.
func (p *lanePowering) begin(x batch.Ints) {
	clear(p.entry(0))
	for lane := range batch.Lanes {
		p.entry(0)[0][lane] = 1
	}
	copy(p.entry(1), x)
	for i := 2; i < 1<<p.window; i++ {
		if i%2 == 0 {
			p.m.sqr(p.entry(i), p.entry(i/2), p.sc)
		} else {
			p.m.mul(p.entry(i), p.entry(i-1), p.entry(1), p.sc)
		}
	}
}

// power sets acc to x^e.
func (p *lanePowering) power(ctx context.Context, e batch.Ints, ebits int) error {
	// The first window has what is left of the bits: the others are whole.
	from := max(0, (ebits-1)/p.window*p.window)
	p.lookup(p.acc, e, from, ebits-from)
	for from > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		from -= p.window
		for range p.window {
			p.m.sqr(p.acc, p.acc, p.sc)
		}
		p.lookup(p.factor, e, from, p.window)
		p.m.mul(p.acc, p.acc, p.factor, p.sc)
	}
	return nil
}

// lookup sets z to the entries that n bits of the exponents ask for.
func (p *lanePowering) lookup(z, e batch.Ints, from, n int) {
	i, off := from/batch.DigitBits, from%batch.DigitBits
	for lane := range p.index {
		var d uint64
		if i < len(e) {
			d = e[i][lane] & digitMask >> off
		}
		if i+1 < len(e) {
			d |= e[i+1][lane] & digitMask << (batch.DigitBits - off)
		}
		p.index[lane] = d & (1<<n - 1)
	}
	p.m.kernel.lanes.Gather(z, p.table, &p.index)
}

// entry returns entry i of the table.
func (p *lanePowering) entry(i int) batch.Ints {
	s := p.m.form.limbs
	return p.table[i*s : (i+1)*s]
}

// laneWindow returns the width of the windows for exponents of the given length: the
// one with the least time for products and look-ups, in units of a multiply-add of one
// vector, of which a product and its reduction have about 4·limbs² and a look-up one
// for every digit of the table.
func laneWindow(ebits, limbs int) int {
	s := float64(limbs)
	return window.Best(ebits, window.Cost{Mul: 4 * s * s, Sqr: 4 * s * s, Entry: s})
}
