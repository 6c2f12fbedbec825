package kerneltest

import (
	"math/big"

	"residue/asm/internal/machine"
)

// Words is the kernel adx: arithmetic on one number of 64-bit words.
type Words struct {
	*Lab
	Words   int
	modulus machine.Span
	ninv    uint64
}

const wordBits = 64

// WordsBytes is enough memory for Words, and for others of its numbers.
func WordsBytes(words, others int) int { return 1<<14 + (8*words+512)*(others+1) }

// NewWords prepares a modulus of so many words.
func NewWords(l *Lab, words int, n *big.Int) *Words {
	w := &Words{Lab: l, Words: words, modulus: l.Alloc("n", words)}
	w.SetModulus(n)
	return w
}

// SetModulus sets the modulus, which is a secret.
func (w *Words) SetModulus(n *big.Int) {
	w.Set(w.modulus, n)
	r := pow2(wordBits)
	inverse := new(big.Int).ModInverse(n, r)
	w.ninv = inverse.Sub(r, inverse).Uint64()
}

// Set sets a number, which is a secret.
func (w *Words) Set(s machine.Span, v *big.Int) {
	v = new(big.Int).Set(v)
	word, mask := new(big.Int), minus(pow2(wordBits), 1)
	var words []uint64
	for range s.Len / 8 {
		words = append(words, word.And(v, mask).Uint64())
		v.Rsh(v, wordBits)
	}
	if v.Sign() != 0 {
		panic("kerneltest: a number that does not fit")
	}
	w.Lab.Set(s, words, false)
}

// Big returns a number.
func (w *Words) Big(s machine.Span) *big.Int {
	v, word := new(big.Int), new(big.Int)
	for i := s.Len/8 - 1; i >= 0; i-- {
		v.Lsh(v, wordBits).Or(v, word.SetUint64(s.Word(i)))
	}
	return v
}

// outAboveZeros is the operand of a product, whose low half must be zero.
func outAboveZeros(z machine.Span) Operand {
	low, high := z.Slice(0, z.Len/2), z.Slice(z.Len/2, z.Len)
	clear(low.Bytes())
	low.Define(false)
	return InOut(low).With(OutAgain(high))
}

// Mul sets z = x·y.
func (w *Words) Mul(z, x, y machine.Span) error {
	return w.Call("adxMul", map[string]Operand{"z": outAboveZeros(z), "x": In(x), "y": In(y), "words": Number(w.Words)})
}

// Sqr sets z = x².
func (w *Words) Sqr(z, x machine.Span) error {
	return w.Call("adxSqr", map[string]Operand{"z": outAboveZeros(z), "x": In(x), "words": Number(w.Words)})
}

// Reduce adds Q·n to t, so that 2^bits divides it, for bits of the modulus' last
// word, and sets z to the upper half of the sum, without n if the sum overflows.
func (w *Words) Reduce(z, t machine.Span, bits int) error {
	mask := ^uint64(0) >> (wordBits*w.Words - bits)
	return w.Call("adxReduce", map[string]Operand{
		"z": Out(z), "t": InOut(t), "n": In(w.modulus), "words": Number(w.Words), "ninv": w.Word(w.ninv, true), "mask": w.Word(mask, false),
	})
}

// Gather sets z to an entry of the table.
func (w *Words) Gather(z, table machine.Span, index int) error {
	return w.Call("adxGather", map[string]Operand{
		"z": Out(z), "table": In(table), "index": w.Word(uint64(index), true),
		"entries": Number(table.Len / (8 * w.Words)), "words": Number(w.Words),
	})
}
