package kerneltest

import (
	"math/big"

	"residue/asm/internal/machine"
)

// WordsWork is the memory of an exponentiation in words.
type WordsWork struct {
	acc, factor, table, t machine.Span
	window                int
}

// NewWork returns memory for windows of so many bits.
func (w *Words) NewWork(window int) *WordsWork {
	return &WordsWork{
		acc: w.Alloc("acc", w.Words), factor: w.Alloc("factor", w.Words),
		table: w.Alloc("table", w.Words<<window), t: w.Alloc("t", 2*w.Words), window: window,
	}
}

// Exp sets z to x^e mod N, or to N if that is 0, for exponents of so many bits: an
// exponentiation as residue/internal/wordmont does it. one and x are in
// Montgomery form. All of it is a secret but bits.
func (w *Words) Exp(k *WordsWork, z machine.Span, one, x, e *big.Int, bits int) error {
	size := 8 * w.Words
	entry := func(i int) machine.Span { return k.table.Slice(i*size, (i+1)*size) }
	w.Set(entry(0), one)
	w.Set(entry(1), x)
	for i := 2; i < 1<<k.window; i++ {
		var err error
		if i%2 == 0 {
			err = w.sqrMont(k, entry(i), entry(i/2))
		} else {
			err = w.mulMont(k, entry(i), entry(i-1), entry(1))
		}
		if err != nil {
			return err
		}
	}
	from := max(0, (bits-1)/k.window*k.window)
	index := func(n int) int { return int(bitsFrom([]*big.Int{e}, from, n)[0].Int64()) }
	if err := w.Gather(k.acc, k.table, index(bits-from)); err != nil {
		return err
	}
	for from > 0 {
		from -= k.window
		for range k.window {
			if err := w.sqrMont(k, k.acc, k.acc); err != nil {
				return err
			}
		}
		if err := w.Gather(k.factor, k.table, index(k.window)); err != nil {
			return err
		}
		if err := w.mulMont(k, k.acc, k.acc, k.factor); err != nil {
			return err
		}
	}
	w.Set(k.t, w.Big(k.acc))
	if err := w.Reduce(k.t.Slice(size, 2*size), k.t, wordBits*w.Words); err != nil {
		return err
	}
	w.Set(z, w.Big(k.t.Slice(size, 2*size)))
	return nil
}

func (w *Words) mulMont(k *WordsWork, z, x, y machine.Span) error {
	if err := w.Mul(k.t, x, y); err != nil {
		return err
	}
	return w.Reduce(z, k.t, wordBits*w.Words)
}

func (w *Words) sqrMont(k *WordsWork, z, x machine.Span) error {
	if err := w.Sqr(k.t, x); err != nil {
		return err
	}
	return w.Reduce(z, k.t, wordBits*w.Words)
}
