package kerneltest

// The forms of reduction in blocks, as batch/block_ifma512.go has them.

// MulMontBlocks sets z = x·y/R with a reduction in blocks of so many digits.
func (b *Batch) MulMontBlocks(form string, block int, z, x, y Ints) error {
	if err := b.Mul(b.columns, x, y); err != nil {
		return err
	}
	if err := b.digits(b.columns, b.columns, b.noBias); err != nil {
		return err
	}
	return b.reduceBlocks(form, block, z)
}

// SqrMontBlocks sets z = x²/R.
func (b *Batch) SqrMontBlocks(form string, block int, z, x Ints) error {
	if err := b.Square(x); err != nil {
		return err
	}
	b.unbias(b.columns)
	if err := b.carry(b.columns.Slice(0, block+1)); err != nil {
		return err
	}
	return b.reduceBlocks(form, block, z)
}

// reduceBlocks sets z to the columns over R; the first block of them is digits.
func (b *Batch) reduceBlocks(form string, block int, z Ints) error {
	const widest = 20
	s, width := b.Limbs, 10
	if block%widest == 0 {
		width = widest
	}
	below := 1 // columns below the block's end that the sum needs
	if form == "Full" {
		below = block
	}
	sized := func(name string) string { return (&Batch{Width: width}).ofWidth(name) }
	// The column that takes the last carry, which nobody reads, may hold anything.
	b.work.Slice(2*s, 2*s+1).Define(!b.Public)
	q := b.quotient.Slice(0, block)
	for from := 0; from < s; from += block {
		err := b.call(sized("MulLow"), map[string]Operand{
			"z": Out(q.Pieces()...), "x": In(b.work.Slice(from, from+block).Pieces()...), "y": In(b.inverse.Slice(0, block).Pieces()...),
			"tiles": Number(block / width),
		})
		if err != nil {
			return err
		}
		end := from + block
		out := z
		if end < s {
			out = b.work.Slice(end, end+s)
		}
		t := In(b.work.Slice(end-below, end+s).Pieces()...).With(InOut(b.work.Slice(end+s, end+s+1).Pieces()...))
		err = b.call(sized("AddQuotient"+form), map[string]Operand{
			"z": Out(out.Pieces()...), "t": t, "q": In(q.Pieces()...), "n": In(b.modulus.Pieces()...),
			"block": Number(block / width), "tiles": Number(s / width),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
