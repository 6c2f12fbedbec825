//go:build amd64 && !purego

package negacyclic

// avx2Table is the table of a ring.
type avx2Table struct{ *table16 }

const avx2Lanes = 16

// newAVX2Table returns the vectors of constants that asm/negacyclic/ntt16_avx2.go lists.
func newAVX2Table(q int64) []int16 {
	const vectors = 4 + 2 + 4 + 4 + 2 + 32 + 2*(2*28+16)
	t := avx2Table{newTable16(q, avx2Lanes, vectors)}
	t.all(q)
	t.all(int64(small16(q)))
	t.all(int64(int32(inverseOdd(uint32(q)))))
	t.vector(func(lane int) int64 { // the bytes of words 1, 0, 3, 2, … of each 128 bits
		at := int64(2 * (lane ^ 1) % 16)
		return at | (at+1)<<8
	})
	z := zetas(q, layers16)
	back := inverses(z, q)
	scale, r := power((q+1)/2, layers16, q), int64(1)<<16%q
	t.constant(func(int) int64 { return r })
	for _, c := range []int64{1, back[1]} {
		t.constant(func(int) int64 { return c * scale % q })
		t.constant(func(int) int64 { return c * scale % q * r })
	}
	t.constant(func(int) int64 { return z[1] })
	for vector := range n16 / avx2Lanes {
		t.gammas(1, func(lane int) int { return vector*avx2Lanes + lane })
	}
	for half := range 2 {
		for layer := 6; layer > 0; layer-- {
			t.layer(half, layer, z)
		}
		for layer := 1; layer < 7; layer++ {
			t.layer(half, layer, back)
		}
		for vector := range n16 / 2 / avx2Lanes {
			t.gammas(1, func(lane int) int { return avx2Index(half, vector, lane) })
		}
	}
	return t.words
}

// layer adds the constants of the butterflies of a half, on a bit of the index. On a bit above 3,
// all lanes have the same.
func (t avx2Table) layer(half, bit int, zetas []int64) {
	blocks := zetas[1<<(7-bit) : 2<<(7-bit)]
	if bit > 3 {
		for block := range 1 << (6 - bit) {
			t.constant(func(int) int64 { return blocks[half<<(6-bit)+block] })
		}
		return
	}
	for vector := 0; vector < 8; vector += 2 << (bit - 1) {
		t.constant(func(lane int) int64 { return blocks[avx2Index(half, vector, lane)>>(bit+1)] })
	}
}

// avx2Index returns which word of a polynomial is in a lane at layers 3 to 1: vectors are numbered
// by bits 3, 2, 1 of the index, and lanes by 6, 5, 4, 0.
func avx2Index(half, vector, lane int) int {
	return half<<7 | lane>>1<<4 | vector<<1 | lane&1
}
