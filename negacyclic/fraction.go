package negacyclic

import (
	"math/bits"
	"unsafe"
)

// Products by fractions: a·b mod q for a constant b is q times the fraction of a·b/q, which
// words keep by themselves when they overflow. With F = 32 for words of 16 bits, and 64 for
// words of 32,
//
//	b̂ = round(b·2^F/q)
//
// a·b̂ mod 2^F is 2^F times the fraction of a·b/q, up to an error of |a|/2, and times q/2^F
// it is the residue: two products, of which the result is as small as can be. It is Barrett's
// method with a quotient that is never formed.

// fraction returns b̂ for 0 ≤ b < q. It is below 2^F, for b ≤ q − 1.
func fraction[W Word](b, q int64) uint64 {
	if unsafe.Sizeof(W(0)) == 2 {
		return (uint64(b)<<32 + uint64(q)/2) / uint64(q)
	}
	f, _ := bits.Div64(uint64(b), uint64(q)/2, uint64(q))
	return f
}

// centred returns a·b mod q in [−h, h] for h = (q−1)/2, for |a| ≤ 2^B in words of B bits.
//
// With r = a·b mod q in [−h, h], a·b̂ + 2^(F−1) is (r/q + ½)·2^F modulo 2^F, up to an error
// below 2^F/(2q): |a|/2 ≤ 2^(B−1) and q < 2^(B−1) = 2^(F/2−1). So q/2^F times it is r + q/2 up
// to an error below ½, that is between r + h and r + h + 1, and cannot have wrapped.
func centred[W Word](a int64, b, q uint64, h int64) int64 {
	if unsafe.Sizeof(W(0)) == 2 {
		return int64(uint64(uint32(a)*uint32(b)+1<<31)*q>>32) - h
	}
	r, _ := bits.Mul64(uint64(a)*b+1<<63, q)
	return int64(r) - h
}

// canonical returns a·b mod q in [0, q), for |a| ≤ 2^B and half = ⌊2^(F−1)/q⌋.
//
// With r = a·b mod q in [0, q), a·b̂ + half is 2^F·r/q up to an error that is not negative, for
// |a|/2 ≤ 2^(B−1) ≤ half, and less than 2^F/q. So its product with q/2^F is in [r, r+1).
func canonical[W Word](a int64, b, q, half uint64) W {
	if unsafe.Sizeof(W(0)) == 2 {
		return W(uint64(uint32(a)*uint32(b)+uint32(half)) * q >> 32)
	}
	r, _ := bits.Mul64(uint64(a)*b+half, q)
	return W(r)
}

// fractions are transforms with products by fractions.
type fractions[W Word] struct {
	q, half       uint64
	h             int64 // (q−1)/2
	n, layers     int
	one, scale    uint64   // of 1, and of 2^−layers
	zetas, unzeta []uint64 // of ζ's powers, and of their inverses
	lastUnzeta    uint64   // of the last layer's, times 2^−layers
	centre        []bool   // in which layers forward makes small what it does not multiply
	uncentre      []bool   // in which layers of inverse, in their order
}

func newFractions[W Word](q int64, n, layers int) *fractions[W] {
	z := zetas(q, layers)
	v := inverses(z, q)
	scale := power((q+1)/2, int64(layers), q)
	t := &fractions[W]{q: uint64(q), h: (q - 1) / 2, n: n, layers: layers}
	t.half = 1 << (2*wordBits[W]() - 1) / t.q
	t.one, t.scale = fraction[W](1, q), fraction[W](scale, q)
	for i := range z {
		t.zetas = append(t.zetas, fraction[W](z[i], q))
		t.unzeta = append(t.unzeta, fraction[W](v[i], q))
	}
	if layers > 0 {
		t.lastUnzeta = fraction[W](v[1]*scale%q, q)
	}
	t.centre, t.uncentre = smallLayers[W](t.h, layers)
	return t
}

// smallLayers tells in which layers words must be made small to hold every result.
//
// Any word comes in, so |x| ≤ 2^(B−1). A layer forward gives x ± t with |t| ≤ h: one more h,
// or 2h with x made small. A layer of the inverse gives x + y, which doubles the bound, or is
// at most h when it is made small; and a product, at most h. 2h = q − 1 always fits.
func smallLayers[W Word](h int64, layers int) (forward, inverse []bool) {
	most := int64(1)<<(wordBits[W]()-1) - 1
	f, b := most+1, most+1
	for range layers {
		small := f+h > most
		forward = append(forward, small)
		if small {
			f = h
		}
		f += h
		small = 2*b > most
		inverse = append(inverse, small)
		b *= 2
		if small {
			b = h
		}
	}
	return forward, inverse
}

// Both directions do two layers in one pass where the first need not make words small, or is
// the first of all: a word is loaded and stored half as often. In between, it is in a register
// of 64 bits.

func (t *fractions[W]) forward(a, x []W) {
	copy(a, x)
	last := t.layers - 1
	for l := 0; l < last; {
		w := t.n >> (l + 1)
		if l+1 < last && !t.centre[l+1] {
			for s, z := range t.zetas[1<<l : 2<<l] {
				y := t.zetas[2<<l+2*s:]
				if t.centre[l] {
					t.centredForward2(a[2*s*w:2*(s+1)*w], z, y[0], y[1])
				} else {
					t.plainForward2(a[2*s*w:2*(s+1)*w], z, y[0], y[1])
				}
			}
			l += 2
			continue
		}
		for s, z := range t.zetas[1<<l : 2<<l] {
			lo, hi := a[2*s*w:(2*s+1)*w], a[(2*s+1)*w:(2*s+2)*w]
			if t.centre[l] {
				t.centredForward(lo, hi, z)
			} else {
				t.plainForward(lo, hi, z)
			}
		}
		l++
	}
	if t.layers == 0 {
		t.canonical(a, t.one)
		return
	}
	t.lastForward(a[:t.n], t.n>>t.layers)
}

func (t *fractions[W]) inverse(a, x []W) {
	copy(a, x)
	centre := func(l int) bool { return t.uncentre[t.layers-1-l] }
	for l := t.layers - 1; l > 0; l-- {
		w := t.n >> (l + 1)
		if l > 1 && !centre(l) && !centre(l-1) {
			for s, z := range t.unzeta[1<<(l-1) : 1<<l] {
				y := t.unzeta[1<<l+2*s:]
				t.plainInverse2(a[4*s*w:4*(s+1)*w], z, y[0], y[1])
			}
			l--
			continue
		}
		if centre(l) {
			t.centredInverse(a[:t.n], w, t.unzeta[1<<l:2<<l])
			continue
		}
		for s, z := range t.unzeta[1<<l : 2<<l] {
			t.plainInverse(a[2*s*w:(2*s+1)*w], a[(2*s+1)*w:(2*s+2)*w], z)
		}
	}
	if t.layers == 0 {
		t.canonical(a, t.one)
		return
	}
	t.lastInverse(a[:t.n/2], a[t.n/2:t.n])
}

// canonical multiplies all words by a constant.
func (t *fractions[W]) canonical(a []W, b uint64) {
	for i, x := range a {
		a[i] = canonical[W](int64(x), b, t.q, t.half)
	}
}

// The butterflies of Cooley and Tukey: lo + z·hi and lo − z·hi.

func (t *fractions[W]) plainForward(lo, hi []W, z uint64) {
	q, h := t.q, t.h
	hi = hi[:len(lo)]
	for i, x := range lo {
		y := W(centred[W](int64(hi[i]), z, q, h))
		lo[i], hi[i] = x+y, x-y
	}
}

func (t *fractions[W]) centredForward(lo, hi []W, z uint64) {
	q, h, one := t.q, t.h, t.one
	hi = hi[:len(lo)]
	for i, v := range lo {
		x, y := W(centred[W](int64(v), one, q, h)), W(centred[W](int64(hi[i]), z, q, h))
		lo[i], hi[i] = x+y, x-y
	}
}

// lastForward does all blocks of the last layer, of w words and w words. It takes any words,
// and gives residues in [0, q). |x ± y| ≤ 2^(B−1) + h < 2^B.
func (t *fractions[W]) lastForward(a []W, w int) {
	q, h, one, half := t.q, t.h, t.one, t.half
	for _, z := range t.zetas[1<<(t.layers-1) : 1<<t.layers] {
		lo, hi := a[:w], a[w:2*w]
		for i, v := range lo {
			x, y := int64(v), centred[W](int64(hi[i]), z, q, h)
			lo[i], hi[i] = canonical[W](x+y, one, q, half), canonical[W](x-y, one, q, half)
		}
		a = a[2*w:]
	}
}

// plainForward2 does a block of one layer, by z0, and its two of the next, by z1 and z2.
func (t *fractions[W]) plainForward2(a []W, z0, z1, z2 uint64) {
	q, h, w := t.q, t.h, len(a)/4
	a0, a1, a2, a3 := a[:w], a[w:2*w], a[2*w:3*w], a[3*w:4*w]
	for i := range a0 {
		x0, x1 := int64(a0[i]), int64(a1[i])
		x2, x3 := centred[W](int64(a2[i]), z0, q, h), centred[W](int64(a3[i]), z0, q, h)
		y1, y3 := centred[W](x1+x3, z1, q, h), centred[W](x1-x3, z2, q, h)
		a0[i], a1[i] = W(x0+x2+y1), W(x0+x2-y1)
		a2[i], a3[i] = W(x0-x2+y3), W(x0-x2-y3)
	}
}

// centredForward2 is plainForward2 for words that are made small first.
func (t *fractions[W]) centredForward2(a []W, z0, z1, z2 uint64) {
	q, h, one, w := t.q, t.h, t.one, len(a)/4
	a0, a1, a2, a3 := a[:w], a[w:2*w], a[2*w:3*w], a[3*w:4*w]
	for i := range a0 {
		// x1 goes into products only, and |x1 ± x3| ≤ 2^(B−1) + h < 2^B.
		x0, x1 := centred[W](int64(a0[i]), one, q, h), int64(a1[i])
		x2, x3 := centred[W](int64(a2[i]), z0, q, h), centred[W](int64(a3[i]), z0, q, h)
		y1, y3 := centred[W](x1+x3, z1, q, h), centred[W](x1-x3, z2, q, h)
		a0[i], a1[i] = W(x0+x2+y1), W(x0+x2-y1)
		a2[i], a3[i] = W(x0-x2+y3), W(x0-x2-y3)
	}
}

// The butterflies of Gentleman and Sande: lo + hi and z·(lo − hi). |lo ± hi| ≤ 2^B.

func (t *fractions[W]) plainInverse(lo, hi []W, z uint64) {
	q, h := t.q, t.h
	hi = hi[:len(lo)]
	for i, x := range lo {
		y := hi[i]
		lo[i], hi[i] = x+y, W(centred[W](int64(x)-int64(y), z, q, h))
	}
}

// centredInverse does all blocks of a layer, of w words and w words.
func (t *fractions[W]) centredInverse(a []W, w int, zetas []uint64) {
	q, h, one := t.q, t.h, t.one
	for _, z := range zetas {
		lo, hi := a[:w], a[w:2*w]
		for i, v := range lo {
			x, y := int64(v), int64(hi[i])
			lo[i], hi[i] = W(centred[W](x+y, one, q, h)), W(centred[W](x-y, z, q, h))
		}
		a = a[2*w:]
	}
}

// plainInverse2 does two blocks of one layer, by z1 and z2, and theirs of the next, by z0.
func (t *fractions[W]) plainInverse2(a []W, z0, z1, z2 uint64) {
	q, h, w := t.q, t.h, len(a)/4
	a0, a1, a2, a3 := a[:w], a[w:2*w], a[2*w:3*w], a[3*w:4*w]
	for i := range a0 {
		x0, x1, x2, x3 := int64(a0[i]), int64(a1[i]), int64(a2[i]), int64(a3[i])
		y0, y2 := x0+x1, x2+x3
		y1, y3 := centred[W](x0-x1, z1, q, h), centred[W](x2-x3, z2, q, h)
		a0[i], a1[i] = W(y0+y2), W(y1+y3)
		a2[i], a3[i] = W(centred[W](y0-y2, z0, q, h)), W(centred[W](y1-y3, z0, q, h))
	}
}

// lastInverse divides by 2^layers as well, and gives residues in [0, q).
func (t *fractions[W]) lastInverse(lo, hi []W) {
	q, half, scale, z := t.q, t.half, t.scale, t.lastUnzeta
	hi = hi[:len(lo)]
	for i, v := range lo {
		x, y := int64(v), int64(hi[i])
		lo[i], hi[i] = canonical[W](x+y, scale, q, half), canonical[W](x-y, z, q, half)
	}
}
