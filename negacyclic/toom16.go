//go:build amd64 && !purego

package negacyclic

const (
	toom16Words = 64 * 16         // of values and of products: 63 leaves of 16 coefficients, and one of nothing
	toom16Work  = 1024            // of room for products
	toom16Sum   = 2 * 27 * 2 * 32 // of short products
)

// toom16Table has the constants, in the order that the assembly has them in.
var toom16Table = func() []int16 {
	const vectors = 24
	t := newVectorTable[int16](avx512Words16, vectors)
	each := func(words ...int64) { t.vector(func(lane int) int64 { return words[lane%len(words)] }) }
	each(8, 4, 1, 1)
	each(2, 1, 1, 1)
	each(1, 0, 1, 2)
	each(0, 0, 4, 8)
	// Numbers of quadwords, those from 8 on of a second vector.
	for upper := range int64(2) {
		t.vector(func(lane int) int64 {
			if lane%4 != 0 {
				return 0
			}
			half, quad := int64(lane/16), int64(lane/4%4)
			return 4*half + 2*upper + quad&1 + quad>>1*8
		})
	}
	// Numbers of words in 128 bits, as those of their bytes. No word is zero.
	words := func(numbers ...int64) {
		t.vector(func(lane int) int64 {
			n := numbers[lane%len(numbers)]
			if n < 0 {
				return 0x8080
			}
			return 2*n | (2*n+1)<<8
		})
	}
	const no = -1
	words(no, no, no, 0, no, no, no, 4, no, no, no, 1, no, no, no, 5)
	words(no, no, no, no, no, no, no, 3, no, no, no, no, no, no, no, no)
	words(no, no, no, no, no, no, no, no, no, no, no, 2, no, no, no, 6)
	words(3, 3, 3, 7, 7, 7, 7, 7)
	words(no, no, no, 7, no, no, no, no)
	words(3, no, no, no, 7, no, no, no)
	words(no, 3, no, no, no, 7, no, no)
	words(no, no, 3, no, no, no, 7, no)
	words(1, 0, 3, 2, 5, 4, 7, 6)
	words(0, 0, 2, 2, 4, 4, 6, 6)
	words(1, 1, 3, 3, 5, 5, 7, 7)
	for _, c := range []int64{3, 20, 17, 65, int64(inverse3), int64(inverse9), int64(inverse15)} {
		t.all(c)
	}
	return t.words
}()
