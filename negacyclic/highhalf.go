package negacyclic

// What vectors multiply with: rounding-doubling high halves of products, in words of B bits,
//
//	high(a, b) = ⌊(2ab + 2^(B−1)) / 2^B⌋
//
// that is ab/2^(B−1) rounded to an integer, and low halves. There are two ways to a·b mod q
// for a constant b with these, of three products each.

// highHalf returns high(a, b) for two words of the given number of bits.
func highHalf(a, b int64, bits uint) int64 { return (a*b + 1<<(bits-2)) >> (bits - 1) }

// lowHalf returns the low half of a·b as a signed word.
func lowHalf[W Word](a, b int64) int64 { return int64(W(a * b)) }

// highConstant is a constant b with the companion that a form needs.
type highConstant struct{ b, companion int64 }

// barrettConstant returns b, centred, with round(b·2^(B−1)/q), of at most half of a word.
func barrettConstant[W Word](b, q int64) highConstant {
	b = centre(b, q)
	return highConstant{b, floorDiv(b<<wordBits[W]()+q, 2*q)}
}

// mulBarrett returns a·b modulo q, within [−q, q], for any word a.
//
// The companion is off by at most ½, so a times it over 2^(B−1) is off from ab/q by at most
// |a|/2^B ≤ ½, and rounding by another ½. So the quotient is off by at most 1, and ab minus it
// times q is at most q. That is below 2^(B−1), so low halves suffice to compute it.
func mulBarrett[W Word](a int64, c highConstant, q int64) int64 {
	return int64(W(a*c.b) - W(highHalf(a, c.companion, wordBits[W]())*q))
}

// montgomeryConstant returns b·2^(B−1) mod q as an odd number of at most q − 1 in absolute
// value, with −b/q modulo 2^B. One of x and x − q is odd.
func montgomeryConstant[W Word](b, q int64) highConstant {
	bits := wordBits[W]()
	b = b * (1 << (bits - 1) % q) % q
	if b%2 == 0 {
		b -= q
	}
	return highConstant{b, lowHalf[W](-b, int64(int32(inverseOdd(uint32(q)))))}
}

// mulMontgomery returns a·b/2^(B−1) modulo q for the b of c, of less than 2q, for any word a
// but ±2^(B−2).
//
// With m = −ab/q mod 2^B, ab + mq is a multiple of 2^B. The two high halves are ab/2^(B−1) and
// mq/2^(B−1), rounded; their exact sum is an integer, so one is rounded up by as much as the
// other is down, unless both end in exactly ½, where both are rounded up. Then ab is 2^(B−2)
// modulo 2^(B−1), and as b is odd, a is an odd multiple of 2^(B−2): one of the two excluded.
// The sum is at most |b| + q, as |a| and |m| are at most 2^(B−1).
func mulMontgomery[W Word](a int64, c highConstant, q int64) int64 {
	bits := wordBits[W]()
	return highHalf(a, c.b, bits) + highHalf(lowHalf[W](a, c.companion), q, bits)
}

// centre returns x mod q in [−(q−1)/2, (q−1)/2], for 0 ≤ x < q.
func centre(x, q int64) int64 {
	if 2*x > q {
		return x - q
	}
	return x
}

// floorDiv returns ⌊x/y⌋ for y > 0.
func floorDiv(x, y int64) int64 {
	d := x / y
	if x%y < 0 {
		d--
	}
	return d
}

// highHalves are transforms with products by high halves. They do with one word at a time
// what a kernel does with a vector.
//
// Words stay below 2^(B−2) in absolute value, for the sake of Montgomery's form, and products
// are below 2q. Where a layer would go further, words are brought into [−q, q] first, by
// Barrett's form, which takes any word. As q < 2^(B−4), a layer can always follow on that:
// forward it adds 2q to a bound, which gives 3q; of the inverse it doubles the bound.
type highHalves[W Word] struct {
	montgomery     bool
	q              int64
	n, layers      int
	one            highConstant // of Barrett's form
	scale          highConstant // 2^−layers
	zetas, unzeta  []highConstant
	small, unsmall []bool // before which layers words are brought into [−q, q]
}

func newHighHalves[W Word](form Form, q int64, n, layers int) *highHalves[W] {
	t := &highHalves[W]{montgomery: form == Montgomery, q: q, n: n, layers: layers}
	constant := barrettConstant[W]
	if t.montgomery {
		constant = montgomeryConstant[W]
	}
	z := zetas(q, layers)
	for i, v := range inverses(z, q) {
		t.zetas = append(t.zetas, constant(z[i], q))
		t.unzeta = append(t.unzeta, constant(v, q))
	}
	t.one, t.scale = barrettConstant[W](1, q), constant(power((q+1)/2, int64(layers), q), q)
	most := int64(1)<<(wordBits[W]()-2) - 1
	f, b := most, most // as for any words: the first layer always has small ones
	for range layers {
		t.small, f = append(t.small, f+2*q > most), f+2*q
		if f > most {
			f = 3 * q
		}
		t.unsmall, b = append(t.unsmall, 2*b > most), 2*b
		if b > most {
			b = 2 * q
		}
	}
	return t
}

// mul returns a·c modulo q, of less than 2q.
func (t *highHalves[W]) mul(a int64, c highConstant) int64 {
	if t.montgomery {
		return mulMontgomery[W](a, c, t.q)
	}
	return mulBarrett[W](a, c, t.q)
}

func (t *highHalves[W]) forward(a, x []W) {
	copy(a, x)
	for l := range t.layers {
		if t.small[l] {
			t.makeSmall(a)
		}
		w := t.n >> (l + 1)
		for s, z := range t.zetas[1<<l : 2<<l] {
			lo, hi := a[2*s*w:(2*s+1)*w], a[(2*s+1)*w:(2*s+2)*w]
			for i, x := range lo {
				y := W(t.mul(int64(hi[i]), z))
				lo[i], hi[i] = x+y, x-y
			}
		}
	}
	t.canonical(a)
}

func (t *highHalves[W]) inverse(a, x []W) {
	copy(a, x)
	for l := t.layers - 1; l >= 0; l-- {
		if t.unsmall[t.layers-1-l] {
			t.makeSmall(a)
		}
		w := t.n >> (l + 1)
		for s, z := range t.unzeta[1<<l : 2<<l] {
			lo, hi := a[2*s*w:(2*s+1)*w], a[(2*s+1)*w:(2*s+2)*w]
			for i, x := range lo {
				y := hi[i]
				lo[i], hi[i] = x+y, W(t.mul(int64(x-y), z))
			}
		}
	}
	if t.layers > 0 {
		for i, x := range a {
			a[i] = W(t.mul(int64(x), t.scale))
		}
	}
	t.canonical(a)
}

// makeSmall brings any words into [−q, q].
func (t *highHalves[W]) makeSmall(a []W) {
	for i, x := range a {
		a[i] = W(mulBarrett[W](int64(x), t.one, t.q))
	}
}

// canonical brings any words into [0, q).
func (t *highHalves[W]) canonical(a []W) {
	for i, x := range a {
		v := mulBarrett[W](int64(x), t.one, t.q)
		v += t.q & (v >> 63)
		v -= t.q
		a[i] = W(v + t.q&(v>>63))
	}
}
