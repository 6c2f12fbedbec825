package negacyclic

import "math/bits"

// What is here works on public numbers, once for a ring.

// isPrime tells whether q, below 2^31, is prime, by trial division.
func isPrime(q int64) bool {
	if q < 2 {
		return false
	}
	for d := int64(2); d*d <= q; d++ {
		if q%d == 0 {
			return false
		}
	}
	return true
}

// power returns b^e mod q, for 0 ≤ b < q < 2^31.
func power(b, e, q int64) int64 {
	z := int64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			z = z * b % q
		}
		b = b * b % q
	}
	return z
}

// rootOfUnity returns the smallest number of order 2m modulo q, for m a power of two with
// 2m | q − 1: the smallest with z^m = −1. It is 17 for FIPS 203 (m = 128, q = 3329), and 1753
// for FIPS 204 (m = 256, q = 8380417).
func rootOfUnity(m int, q int64) int64 {
	g := int64(2) // then one that is no square
	for power(g, (q-1)/2, q) != q-1 {
		g++
	}
	z := power(g, (q-1)/int64(2*m), q)
	least, square := z, z*z%q
	for range m { // the odd powers of z have that order, and no others
		least = min(least, z)
		z = z * square % q
	}
	return least
}

// reverse returns the lowest bits of i in reverse order.
func reverse(i, bit int) int {
	if bit == 0 {
		return 0
	}
	return int(bits.Reverse64(uint64(i)) >> (64 - bit))
}

// zetas returns ζ to the power of reverse(i) for 0 ≤ i < 2^layers, ζ of order 2^(layers+1).
// Entry 2^l + s is for block s of layer l.
func zetas(q int64, layers int) []int64 {
	m := 1 << layers
	zeta := rootOfUnity(m, q)
	z := make([]int64, m)
	for i := range z {
		z[i] = power(zeta, int64(reverse(i, layers)), q)
	}
	return z
}

// inverses returns 1/z modulo q for every z.
func inverses(z []int64, q int64) []int64 {
	v := make([]int64, len(z))
	for i, x := range z {
		v[i] = power(x, q-2, q)
	}
	return v
}
