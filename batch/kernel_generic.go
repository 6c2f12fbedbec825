package batch

// generic is the portable kernel: 64-bit limbs inside, one lane at a time.
type generic struct{}

func (generic) mul(z, x, y Ints, sc *Scratch)                     { panic("TODO") }
func (generic) sqr(z, x Ints, sc *Scratch)                        { panic("TODO") }
func (generic) mulMont(z, x, y Ints, m *Moduli, sc *Scratch)      { panic("TODO") }
func (generic) sqrMont(z, x Ints, m *Moduli, sc *Scratch)         { panic("TODO") }
func (generic) redc(z, t Ints, m *Moduli, sc *Scratch)            { panic("TODO") }
func (generic) gather(z, table Ints, index *Vector, entries int) { panic("TODO") }
