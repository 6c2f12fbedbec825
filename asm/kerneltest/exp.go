package kerneltest

import "math/big"

// Exp sets z to x^e mod N, or to N if that is 0, for exponents of so many bits:
// an exponentiation as batch.Moduli.Exp does it, with windows of so many bits. rr is
// R² mod N. All of it is a secret but bits and window.
func (b *Batch) Exp(w *ExpWork, z, x, rr Ints, e []*big.Int, bits, window int) error {
	if err := b.powers(w, x, rr); err != nil {
		return err
	}
	from := max(0, (bits-1)/window*window)
	b.Set(w.index, bitsFrom(e, from, bits-from), noLitter)
	if err := b.Gather(w.acc, w.table.Slice(0, w.entries*b.Limbs), w.index); err != nil {
		return err
	}
	for from > 0 {
		from -= window
		b.Set(w.index, bitsFrom(e, from, window), noLitter)
		g := &Gathering{Z: w.factor, Table: w.table, Index: w.index, Entries: w.entries}
		if err := b.SqrMontTimes(w.acc, w.acc, window, g); err != nil {
			return err
		}
		if err := b.MulMont("", w.acc, w.acc, w.factor.Slice(0, b.Limbs)); err != nil {
			return err
		}
	}
	return b.fromMontgomery(w, z, w.acc)
}

// ExpWork is the memory of an exponentiation.
type ExpWork struct {
	acc, factor, table, index, wide Ints
	entries                         int
}

// NewExpWork returns memory for windows of so many bits.
func (b *Batch) NewExpWork(window int) *ExpWork {
	n := 1 << window
	return &ExpWork{
		acc: b.Ints("acc", b.Limbs), factor: b.Ints("factor", b.Limbs),
		table: b.Ints("table", n*b.Limbs), index: b.Ints("index", 1),
		wide: b.Ints("wide", 2*b.Limbs), entries: n,
	}
}

// powers sets entry i of the table to x^i·R mod N.
func (b *Batch) powers(w *ExpWork, x, rr Ints) error {
	entry := func(i int) Ints { return w.table.Slice(i*b.Limbs, (i+1)*b.Limbs) }
	if err := b.fromMontgomery(w, entry(0), rr); err != nil {
		return err
	}
	if err := b.MulMont("", entry(1), x, rr); err != nil {
		return err
	}
	for i := 2; i < w.entries; i++ {
		var err error
		if i%2 == 0 {
			err = b.SqrMont("", entry(i), entry(i/2), 1)
		} else {
			err = b.MulMont("", entry(i), entry(i-1), entry(1))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fromMontgomery sets z = x/R.
func (b *Batch) fromMontgomery(w *ExpWork, z, x Ints) error {
	for i := range w.wide.Limbs() {
		for lane := range b.Lanes {
			var d uint64
			if i < b.Limbs {
				d = x.Digit(i, lane)
			}
			w.wide.SetDigit(i, lane, d)
		}
	}
	w.wide.Define(!b.Public)
	return b.Redc("", z, w.wide)
}

// bitsFrom returns n bits from a place up of every number.
func bitsFrom(e []*big.Int, from, n int) (vs []*big.Int) {
	for _, v := range e {
		w := new(big.Int).Rsh(v, uint(from))
		vs = append(vs, w.And(w, new(big.Int).Sub(pow2(n), big.NewInt(1))))
	}
	return vs
}
