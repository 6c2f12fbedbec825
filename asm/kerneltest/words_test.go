package kerneltest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/asm/internal/machine"
)

// wordSizes are those of 512, 1024, 2048 and 4096 bits with their headroom, and
// small ones.
var wordSizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 23, 24, 31, 33, 65}

// newWords returns the kernel in a lab of its own, with room for so many others of
// its numbers. It skips the test if there is no such kernel.
func newWords(t *testing.T, words, others int) *Words {
	t.Helper()
	if routines(t, "adx") == nil {
		t.Skip("no kernel adx")
	}
	return NewWords(newLab(t, "adx", WordsBytes(words, others)), words, big.NewInt(1))
}

// TestWords compares the routines for one number in words with math/big.
func TestWords(t *testing.T) {
	for _, words := range wordSizes {
		t.Run(fmt.Sprint(words), func(t *testing.T) {
			const entries = 9
			w := newWords(t, words, 16+entries)
			r := rand.New(rand.NewPCG(83, uint64(words)))
			x, y, z, wide := w.Alloc("x", words), w.Alloc("y", words), w.Alloc("z", words), w.Alloc("wide", 2*words)
			table := w.Alloc("table", entries*words)
			same := func(what string, got machine.Span, want *big.Int) {
				t.Helper()
				if v := w.Big(got); v.Cmp(want) != 0 {
					t.Fatalf("%s:\n got %#x\nwant %#x", what, v, want)
				}
			}
			bits := wordBits * words
			for range 20 {
				n := modulus(r, bits)
				w.SetModulus(n)
				vx, vy, vt := below(r, pow2(bits)), below(r, pow2(bits)), below(r, pow2(2*bits))
				w.Set(x, vx)
				w.Set(y, vy)
				do(t, w.Mul(wide, x, y))
				same("Mul", wide, new(big.Int).Mul(vx, vy))
				do(t, w.Sqr(wide, x))
				same("Sqr", wide, new(big.Int).Mul(vx, vx))

				part := bits - r.IntN(wordBits)
				for _, bits := range []int{bits, part} {
					w.Set(wide, vt)
					do(t, w.Reduce(z, wide, bits))
					sum := montgomery(vt, n, bits) // and the low bits, which are zero
					above := uint(wordBits*words - bits)
					upper := new(big.Int).Rsh(sum, above)
					if upper.BitLen() > wordBits*words {
						upper.Sub(upper, n)
					}
					same("Reduce", z, upper)
					if above > 0 { // the last word below the upper half
						last := new(big.Int).Lsh(sum, wordBits-above)
						same("Reduce", wide.Slice(8*(words-1), 8*words), last.Mod(last, pow2(wordBits)))
					}
				}
				w.Set(table, below(r, pow2(entries*bits)))
				index := r.IntN(entries)
				do(t, w.Gather(z, table, index))
				same("Gather", z, w.Big(table.Slice(8*words*index, 8*words*(index+1))))
			}
			aboutCPU(t, w.Lab)
		})
	}
}
