package negacyclic

// Two coefficients in a word of 64 bits, in halves of 32 of which each holds a number below
// 2^16: one multiplication by a constant below 2^16 does both, for the products are below 2^32
// and do not meet. Coefficients 2j and 2j+1 are together, and an incomplete transform treats
// them alike in every layer.
//
// With R = 2^16, z below q and z' = −z/q mod R, Montgomery's product of x < R is
//
//	(x·z + (x·z' mod R)·q) / R < q + q
//
// where the sum is a multiple of R in each half, so one shift divides both and no bit of one
// half comes into the other.

const (
	// ones has a 1 in both halves.
	ones = 1<<32 | 1
	// lowBits masks 16 bits of both.
	lowBits = ones * (1<<16 - 1)
	// maxPairs is how many pairs a transform has room for, on the stack.
	maxPairs = 128
)

// pairConstant is z·R mod q with its z', for products with z.
type pairConstant struct{ z, companion uint64 }

func newPairConstant(z, q int64) pairConstant {
	z = z << 16 % q
	return pairConstant{uint64(z), uint64(uint16(-z * int64(inverseOdd(uint32(q)))))}
}

// times returns x·z modulo q in both halves, below 2q.
func (c pairConstant) times(x, q uint64) uint64 {
	return (x*c.z + x*c.companion&lowBits*q) >> 16
}

// pairs are transforms of pairs.
//
// Forward, numbers are below 2q once made small, and each layer adds 2q: 2(layers+1)·q must
// be at most R. Back, they are below c·q with c = 1 at first; a layer gives sums below 2c·q,
// and products, below 2q, of differences to which c·q is added so that they are not
// negative. If the next layer's would reach R, sums are made small. For that 8q ≤ R suffices.
type pairs struct {
	q, recip      uint64 // and ⌊(2^64−1)/q⌋
	n, layers     int
	negative      uint64 // a multiple of q that is added to negative words
	one, scale    pairConstant
	lastUnzeta    pairConstant
	zetas, unzeta []pairConstant
	bound         []uint64 // c·q of the layers back, in both halves; by layer
	small         []bool   // in which of them sums are made small
}

// pairsFit tells whether there can be transforms of pairs.
func pairsFit(q int64, n, layers int) bool {
	return layers > 2 && n>>layers >= 2 && n <= 2*maxPairs && q*int64(max(8, 2*layers+2)) <= 1<<16
}

func newPairs(q int64, n, layers int) *pairs {
	t := &pairs{q: uint64(q), recip: ^uint64(0) / uint64(q), n: n, layers: layers}
	t.negative = uint64((1<<15 + q - 1) / q * q)
	z := zetas(q, layers)
	for i, v := range inverses(z, q) {
		t.zetas = append(t.zetas, newPairConstant(z[i], q))
		t.unzeta = append(t.unzeta, newPairConstant(v, q))
	}
	scale := power((q+1)/2, int64(layers), q)
	t.one, t.scale = newPairConstant(1, q), newPairConstant(scale, q)
	t.lastUnzeta = newPairConstant(power(z[1], q-2, q)*scale%q, q)
	t.bound, t.small = make([]uint64, layers), make([]bool, layers)
	c := uint64(1)
	for l := layers - 1; l >= 0; l-- {
		t.bound[l] = c * t.q * ones
		t.small[l] = 4*c*t.q > 1<<16
		c *= 2
		if t.small[l] {
			c = 2
		}
	}
	return t
}

// pair puts two words together, as numbers below 2^16. A negative one is at least −2^15, and
// gets the least multiple of q that is not below 2^15; that is below 2^15 + q < 2^16.
func (t *pairs) pair(x, y int16) uint64 {
	u := uint64(int64(x)) + t.negative&uint64(int64(x)>>63)
	v := uint64(int64(y)) + t.negative&uint64(int64(y)>>63)
	return u | v<<32
}

// canonical returns x·c in [0, q), in both halves: a product below 2q and bit 31 of what is
// q or more.
func (t *pairs) canonical(x uint64, c pairConstant) uint64 {
	x = c.times(x, t.q)
	over := (x + (1<<31-t.q)*ones) >> 31 & ones
	return x - (over<<16-over)&(t.q*ones)
}

func (t *pairs) forward(z, a []int16) {
	var space [maxPairs]uint64
	x := space[:t.n/2]
	t.layersForward(x, a)
	z = z[:2*len(x)]
	for i, u := range x {
		u = t.canonical(u, t.one)
		z[2*i], z[2*i+1] = int16(u), int16(u>>32)
	}
}

// layersForward sets x to the transform of a, with numbers below 2(layers+1)·q.
func (t *pairs) layersForward(x []uint64, a []int16) {
	m := len(x)
	a = a[:2*m]
	h := m / 2
	q, twice := t.q, 2*t.q*ones
	first := t.zetas[1]
	for i := range h {
		u := t.one.times(t.pair(a[2*i], a[2*i+1]), q)
		v := first.times(t.pair(a[2*(h+i)], a[2*(h+i)+1]), q)
		x[i], x[h+i] = u+v, u+twice-v
	}
	l := 1
	if t.layers%2 == 0 {
		for s, z := range t.zetas[2:4] {
			lo, hi := x[s*h:s*h+h/2], x[s*h+h/2:(s+1)*h]
			for i, u := range lo {
				v := z.times(hi[i], q)
				lo[i], hi[i] = u+v, u+twice-v
			}
		}
		l = 2
	}
	for ; l+2 < t.layers; l += 2 {
		w := m >> l
		for s, z := range t.zetas[1<<l : 2<<l] {
			y := t.zetas[2<<l+2*s:]
			pairsForward2(x[s*w:(s+1)*w], z, y[0], y[1], q)
		}
	}
	t.lastForward(x)
}

// lastForward does the last two layers, of many short blocks.
func (t *pairs) lastForward(x []uint64) {
	l := t.layers - 2
	q, twice, w := t.q, 2*t.q*ones, len(x)>>t.layers
	for s := range 1 << l {
		z0, z1, z2 := &t.zetas[1<<l+s], &t.zetas[2<<l+2*s], &t.zetas[2<<l+2*s+1]
		y := x[4*s*w : 4*(s+1)*w]
		for i := range w {
			u, v := y[i], z0.times(y[2*w+i], q)
			r, s := y[w+i], z0.times(y[3*w+i], q)
			u, v = u+v, u+twice-v
			r, s = z1.times(r+s, q), z2.times(r+twice-s, q)
			y[i], y[w+i] = u+r, u+twice-r
			y[2*w+i], y[3*w+i] = v+s, v+twice-s
		}
	}
}

// pairsForward2 does a block of one layer, by z0, and its two of the next, by z1 and z2.
func pairsForward2(x []uint64, z0, z1, z2 pairConstant, q uint64) {
	w := len(x) / 4
	x0, x1, x2, x3 := x[:w], x[w:2*w], x[2*w:3*w], x[3*w:4*w]
	twice := 2 * q * ones
	for i := range x0 {
		u, v := x0[i], z0.times(x2[i], q)
		r, s := x1[i], z0.times(x3[i], q)
		u, v = u+v, u+twice-v
		r, s = z1.times(r+s, q), z2.times(r+twice-s, q)
		x0[i], x1[i] = u+r, u+twice-r
		x2[i], x3[i] = v+s, v+twice-s
	}
}

func (t *pairs) inverse(z, a []int16) {
	var space [maxPairs]uint64
	x := space[:t.n/2]
	a = a[:2*len(x)]
	for i := range x {
		x[i] = uint64(uint16(a[2*i])) | uint64(uint16(a[2*i+1]))<<32
	}
	t.layersBack(z, x)
}

// layersBack sets a to the polynomial of which x is the transform, in [0, q); x is lost.
func (t *pairs) layersBack(a []int16, x []uint64) {
	q, m := t.q, len(x)
	a = a[:2*m]
	t.firstInverse(x)
	for l := t.layers - 3; l > 0; l-- {
		w := m >> (l + 1)
		if l > 1 && !t.small[l] && !t.small[l-1] {
			for s, z := range t.unzeta[1<<(l-1) : 1<<l] {
				y := t.unzeta[1<<l+2*s:]
				pairsInverse2(x[4*s*w:4*(s+1)*w], z, y[0], y[1], q, t.bound[l])
			}
			l--
			continue
		}
		for s, z := range t.unzeta[1<<l : 2<<l] {
			lo, hi := x[2*s*w:(2*s+1)*w], x[(2*s+1)*w:(2*s+2)*w]
			t.inverseLayer(lo, hi, z, l)
		}
	}
	h := m / 2
	for i, u := range x[:h] {
		v := x[h+i]
		r, s := t.canonical(u+v, t.scale), t.canonical(u+t.bound[0]-v, t.lastUnzeta)
		a[2*i], a[2*i+1] = int16(r), int16(r>>32)
		a[2*(h+i)], a[2*(h+i)+1] = int16(s), int16(s>>32)
	}
}

// firstInverse does the last two layers back, from residues in [0, q). Their sums need not be
// made small, as 8q ≤ R.
func (t *pairs) firstInverse(x []uint64) {
	l := t.layers - 2
	q, one, twice, w := t.q, t.q*ones, 2*t.q*ones, len(x)>>t.layers
	for s := range 1 << l {
		z0, z1, z2 := &t.unzeta[1<<l+s], &t.unzeta[2<<l+2*s], &t.unzeta[2<<l+2*s+1]
		y := x[4*s*w : 4*(s+1)*w]
		for i := range w {
			x0, x1, x2, x3 := y[i], y[w+i], y[2*w+i], y[3*w+i]
			u, r := x0+x1, z1.times(x0+one-x1, q)
			v, s := x2+x3, z2.times(x2+one-x3, q)
			y[i], y[w+i] = u+v, r+s
			y[2*w+i], y[3*w+i] = z0.times(u+twice-v, q), z0.times(r+twice-s, q)
		}
	}
}

// mul sets z to x·y, for residues of two coefficients. Between the transforms, numbers stay
// as they are.
func (t *pairs) mul(z, x, y []int16) {
	var u, v [maxPairs]uint64
	m := t.n / 2
	t.layersForward(u[:m], x)
	t.layersForward(v[:m], y)
	t.multiply(u[:m], v[:m])
	t.layersBack(z, u[:m])
}

// multiply sets the residues u modulo X² − γ to u·v, in [0, q).
//
// For a and b below 2^16 and γb₁ below 2q, sums of two products are below 2^33.
func (t *pairs) multiply(u, v []uint64) {
	q, recip := t.q, t.recip
	for s, c := range t.zetas[len(u)/2:] {
		x, y := u[2*s:2*s+2:2*s+2], v[2*s:2*s+2:2*s+2]
		for i, xi := range x {
			a0, a1, b0, b1 := xi&(1<<16-1), xi>>32, y[i]&(1<<16-1), y[i]>>32
			r := c.times(b1, q)
			if i == 1 { // γ is ζ's power for the first, and minus that for the second
				r = 2*q - r
			}
			x[i] = remainder(a0*b0+a1*r, q, recip) | remainder(a0*b1+a1*b0, q, recip)<<32
		}
	}
}

// inverseLayer does a block of layer l.
func (t *pairs) inverseLayer(lo, hi []uint64, z pairConstant, l int) {
	q, bound := t.q, t.bound[l]
	hi = hi[:len(lo)]
	if t.small[l] {
		for i, u := range lo {
			v := hi[i]
			lo[i], hi[i] = t.one.times(u+v, q), z.times(u+bound-v, q)
		}
		return
	}
	for i, u := range lo {
		v := hi[i]
		lo[i], hi[i] = u+v, z.times(u+bound-v, q)
	}
}

// pairsInverse2 does two blocks of one layer, by z1 and z2, and theirs of the next, by z0.
func pairsInverse2(x []uint64, z0, z1, z2 pairConstant, q, bound uint64) {
	w := len(x) / 4
	x0, x1, x2, x3 := x[:w], x[w:2*w], x[2*w:3*w], x[3*w:4*w]
	twice := 2 * q * ones
	for i := range x0 {
		u, r := x0[i]+x1[i], z1.times(x0[i]+bound-x1[i], q)
		v, s := x2[i]+x3[i], z2.times(x2[i]+bound-x3[i], q)
		x0[i], x1[i] = u+v, r+s
		x2[i], x3[i] = z0.times(u+2*bound-v, q), z0.times(r+twice-s, q)
	}
}
