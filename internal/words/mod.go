package words

import (
	"math/bits"
	"sync"
)

// Mod sets r = x mod n for any x and any n ≥ 1, of any lengths; for n = 0 the
// result is unspecified. r has the length of n and may be the same memory as x
// or n. The time depends on the lengths alone.
func Mod(r, x, n []uint64) {
	buf := borrowBuffer(divisorLen(len(n)) + dividendLen(len(x), len(n)))
	d, u := newDivisor(buf.words, n)
	copy(u, x)
	// The quotient does not change when both are multiplied by 2^shift.
	ShiftLeft(u, d.shift)
	d.mod(u)
	copy(r[:len(n)], u)
	returnBuffer(buf)
}

// Div sets q to ⌊x/n⌋ modulo its width and r = x mod n, for any x and any n ≥ 1, of
// any lengths; for n = 0 the results are unspecified. r has the length of n, and q
// any; they may be the same memory as x or n. The time depends on the lengths alone.
func Div(q, r, x, n []uint64) {
	buf := borrowBuffer(divisorLen(len(n)) + dividendLen(len(x), len(n)))
	d, u := newDivisor(buf.words, n)
	copy(u, x)
	ShiftLeft(u, d.shift)
	d.mod(u)
	copy(r[:len(n)], u)
	clear(q[copy(q, u[len(d.words):]):])
	returnBuffer(buf)
}

// DivNormal is Div for an n whose highest bit is set, and an x that has len(q) words
// more than n and whose highest words are a number below n: then the quotient fits, and
// there is a step for every word of it. Otherwise the results are unspecified.
func DivNormal(q, r, x, n []uint64) {
	l := divisorLen(len(n))
	pad := l - len(n) // both may be multiplied by 2^64
	buf := borrowBuffer(l + pad + len(x))
	w, u := buf.words[:l], buf.words[l:]
	copy(w[pad:], n)
	copy(u[pad:], x)
	d := divisor{words: w, recip: reciprocal(w[l-1], w[l-2])}
	d.mod(u)
	copy(r[:len(n)], u[pad:])
	copy(q, u[l:])
	returnBuffer(buf)
}

// ModPow2 sets r = 2^k mod n for any n ≥ 1; for n = 0 the result is
// unspecified. r has the length of n and may be the same memory. k is public.
func ModPow2(r []uint64, k int, n []uint64) {
	buf := borrowBuffer(divisorLen(len(n)) + dividendLen(k/WordBits+1, len(n)))
	d, u := newDivisor(buf.words, n)
	setBit(u, uint64(k)+d.shift)
	d.mod(u)
	copy(r[:len(n)], u)
	returnBuffer(buf)
}

// divisor is a modulus prepared for long division.
type divisor struct {
	words []uint64 // n·2^shift: the top bit of the top word is set
	shift uint64   // secret
	recip uint64   // ⌊(B³ − 1)/(d1·B + d0)⌋ − B for the top words d1, d0; B = 2^64
}

// divisorLen is the number of words of a divisor for a modulus of the given
// length: quotient words are estimated from its top two.
func divisorLen(n int) int { return max(n, 2) }

// dividendLen is the number of words that the division of x words by n words
// takes: the dividend is shifted by less than the length of the divisor, and one
// more zero word keeps the first partial remainder below the divisor.
func dividendLen(x, n int) int { return x + divisorLen(n) + 1 }

// newDivisor prepares n in the first words of the zero mem; the rest of mem is
// for the dividend.
func newDivisor(mem, n []uint64) (d divisor, rest []uint64) {
	l := divisorLen(len(n))
	w := mem[:l:l]
	copy(w, n)
	shift := LeadingZeros(w)
	// Zero has as many leading zeros as it has bits, which is no valid shift.
	shift &^= MaskEqual(shift, uint64(WordBits*l))
	ShiftLeft(w, shift)
	return divisor{w, shift, reciprocal(w[l-1], w[l-2])}, mem[l:]
}

// mod sets the low words of u to x mod n and the others to ⌊x/n⌋, given u = x·2^shift.
// x has len(d.words) + 1 words less than u.
func (d *divisor) mod(u []uint64) {
	l := len(d.words)
	d1, d0 := d.words[l-1], d.words[l-2]
	for j := len(u) - l - 1; j >= 0; j-- {
		// The partial remainder u[j+1:] is below the divisor, so the quotient of
		// w by it is one word.
		w := u[j : j+l+1]
		top := w[l]
		q := quotient(top, w[l-1], w[l-2], d1, d0, d.recip)
		borrow := MulSub(w[:l], d.words, q)
		// q is right or one too large; then the difference is negative.
		over := MaskLess(top, borrow)
		CondAdd(w[:l], d.words, over)
		w[l] = q + over
	}
	ShiftRight(u[:l], d.shift)
}

// reciprocal returns ⌊(B³ − 1)/(d1·B + d0)⌋ − B for d1 ≥ B/2 and B = 2^64: one
// bit at a time, as division instructions are not constant time everywhere.
func reciprocal(d1, d0 uint64) uint64 {
	// B³ − 1 − B·(d1·B + d0) is the three words ^d1, ^d0, ^0. The first two are
	// below the divisor; the bits of the last are shifted in.
	r1, r0, q := ^d1, ^d0, uint64(0)
	for range WordBits {
		over := r1 >> 63
		r1 = r1<<1 | r0>>63
		r0 = r0<<1 | 1
		t0, b := bits.Sub64(r0, d0, 0)
		t1, b := bits.Sub64(r1, d1, b)
		fits := over | (1 - b)
		r0 = SelectWord(-fits, t0, r0)
		r1 = SelectWord(-fits, t1, r1)
		q = q<<1 | fits
	}
	return q
}

// quotient returns min(B − 1, ⌊(u2·B² + u1·B + u0)/(d1·B + d0)⌋) for
// (u2, u1) ≤ (d1, d0), d1 ≥ B/2 and the reciprocal v of (d1, d0).
// It is algorithm 4 of Möller and Granlund, "Improved division by invariant
// integers", IEEE Transactions on Computers 60 (2011).
func quotient(u2, u1, u0, d1, d0, v uint64) uint64 {
	q1, q0 := bits.Mul64(v, u2)
	q0, c := bits.Add64(q0, u1, 0)
	q1, _ = bits.Add64(q1, u2, c)
	// (r1, r0) is the remainder for the quotient q1 + 1, modulo B².
	r1 := u1 - q1*d1
	t1, t0 := bits.Mul64(d0, q1)
	r0, b := bits.Sub64(u0, t0, 0)
	r1, _ = bits.Sub64(r1, t1, b)
	r0, b = bits.Sub64(r0, d0, 0)
	r1, _ = bits.Sub64(r1, d1, b)
	q1++
	over := ^MaskLess(r1, q0)
	q1 += over
	r0, c = bits.Add64(r0, d0&over, 0)
	r1, _ = bits.Add64(r1, d1&over, c)
	_, b = bits.Sub64(r0, d0, 0)
	_, b = bits.Sub64(r1, d1, b)
	q1 += 1 - b
	// For (u2, u1) = (d1, d0) the quotient does not fit a word.
	return q1 | MaskEqual(u2, d1)&MaskEqual(u1, d0)
}

// buffer is pooled working memory. It is zero when it is borrowed.
type buffer struct{ words []uint64 }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

func borrowBuffer(n int) *buffer {
	b := buffers.Get().(*buffer)
	if cap(b.words) < n {
		b.words = make([]uint64, n)
	}
	b.words = b.words[:n]
	return b
}

func returnBuffer(b *buffer) {
	clear(b.words)
	buffers.Put(b)
}
