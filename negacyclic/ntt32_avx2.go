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
type avx2Words32 struct{ table, ones []int32 }

// leastModulus32 bounds q from below: the quotients by which AVX2 makes words small are off by
// too much for smaller ones.
const leastModulus32 = 1 << 18

// newAVX2Words32 returns the routines for a ring, or nil if there are none.
func newAVX2Words32(q int64, n, layers int) primeVectors[int32] {
	if n != n32 || layers != layers32 || q <= leastModulus32 || q >= mostModulus32 {
		return nil
	}
	table, ones := newAVX2Table32(q)
	return &avx2Words32{table, ones}
}

// avx2Table32 is a table of vectors that grows.
type avx2Table32 struct {
	q     int64
	words []int32 // aligned
	used  int
}

const (
	avx2Lanes32 = 8
	avx2Ones32  = n32 / avx2Lanes32 // vectors of the factor 1, behind all others
)

// newAVX2Table32 returns the vectors of constants that asm/negacyclic/ntt32_avx2.go lists, and
// a polynomial of which all words are the factor 1.
func newAVX2Table32(modulus int64) (table, ones []int32) {
	const vectors = 22 + 4*(5+4*2*5+5) + avx2Ones32
	mem := memory.Aligned(vectors * avx2Lanes32 / 2)
	q := uint64(modulus)
	t := &avx2Table32{q: modulus, words: unsafe.Slice((*int32)(unsafe.Pointer(&mem[0])), vectors*avx2Lanes32)}
	z := zetas(modulus, layers32)
	v := inverses(z, modulus)
	scale, r := uint64(power((modulus+1)/2, layers32, modulus)), uint64(1<<32%modulus)
	t.all(modulus)
	t.all(int64(int32(inverseOdd(uint32(q)))))
	t.all((1<<31 + modulus/2) / modulus << 16)
	t.all(2 * modulus)
	t.constants(func(int) []uint64 { return []uint64{r} })
	t.constants(func(int) []uint64 { return forwardConstants(z, 0, 0, q) })
	for _, scale := range []uint64{scale, scale * r % q} {
		t.constants(func(int) []uint64 {
			last := append(backConstants(v, 0, 0, q), 1)
			for i, w := range last {
				last[i] = w * scale % q
			}
			return last
		})
	}
	for group := range 4 {
		// The blocks of layers 3 and 1, by the bits of the index above their own.
		third := func(bit4 int) func(lane int) int {
			return func(lane int) int { return group<<2 | lane>>2<<1 | bit4 } // lane: bit 5
		}
		fourth := func(bit4 int) func(lane int) int {
			return func(lane int) int { // lane: bits 5, 2 and 3
				return third(bit4)(lane)<<2 | lane&1<<1 | lane>>1&1
			}
		}
		t.constants(func(int) []uint64 { return forwardConstants(z, 2, group, q) })
		for bit4 := range 2 {
			t.constants(func(lane int) []uint64 { return forwardConstants(z, 4, third(bit4)(lane), q) })
		}
		for bit4 := range 2 {
			t.constants(func(lane int) []uint64 { return forwardConstants(z, 6, fourth(bit4)(lane), q) })
		}
		for bit4 := range 2 {
			t.constants(func(lane int) []uint64 { return backConstants(v, 6, fourth(bit4)(lane), q) })
		}
		for bit4 := range 2 {
			t.constants(func(lane int) []uint64 { return backConstants(v, 4, third(bit4)(lane), q) })
		}
		t.constants(func(int) []uint64 { return backConstants(v, 2, group, q) })
	}
	ones = t.words[t.used:]
	for range avx2Ones32 {
		t.all(int64(r))
	}
	return t.words, ones
}

func (t *avx2Table32) all(word int64) {
	for lane := range avx2Lanes32 {
		t.words[t.used+lane] = int32(word)
	}
	t.used += avx2Lanes32
}

// constants adds vectors of constants w: w·2^32 modulo q, centred.
func (t *avx2Table32) constants(constants func(lane int) []uint64) {
	count := 0
	for lane := range avx2Lanes32 {
		cs := constants(lane)
		for i, w := range cs {
			t.words[t.used+avx2Lanes32*i+lane] = int32(centre(int64(w)<<32%t.q, t.q))
		}
		count = len(cs)
	}
	t.used += avx2Lanes32 * count
}

func (v *avx2Words32) form() Form      { return Montgomery }
func (v *avx2Words32) most() int       { return maxTerms32 }
func (v *avx2Words32) mulScratch() int { return n32 }

func (v *avx2Words32) forward(z, x []int32) { avx2Forward32(&z[0], &x[0], &v.table[0]) }

// residues is forward: words of transforms that are not in [0, q) would leave less room in sums.
func (v *avx2Words32) residues(z, x []int32) { v.forward(z, x) }

func (v *avx2Words32) inverse(z, x []int32) { avx2Inverse32(&z[0], &x[0], &v.table[0]) }

func (v *avx2Words32) mul(z, x, y, scratch []int32) {
	avx2Mul32(&z[0], &x[0], &y[0], &scratch[0], &v.table[0])
}

func (v *avx2Words32) factor(f, x []int32) { avx2Factor32(&f[0], &x[0], &v.table[0]) }

// product and sum take what z was for one product more, by 1.
func (v *avx2Words32) product(z, x, f []int32, keep int32) {
	terms := [2]term32{{&x[0], &f[0]}, {&z[0], &v.ones[0]}}
	avx2Sum32(&z[0], &terms[0].x, 1-int(keep), &v.table[0])
}

func (v *avx2Words32) sum(z []int32, x []NTT[int32], f []Factor[int32], keep int32) {
	var terms terms32
	terms.set(x, f)
	terms[len(x)] = term32{&z[0], &v.ones[0]}
	avx2Sum32(&z[0], &terms[0].x, len(x)-int(keep), &v.table[0])
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
	avx2Sum32(&z[0], &terms[0].x, len(p), &v.table[0])
	v.inverse(z, z)
}
