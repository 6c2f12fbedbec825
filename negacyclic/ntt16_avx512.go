//go:build amd64 && !purego

package negacyclic

import (
	"unsafe"

	"residue/internal/cpu"
)

func init() { kernelNamed[cpu.AVX512].prime16 = newAVX512Words }

// avx512Words are transforms of 16-bit words by AVX-512. asm/negacyclic/ntt16_avx512.go says
// where words are on the way, and what the table has.
type avx512Words struct {
	table []int16
	wide  bool // q needs the routines that make words small more often
	terms int
}

// avx512Words16 is the words of a vector.
const avx512Words16 = 32

// The order of the layers: a bit of the index for x, y, z and for l4 … l0 at each.
type places16 struct {
	layer     int
	registers [3]int
	lanes     [5]int
}

var (
	placesForward16 = []places16{
		{7, [3]int{7, 6, 5}, [5]int{4, 3, 2, 1, 0}},
		{6, [3]int{7, 6, 5}, [5]int{4, 3, 2, 1, 0}},
		{5, [3]int{7, 6, 5}, [5]int{4, 3, 2, 1, 0}},
		{4, [3]int{4, 6, 5}, [5]int{7, 3, 2, 1, 0}},
		{3, [3]int{4, 3, 5}, [5]int{6, 7, 2, 1, 0}},
		{2, [3]int{4, 3, 2}, [5]int{6, 7, 5, 1, 0}},
		{1, [3]int{1, 3, 2}, [5]int{6, 7, 5, 4, 0}},
	}
	placesBack16 = []places16{
		{1, [3]int{1, 3, 2}, [5]int{6, 7, 5, 4, 0}},
		{2, [3]int{4, 3, 2}, [5]int{6, 7, 5, 1, 0}},
		{3, [3]int{4, 3, 5}, [5]int{6, 7, 2, 1, 0}},
		{4, [3]int{4, 6, 5}, [5]int{3, 7, 2, 1, 0}},
		{5, [3]int{7, 6, 5}, [5]int{4, 3, 2, 1, 0}},
		{6, [3]int{7, 6, 5}, [5]int{4, 3, 2, 1, 0}},
	}
	natural16 = places16{0, [3]int{7, 6, 5}, [5]int{4, 3, 2, 1, 0}}
)

// index returns which word is in a lane of a vector.
func (p places16) index(vector, lane int) int {
	i := 0
	for b, bit := range p.registers {
		i |= vector >> (2 - b) & 1 << bit
	}
	for b, bit := range p.lanes {
		i |= lane >> (4 - b) & 1 << bit
	}
	return i
}

// newAVX512Words returns the routines for a ring, or nil if there are none.
func newAVX512Words(q int64, n, layers int) primeVectors[int16] {
	if v := avx512WordsFor(q, n, layers); v != nil {
		return v
	}
	return nil
}

func avx512WordsFor(q int64, n, layers int) *avx512Words {
	if n != n16 || layers != layers16 {
		return nil
	}
	v, b := &avx512Words{}, newBounds16(q)
	x := b.forward()
	if x == 0 || !b.inverse(mostWord16/2, 0, 3) {
		v.wide = true
		if x = b.forward(5); x == 0 || !b.inverse(mostWord16/2, 0, 2, 4) {
			return nil
		}
	}
	// A product of two transforms, of which one was multiplied by γ and the other not.
	if v.terms = min(b.terms(x, q), maxTerms16); v.terms < 1 || b.terms(x, x) < 1 {
		return nil
	}
	v.table = transformTable16(q).words
	return v
}

// transformTable16 makes the table of a ring. It has room for the vectors of products modulo 2^k.
func transformTable16(q int64) *table16 {
	const vectors = 140
	t := newTable16(q, avx512Words16, vectors)
	t.all(q)
	t.all(int64(small16(q)))
	inverse := int64(int32(inverseOdd(uint32(q))))
	t.vector(func(lane int) int64 { return -inverse * int64(1-lane&1) })
	t.all(inverse)
	z := zetas(q, layers16)
	t.layers(placesForward16, z)
	unzetas := inverses(z, q)
	t.layers(placesBack16, unzetas)
	scale := power((q+1)/2, layers16, q)
	r := int64(1) << 16 % q
	for _, c := range []int64{1, unzetas[1]} {
		t.constant(func(int) int64 { return c * scale % q })
		t.constant(func(int) int64 { return c * scale % q * r })
	}
	for vector := range n16 / avx512Words16 {
		t.gammas(1, func(lane int) int { return placesBack16[0].index(vector, lane) })
	}
	for vector := range n16 / avx512Words16 {
		t.gammas(r, func(lane int) int { return natural16.index(vector, lane) })
	}
	t.constant(func(int) int64 { return r })
	return t
}

// layers adds the constants of layers: of each pair of vectors, unless they are those of the
// pair before.
func (t *table16) layers(places []places16, zetas []int64) {
	for _, p := range places {
		bit := 0 // of the vector's number, that the layer is on
		for b, index := range p.registers {
			if index == p.layer {
				bit = 4 >> b
			}
		}
		last := -1
		for vector := range n16 / avx512Words16 {
			if vector&bit != 0 {
				continue
			}
			zeta := func(lane int) int { return 1<<(7-p.layer) + p.index(vector, lane)>>(p.layer+1) }
			if p.layer > 4 && zeta(0) == last {
				continue
			}
			last = zeta(0)
			t.constant(func(lane int) int64 { return zetas[zeta(lane)] })
		}
	}
}

func (v *avx512Words) form() Form { return Montgomery }
func (v *avx512Words) most() int  { return v.terms }

func (v *avx512Words) forward(z, x []int16) {
	if v.wide {
		avx512Forward16Wide(&z[0], &x[0], &v.table[0])
	} else {
		avx512Forward16(&z[0], &x[0], &v.table[0])
	}
}

func (v *avx512Words) residues(z, x []int16) {
	if v.wide {
		avx512Residues16Wide(&z[0], &x[0], &v.table[0])
	} else {
		avx512Residues16(&z[0], &x[0], &v.table[0])
	}
}

func (v *avx512Words) inverse(z, x []int16) {
	if v.wide {
		avx512Inverse16Wide(&z[0], &x[0], &v.table[0])
	} else {
		avx512Inverse16(&z[0], &x[0], &v.table[0])
	}
}

func (v *avx512Words) factor(f, x []int16) { avx512Factor16(&f[0], &x[0], &v.table[0]) }

func (v *avx512Words) mulScratch() int { return 0 }

func (v *avx512Words) mul(z, x, y, _ []int16) {
	if v.wide {
		avx512Mul16Wide(&z[0], &x[0], &y[0], &v.table[0])
	} else {
		avx512Mul16(&z[0], &x[0], &y[0], &v.table[0])
	}
}

func (v *avx512Words) product(z, x, f []int16, keep int16) {
	avx512Sum16(&z[0], &x, &f, 1, &v.table[0], int(keep))
}

// slices16 returns the address of slices of words.
func slices16[S ~[]int16](s []S) *[]int16 { return (*[]int16)(unsafe.Pointer(&s[0])) }

func (v *avx512Words) sum(z []int16, x []NTT[int16], f []Factor[int16], keep int16) {
	avx512Sum16(&z[0], slices16(x), slices16(f), len(x), &v.table[0], int(keep))
}

func (v *avx512Words) row(z []int16, x []NTT[int16], f []Factor[int16]) {
	if v.wide {
		avx512Row16Wide(&z[0], slices16(x), slices16(f), len(x), &v.table[0])
	} else {
		avx512Row16(&z[0], slices16(x), slices16(f), len(x), &v.table[0])
	}
}

func (v *avx512Words) preparedLen() int { return 2 * n16 }

func (v *avx512Words) prepare(p, x []int16) { avx512Prepare16(&p[0], &x[0], &v.table[0]) }

func (v *avx512Words) rowOf(z, x []int16, p []Prepared[int16]) {
	var space [maxTerms16]NTT[int16]
	v.preparedRow(z, columns16(&space, x, len(p)), p)
}

func (v *avx512Words) preparedRow(z []int16, x []NTT[int16], p []Prepared[int16]) {
	if v.wide {
		avx512PreparedRow16Wide(&z[0], slices16(x), slices16(p), len(x), &v.table[0])
	} else {
		avx512PreparedRow16(&z[0], slices16(x), slices16(p), len(x), &v.table[0])
	}
}

// maxTerms16 is how many products a sum has at most.
const maxTerms16 = 16

// columns16 parts words into columns.
func columns16(space *[maxTerms16]NTT[int16], x []int16, columns int) []NTT[int16] {
	c := space[:columns]
	for j := range c {
		c[j] = x[n16*j : n16*(j+1)]
	}
	return c
}

func (v *avx512Words) rows(z []Poly[int16], x []NTT[int16], f []Factor[int16]) {
	for ; len(z) >= 3; z, x = z[3:], x[3*len(f):] {
		if v.wide {
			avx512ThreeRows16Wide(&z[0][0], &z[1][0], &z[2][0], slices16(x), slices16(f), len(f), &v.table[0])
		} else {
			avx512ThreeRows16(&z[0][0], &z[1][0], &z[2][0], slices16(x), slices16(f), len(f), &v.table[0])
		}
	}
	for i := range z {
		v.row(z[i], x[i*len(f):(i+1)*len(f)], f)
	}
}

func (v *avx512Words) rowsOf(z []Poly[int16], x []int16, p []Prepared[int16]) {
	columns := len(p) / max(1, len(z))
	var space [maxTerms16]NTT[int16]
	c := columns16(&space, x, columns)
	for ; len(z) >= 3; z, p = z[3:], p[3*columns:] {
		if v.wide {
			avx512ThreePreparedRows16Wide(&z[0][0], &z[1][0], &z[2][0], slices16(c), slices16(p), columns, &v.table[0])
		} else {
			avx512ThreePreparedRows16(&z[0][0], &z[1][0], &z[2][0], slices16(c), slices16(p), columns, &v.table[0])
		}
	}
	for i := range z {
		v.preparedRow(z[i], c, p[i*columns:(i+1)*columns])
	}
}

func (v *avx512Words) residuesOf(z []int16, x []Poly[int16]) {
	for ; len(x) >= 3; z, x = z[3*n16:], x[3:] {
		if v.wide {
			avx512ThreeResidues16Wide(&z[0], &x[0][0], &x[1][0], &x[2][0], &v.table[0])
		} else {
			avx512ThreeResidues16(&z[0], &x[0][0], &x[1][0], &x[2][0], &v.table[0])
		}
	}
	for i := range x {
		v.residues(z[i*n16:], x[i])
	}
}
