//go:build amd64 && !purego

package negacyclic

import (
	"slices"
	"unsafe"

	"residue/internal/cpu"
	"residue/internal/memory"
)

func init() { kernelNamed[cpu.AVX512].prime32 = newAVX512Words32 }

// avx512Words32 are transforms of 32-bit words by AVX-512 IFMA. asm/negacyclic/ntt32_avx512.go
// says where words are on the way, and what the table has.
type avx512Words32 struct {
	table []uint64
	terms int
}

// newAVX512Words32 returns the routines for a ring, or nil if there are none. A CPU without
// AVX-512 IFMA takes those of AVX2.
func newAVX512Words32(q int64, n, layers int) primeVectors[int32] {
	if !slices.Contains(cpu.Runnable(), cpu.IFMA512) {
		return newAVX2Words32(q, n, layers)
	}
	if n != n32 || layers != layers32 || q >= mostModulus32 {
		return nil
	}
	// A sum of products and a residue must be below 2^52.
	terms := (1<<fractionBits - q) / ((q - 1) * (q - 1))
	return &avx512Words32{newAVX512Table32(q), int(min(terms, maxTerms32))}
}

// avx512Table32 is a table that grows.
type avx512Table32 struct {
	q     uint64
	words []uint64
}

const avx512Lanes32 = 8 // words of 64 bits

// newAVX512Table32 returns the constants that asm/negacyclic/ntt32_avx512.go lists.
func newAVX512Table32(modulus int64) []uint64 {
	const vectors = 11 + 2*(5+4*6+4*2*5+5)
	q := uint64(modulus)
	t := &avx512Table32{q, memory.Aligned(vectors * avx512Lanes32)[:0]}
	z := zetas(modulus, layers32)
	v := inverses(z, modulus)
	scale := uint64(power((modulus+1)/2, layers32, modulus))

	one, tail := fractionAndTail(1, q)
	t.add(q, 1<<(fractionBits-1)/q, 2*q, fraction52(1, q), halfAny52(q), one, tail, 3*q*q, q*q)
	t.fractions(fully(forwardConstants(z, 0, 0, q), q))
	for block := range 4 {
		t.fractions(forwardConstants(z, 2, block, q))
	}
	for block := range 4 {
		t.fractions(backConstants(v, 2, block, q))
	}
	last := append(backConstants(v, 0, 0, q), 1)
	for i, w := range last {
		last[i] = w * scale % q
	}
	t.fractions(last)
	t.pad(8 * avx512Lanes32)

	for i := range uint64(16) {
		t.add(t.small(2*i) | t.small(2*i+1)<<32)
	}
	for i := range uint64(8) { // even words of one vector, and then of another
		t.add(4*i | (4*i+2)<<32)
	}
	for group := range 2 {
		t.vectors(func(lane int) []uint64 { return forwardConstants(z, 4, 8*group+lane, q) })
		for part := range 4 {
			t.vectors(func(lane int) []uint64 { return fully(forwardConstants(z, 6, 4*(8*group+lane)+part, q), q) })
		}
		for part := range 4 {
			t.tails(func(lane int) []uint64 { return backConstants(v, 6, 4*(8*group+lane)+part, q) })
		}
		t.vectors(func(lane int) []uint64 { return backConstants(v, 4, 8*group+lane, q) })
	}
	return t.words
}

// small returns what is added to a word of 32 bits whose highest five are i, to make it small:
// what they are modulo q, less what they are.
func (t *avx512Table32) small(i uint64) uint64 {
	value := int64(int32(i << 27))
	return uint64(uint32((value%int64(t.q)+int64(t.q))%int64(t.q) - value))
}

// forwardConstants returns z, u, u·z, v and −v·z of the layers l and l + 1, for a block of
// layer l.
func forwardConstants(zetas []int64, l, block int, q uint64) []uint64 {
	z, u, v := uint64(zetas[1<<l+block]), uint64(zetas[2<<l+2*block]), uint64(zetas[2<<l+2*block+1])
	return []uint64{z, u, u * z % q, v, q - v*z%q}
}

// fully puts −z behind z.
func fully(c []uint64, q uint64) []uint64 { return slices.Insert(c, 1, q-c[0]) }

// backConstants returns z, u, v, u·z and −v·z of the inverses.
func backConstants(inverses []int64, l, block int, q uint64) []uint64 {
	c := forwardConstants(inverses, l, block, q)
	return []uint64{c[0], c[1], c[3], c[2], c[4]}
}

func (t *avx512Table32) add(words ...uint64) { t.words = append(t.words, words...) }

func (t *avx512Table32) fractions(constants []uint64) {
	for _, w := range constants {
		t.add(fraction52(w, t.q))
	}
}

func (t *avx512Table32) pad(words int) { t.words = t.words[:words] }

// vectors adds vectors of the fractions of constants, and tails of the fractions and their tails.
func (t *avx512Table32) vectors(constants func(lane int) []uint64) {
	t.transpose(constants, func(w uint64) []uint64 { return []uint64{fraction52(w, t.q)} })
}

func (t *avx512Table32) tails(constants func(lane int) []uint64) {
	t.transpose(constants, func(w uint64) []uint64 {
		f, tail := fractionAndTail(w, t.q)
		return []uint64{f, tail}
	})
}

func (t *avx512Table32) transpose(constants func(lane int) []uint64, words func(w uint64) []uint64) {
	at := len(t.words)
	for lane := range avx512Lanes32 {
		i := lane
		for _, w := range constants(lane) {
			for _, f := range words(w) {
				t.words = t.words[:max(len(t.words), at+i+avx512Lanes32-lane)]
				t.words[at+i] = f
				i += avx512Lanes32
			}
		}
	}
}

func (v *avx512Words32) form() Form { return Fraction }
func (v *avx512Words32) most() int  { return v.terms }

func (v *avx512Words32) forward(z, x []int32) {
	avx512ForwardHigh32(&z[0], &x[0], &v.table[0])
	avx512ForwardOrder32(&z[0], &z[0], &v.table[0])
}

// residues is no quicker with words that are not in [0, q).
func (v *avx512Words32) residues(z, x []int32) { v.forward(z, x) }

func (v *avx512Words32) inverse(z, x []int32) {
	avx512BackOrder32(&z[0], &x[0], &v.table[0])
	avx512BackHigh32(&z[0], &z[0], &v.table[0])
}

// factor has nothing to prepare: sums need no more of f than that its words are in [0, q).
func (v *avx512Words32) factor(f, x []int32) { copy(f, x) }

func (v *avx512Words32) product(z, x, f []int32, keep int32) {
	term := term32{&x[0], &f[0]}
	avx512Sum32(&z[0], &term.x, 1, &v.table[0], int(keep))
}

func (v *avx512Words32) sum(z []int32, x []NTT[int32], f []Factor[int32], keep int32) {
	var terms terms32
	terms.set(x, f)
	avx512Sum32(&z[0], &terms[0].x, len(x), &v.table[0], int(keep))
}

func (v *avx512Words32) row(z []int32, x []NTT[int32], f []Factor[int32]) {
	v.sum(z, x, f, 0)
	v.inverse(z, z)
}

func (v *avx512Words32) preparedLen() int { return n32 }

// A prepared operand is a factor.
func (v *avx512Words32) prepare(p, x []int32) { v.factor(p, x) }

func (v *avx512Words32) rowOf(z, x []int32, p []Prepared[int32]) {
	var terms terms32
	terms.setOf(x, factorsOf(p))
	avx512Sum32(&z[0], &terms[0].x, len(p), &v.table[0], 0)
	v.inverse(z, z)
}

// mulScratch is room for words of 64 bits, and to align them.
func (v *avx512Words32) mulScratch() int { return 2*n32 + memory.Alignment/4 }

// mul transforms x into the scratch, half of which takes what is between the passes, and y into z
// in between, which may be x or y.
func (v *avx512Words32) mul(z, x, y, scratch []int32) {
	if r := uintptr(unsafe.Pointer(&scratch[0])) % memory.Alignment; r != 0 {
		scratch = scratch[(memory.Alignment-r)/4:]
	}
	hat := (*uint64)(unsafe.Pointer(&scratch[0]))
	avx512ForwardHigh32(&scratch[n32], &x[0], &v.table[0])
	avx512ForwardLow32(hat, &scratch[n32], &v.table[0])
	avx512ForwardHigh32(&z[0], &y[0], &v.table[0])
	avx512Multiply32(&scratch[0], hat, &z[0], &v.table[0])
	avx512BackHigh32(&z[0], &scratch[0], &v.table[0])
}
