// Package wordmont is Montgomery arithmetic on one number in 64-bit words, for
// any odd modulus: what systems do on CPUs without vector multiply-adds.
//
// Numbers are slices of words, least significant first. Everything is constant
// time in their values; lengths are public.
package wordmont

import "residue/internal/words"

// Routines is the arithmetic that a kernel provides. s stands for the length of n
// or of x. All kernels give the same results.
type Routines interface {
	// Product sets t[0:2s] = x·y for x and y of s words. t does not overlap them.
	Product(t, x, y []uint64)
	// MulAdd sets t[0:2s] = t[0:s] + x·y for x and y of s words. t does not overlap
	// them. The sum is at most (B^s − 1) + (B^s − 1)² with B = 2^64, so it fits.
	MulAdd(t, x, y []uint64)
	// Square sets t[0:2s] = x². t does not overlap x.
	Square(t, x []uint64)
	// Reduce adds Q·n to t[0:2s], so that t becomes divisible by 2^(64s) or, if
	// mask + 1 = 2^p and not 2^64, by 2^(64(s−1) + p). Q is the one number below this
	// power of two that does that; ninv = −1/n mod 2^64. The words that are zero then,
	// as far as they are whole, need not be written. z[0:s] is the upper half of the
	// sum, without n if the sum does not fit in t. z may be t[s:2s].
	Reduce(z, t, n []uint64, ninv, mask uint64)
	// Lookup sets z to entry index of the table, reading all of its entries, which
	// have s words like z.
	Lookup(z, table []uint64, index uint64)
}

// kernels has the kernels of this build.
var kernels = map[string]Routines{}

// Named returns the kernel of a name of package cpu, and whether this build has
// one; the CPU has to be able to run it.
func Named(kernel string) (k Routines, ok bool) {
	k, ok = kernels[kernel]
	return k, ok
}

// Modulus is an odd modulus n below R = 2^(64·len(N)), for which there may not be a
// bit to spare. Numbers modulo n are below R, not below n.
type Modulus struct {
	Routines
	N    []uint64
	NInv uint64 // −1/n mod 2^64
}

// NewModulus returns the modulus n, which it keeps.
func NewModulus(k Routines, n []uint64) Modulus {
	return Modulus{k, n, words.NegInverse(n[0])}
}

// Mul sets z ≡ x·y/R modulo n. t is working memory, twice as long. z may be x or y.
func (m *Modulus) Mul(z, x, y, t []uint64) {
	m.Product(t, x, y)
	m.Redc(z, t)
}

// Sqr sets z ≡ x²/R modulo n. t is working memory, twice as long. z may be x.
func (m *Modulus) Sqr(z, x, t []uint64) {
	m.Square(t, x)
	m.Redc(z, t)
}

// Redc sets z ≡ t/R modulo n: to (t + Q·n)/R for a Q below R. This is below R + n:
// if it does not fit, what it is without n does. For t < R it is at most n. t is
// overwritten; z may be its upper half.
func (m *Modulus) Redc(z, t []uint64) { m.Reduce(z, t, m.N, m.NInv, ^uint64(0)) }
