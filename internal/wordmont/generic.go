package wordmont

import (
	"math/bits"

	"residue/internal/cpu"
	"residue/internal/words"
)

func init() { kernels[cpu.Generic] = portable{} }

// portable is the kernel in portable Go.
type portable struct{}

func (k portable) Product(t, x, y []uint64) {
	clear(t[:len(x)])
	k.MulAdd(t, x, y)
}

func (portable) MulAdd(t, x, y []uint64) {
	for i, d := range y {
		t[i+len(x)] = words.MulAdd(t[i:i+len(x)], x, d)
	}
}

func (portable) Square(t, x []uint64) {
	// First the products of different words, then twice that and the squares.
	clear(t)
	for i, d := range x {
		t[i+len(x)] = words.MulAdd(t[2*i+1:i+len(x)], x[i+1:], d)
	}
	var carry, top uint64
	for i, d := range x {
		hi, lo := bits.Mul64(d, d)
		t0, t1 := t[2*i], t[2*i+1]
		t[2*i], carry = bits.Add64(t0<<1|top, lo, carry)
		t[2*i+1], carry = bits.Add64(t1<<1|t0>>63, hi, carry)
		top = t1 >> 63
	}
}

func (portable) Reduce(z, t, n []uint64, ninv, mask uint64) {
	var carry uint64
	for i := range n {
		q := t[i] * ninv
		if i == len(n)-1 {
			q &= mask
		}
		high := words.MulAdd(t[i:i+len(n)], n, q)
		t[i+len(n)], carry = bits.Add64(t[i+len(n)], high, carry)
	}
	z, t = z[:len(n)], t[len(n):2*len(n)]
	var borrow uint64
	for i := range z {
		z[i], borrow = bits.Sub64(t[i], n[i]&-carry, borrow)
	}
}

func (portable) Lookup(z, table []uint64, index uint64) {
	clear(z)
	for e := uint64(0); len(table) > 0; e++ {
		mask := words.MaskEqual(index, e)
		x := table[:len(z)]
		table = table[len(z):]
		for i := range z {
			z[i] |= x[i] & mask
		}
	}
}
