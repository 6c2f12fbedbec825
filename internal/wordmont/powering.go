package wordmont

// Powering raises one number to a power, by windows of bits of the exponent: a
// table of the powers of the base, of which every look-up reads all. It may be used
// for one number after the other. Reset says for what, Wipe ends it.
type Powering struct {
	m      Modulus
	memory []uint64 // all that follows
	factor []uint64
	table  []uint64
	t      []uint64 // products
}

// Reset makes room for numbers modulo m and windows of so many bits. There is no
// allocation where the room of earlier calls is enough.
func (p *Powering) Reset(m Modulus, window int) {
	p.m = m
	l := len(m.N)
	n := l + l<<window + 2*l
	if cap(p.memory) < n {
		p.memory = make([]uint64, n)
	}
	p.memory = p.memory[:n]
	p.factor, p.table, p.t = p.memory[:l:l], p.memory[l:n-2*l:n-2*l], p.memory[n-2*l:]
}

// Wipe zeroes everything, and forgets the modulus.
func (p *Powering) Wipe() {
	clear(p.memory)
	p.m = Modulus{}
}

// Begin makes the table for a base. one and base are in Montgomery form.
func (p *Powering) Begin(one, base []uint64) {
	copy(p.entry(0), one)
	copy(p.entry(1), base)
	for i := 2; i*len(p.factor) < len(p.table); i++ {
		if i%2 == 0 {
			p.m.Sqr(p.entry(i), p.entry(i/2), p.t)
		} else {
			p.m.Mul(p.entry(i), p.entry(i-1), p.entry(1), p.t)
		}
	}
}

// Start sets acc to the entry that the first bits of the exponent ask for.
func (p *Powering) Start(acc []uint64, bits uint64) { p.m.Lookup(acc, p.table, bits) }

// Step raises acc to the power 2^window and multiplies it by the entry that the
// next bits of the exponent ask for.
func (p *Powering) Step(acc []uint64, bits uint64, window int) {
	for range window {
		p.m.Sqr(acc, acc, p.t)
	}
	p.m.Lookup(p.factor, p.table, bits)
	p.m.Mul(acc, acc, p.factor, p.t)
}

// entry returns entry i of the table.
func (p *Powering) entry(i int) []uint64 {
	l := len(p.factor)
	return p.table[i*l : (i+1)*l]
}
