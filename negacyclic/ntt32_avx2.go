//go:build amd64 && !purego

package negacyclic

import (
	"unsafe"

	"residue/internal/cpu"
	"residue/internal/memory"
)

func init() { kernelNamed[cpu.AVX2].prime32 = newAVX2Words32 }

// avx2Words32 are transforms of 32-bit words by AVX2. asm/negacyclic/ntt32_avx2.go says where
// words are on the way, and what the table has.
type avx2Words32 struct{ table []int32 }

// leastModulus32 bounds q from below: the quotients by which AVX2 makes words small are off by
// too much for smaller ones.
const leastModulus32 = 1 << 18

// newAVX2Words32 returns the routines for a ring, or nil if there are none.
func newAVX2Words32(q int64, n, layers int) primeVectors[int32] {
	if n != n32 || layers != layers32 || q <= leastModulus32 || q >= mostModulus32 {
		return nil
	}
	return &avx2Words32{newAVX2Table32(q)}
}

// avx2Table32 is a table of vectors that grows.
type avx2Table32 struct {
	q     int64
	words []int32 // aligned
	used  int
}

const (
	avx2Lanes32 = 8
	// The vectors of the table where the constants of the last layer back are, without 2^32 and
	// with it.
	avx2Last32, avx2LastR32 = 31, 35
)

// newAVX2Table32 returns the vectors of constants that asm/negacyclic/ntt32_avx2.go lists.
func newAVX2Table32(q int64) []int32 {
	const vectors = 39 + 4*2*2*16
	mem := memory.Aligned(vectors * avx2Lanes32 / 2)
	t := &avx2Table32{q: q, words: unsafe.Slice((*int32)(unsafe.Pointer(&mem[0])), vectors*avx2Lanes32)}
	z := zetas(q, layers32)
	v := inverses(z, q)
	scale, r := power((q+1)/2, layers32, q), int64(1)<<32%q
	t.all(q)
	t.all(int64(int32(inverseOdd(uint32(q)))))
	t.all((1<<31 + q/2) / q << 16)
	t.all(centre(r, q))
	t.all(floorDiv(centre(r, q)<<32, q)) // rounded down, for words that are not negative
	t.spread(z[1:8]...)
	t.spread(v[4:8]...)
	t.spread(v[2:4]...)
	t.spread(scale, scale*v[1]%q, scale*r%q, scale*v[1]%q*r%q)
	for group := range 4 {
		// A layer's constant is that of the bits of the index above its own.
		b := group << 6
		layer4 := func(w []int64) { t.spread(w[8+b>>5], w[9+b>>5]) }
		layer3 := func(w []int64) { t.spread(w[16+b>>4 : 20+b>>4]...) }
		layer2 := func(w []int64) {
			for i := range 4 { // bits 4 and 3
				t.constant(func(lane int) int64 { return w[32+(b|lane>>2<<5|i<<3)>>3] })
			}
		}
		layer1 := func(w []int64) {
			for i := range 2 { // bit 2
				t.constant(func(lane int) int64 { return w[64+(b|avx2Lane32(lane)|i<<2)>>2] })
			}
		}
		layer0 := func(w []int64) {
			for i := range 4 { // bits 2 and 1
				t.constant(func(lane int) int64 { return w[128+(b|avx2Lane32(lane)|i<<1)>>1] })
			}
		}
		for _, layer := range []func([]int64){layer4, layer3, layer2, layer1, layer0} {
			layer(z)
		}
		for _, layer := range []func([]int64){layer0, layer1, layer2, layer3, layer4} {
			layer(v)
		}
	}
	return t.words
}

// avx2Lane32 returns the bits 5, 3 and 4 of the index, by which lanes are numbered at layers 1
// and 0.
func avx2Lane32(lane int) int { return lane>>2<<5 | lane>>1&1<<3 | lane&1<<4 }

func (t *avx2Table32) vector(word func(lane int) int64) {
	for lane := range avx2Lanes32 {
		t.words[t.used+lane] = int32(word(lane))
	}
	t.used += avx2Lanes32
}

func (t *avx2Table32) all(word int64) { t.vector(func(int) int64 { return word }) }

// constant adds two vectors for products by z(lane): centred, and round(z·2^32/q).
func (t *avx2Table32) constant(z func(lane int) int64) {
	t.vector(func(lane int) int64 { return centre(z(lane), t.q) })
	t.vector(func(lane int) int64 { return floorDiv(centre(z(lane), t.q)<<33+t.q, 2*t.q) })
}

// spread adds constants that are the same in all lanes.
func (t *avx2Table32) spread(z ...int64) {
	for _, w := range z {
		t.constant(func(int) int64 { return w })
	}
}

func (v *avx2Words32) form() Form      { return Barrett }
func (v *avx2Words32) most() int       { return maxTerms32 }
func (v *avx2Words32) mulScratch() int { return n32 }

func (v *avx2Words32) forward(z, x []int32) {
	avx2ForwardHigh32(&z[0], &x[0], &v.table[0])
	avx2ForwardOrder32(&z[0], &z[0], &v.table[0])
}

// residues is forward: words of transforms that are not in [0, q) would leave less room in sums.
func (v *avx2Words32) residues(z, x []int32) { v.forward(z, x) }

func (v *avx2Words32) inverse(z, x []int32) {
	avx2BackOrder32(&z[0], &x[0], &v.table[0])
	avx2BackHigh32(&z[0], &z[0], &v.table[0], &v.table[avx2Last32*avx2Lanes32])
}

func (v *avx2Words32) mul(z, x, y, scratch []int32) {
	avx2ForwardHigh32(&scratch[0], &x[0], &v.table[0])
	avx2ForwardLow32(&scratch[0], &scratch[0], &v.table[0])
	avx2ForwardHigh32(&z[0], &y[0], &v.table[0])
	avx2Multiply32(&z[0], &scratch[0], &z[0], &v.table[0])
	avx2BackHigh32(&z[0], &z[0], &v.table[0], &v.table[avx2LastR32*avx2Lanes32])
}

func (v *avx2Words32) factor(f, x []int32) { avx2Factor32(&f[0], &x[0], &v.table[0]) }

func (v *avx2Words32) product(z, x, f []int32, keep int32) {
	term := term32{&x[0], &f[0]}
	avx2Sum32(&z[0], &term.x, 1, &v.table[0], int(keep))
}

func (v *avx2Words32) sum(z []int32, x []NTT[int32], f []Factor[int32], keep int32) {
	var terms terms32
	terms.set(x, f)
	avx2Sum32(&z[0], &terms[0].x, len(x), &v.table[0], int(keep))
}

func (v *avx2Words32) row(z []int32, x []NTT[int32], f []Factor[int32]) {
	v.sum(z, x, f, 0)
	v.inverse(z, z)
}

func (v *avx2Words32) preparedLen() int { return n32 }

// A prepared operand is a factor.
func (v *avx2Words32) prepare(p, x []int32) { v.factor(p, x) }

func (v *avx2Words32) rowOf(z, x []int32, p []Prepared[int32]) {
	var terms terms32
	terms.setOf(x, factorsOf(p))
	avx2Sum32(&z[0], &terms[0].x, len(p), &v.table[0], 0)
	v.inverse(z, z)
}
