package folding

// Modulus is a number to reduce by, and what is computed from it once. With W the
// range of a word, k words of the modulus N and Above(k, i) written e(i):
type Modulus[E any] struct {
	// N is the modulus. Its highest bit is set: N ≥ Wᵏ/2.
	N []E
	// Folds are W^(k+e(i)) mod N for i = 1, 2, …, each of k words.
	Folds [][]E
	// Mu is ⌊(W^(k+e) − 1) / N⌋ − Wᵉ, of e words, for e = e(F) with F folds. The bit
	// of weight Wᵉ, which the quotient always has, is left out; the −1 keeps the
	// quotient of N = Wᵏ/2 below 2·Wᵉ.
	Mu []E
}

// Above returns how many words a number has above the k words of the modulus after
// some folds: k at first, and half of that, rounded up, after each fold.
func Above(k, folds int) int {
	for range folds {
		k = (k + 1) / 2
	}
	return k
}

// MaxFolds returns the number of folds after which one word is left above the
// modulus, which more of them cannot take away.
func MaxFolds(k int) int {
	folds := 0
	for ; k > 1; k = (k + 1) / 2 {
		folds++
	}
	return folds
}

// corrections is how often N has to be subtracted at most after the quotient has
// been estimated; see quotient.
const corrections = 3

// ReduceScratch returns the number of words of scratch that Reduce needs for a
// modulus of k words.
func (a *Arithmetic[E]) ReduceScratch(k, folds int) int {
	need, high := 0, k
	for range folds {
		low := (high + 1) / 2
		need = max(need, k+high-low+a.MulScratch(k, high-low))
		high = low
	}
	// The quotient's product stays while that with the modulus is made.
	need = max(need, 2*high+a.MulScratch(high, high))
	return max(need, 2*high+k+high+a.MulScratch(k, high))
}

// Reduce sets z = t mod N, for t of 2k words, which it overwrites. z has k words.
// They and scratch share no memory.
func (a *Arithmetic[E]) Reduce(z, t []E, m *Modulus[E], scratch []E) {
	high := len(m.N)
	for _, c := range m.Folds {
		high = a.fold(t, c, high, scratch)
	}
	a.quotient(z, t, m, high, scratch)
}

// fold makes t, which has high words above the k of c, half as long there: it
// returns low = ⌈high/2⌉, and t mod N is the same for t of k + low words, where
// c = W^(k+low) mod N.
//
//	t = u·W^(k+low) + v ≡ u·c + v
//
// u has high − low ≤ low words, so u·c ≤ (W^low − 1)·(N − 1), and
// u·c + v < 2·W^(k+low) − N. Where that has a carry, it is replaced by c < N; there
// is no second one.
func (a *Arithmetic[E]) fold(t, c []E, high int, scratch []E) int {
	k, low := len(c), (high+1)/2
	u, v := t[k+low:k+high], t[:k+low]
	if len(u) == 0 {
		return low
	}
	product, scratch := scratch[:k+len(u)], scratch[k+len(u):]
	a.Mul(product, c, u, scratch)
	carry := a.Machine.Add(v, v, product)
	a.Machine.AddIf(v, c, carry)
	return low
}

// quotient sets z = t mod N, where t has e = len(m.Mu) words above those of N.
//
// With t = u·Wᵏ + v and µ = Wᵉ + Mu, the quotient is estimated as
// q = ⌊u·µ/Wᵉ⌋ = u + ⌊u·Mu/Wᵉ⌋. It is never too large, for µ ≤ W^(k+e)/N, and
//
//	t/N − q  <  (v/Wᵏ)·(Wᵏ/N)  +  u·(W^(k+e)/N − µ)/Wᵉ  +  1
//
// where the first term is below 2, as N ≥ Wᵏ/2; the second below 1, as u < Wᵉ and µ
// is off by at most 1; and the third what the division by Wᵉ cuts off. So t − q·N
// is below 4·N, and there are at most three corrections. It has k words and two
// bits: it is enough to compute k + 1 words.
func (a *Arithmetic[E]) quotient(z, t []E, m *Modulus[E], e int, scratch []E) {
	k := len(m.N)
	u := t[k : k+e]
	product, scratch := scratch[:2*e], scratch[2*e:]
	a.Mul(product, m.Mu, u, scratch)
	q := product[e:]
	over := a.Machine.Add(q, q, u) // q < 2·Wᵉ: the bit above its words

	multiple, scratch := scratch[:k+e], scratch[k+e:]
	a.Mul(multiple, m.N, q, scratch)
	a.Machine.AddIf(multiple[e:k+1], m.N[:k+1-e], over)

	rest := t[:k+1]
	a.Machine.Sub(rest, rest, multiple[:k+1])
	a.Machine.Correct(rest, m.N, corrections)
	a.Machine.Copy(z, rest[:k])
}
