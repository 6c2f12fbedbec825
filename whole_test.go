package residue

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/batch"
)

// TestSplitBytes: a modulus that was taken apart is put together again.
func TestSplitBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 17))
	for size := 1; size < 30; size++ {
		for tz := range 8 * size {
			n := new(big.Int).Lsh(randomBits(r, 8*size-tz), uint(tz))
			n.SetBit(n, tz, 1)
			b := n.FillBytes(make([]byte, size))
			var s split
			if err := s.init(b); err != nil {
				t.Fatal(err)
			}
			if got := s.bytes(); !bytes.Equal(got, b) {
				t.Fatalf("%x, %d zeros: %x", b, tz, got)
			}
		}
	}
}

// TestWhole: the two ways of a vector with even moduli give the same, and that of
// package barrett is taken for many trailing zeros, and for no odd modulus.
func TestWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 18))
	for name, k := range everyKernel(t) {
		for _, c := range []struct{ bits, tz, rows int }{
			{1024, 1000, 8}, {1024, 8, 8}, {1024, 0, 8}, {512, 500, 3}, {2048, 1800, 5}, {2048, 100, 8},
		} {
			if testing.Short() && c.bits > 1024 {
				continue
			}
			m, rows := &Modulus{kernel: k}, make([]*row, c.rows)
			n := new(big.Int).Lsh(randomBits(r, c.bits-c.tz), uint(c.tz))
			n.SetBit(n, c.bits-1, 1).SetBit(n, c.tz, 1)
			if err := m.init(n.Bytes()); err != nil {
				t.Fatal(err)
			}
			ws := borrowWorkspace()
			for i := range rows {
				x, e := randomBits(r, c.bits).Bytes(), randomBits(r, c.bits).Bytes()
				rows[i] = &row{
					mod: &m.split, out: make([]byte, m.size), base: x, exponent: e, ebits: 8 * len(e),
					limbs: batch.Limbs(m.oddBits),
				}
				ws.rows[i] = rows[i]
			}
			_, vectors := vectorCosts[name]
			// Between these it depends on the kernel.
			many, few := c.rows == batch.Lanes && c.tz > c.bits*9/10, c.tz <= c.bits/8
			if got := k.wholeIsQuicker(rows, false); got && few || !got && many && vectors {
				t.Errorf("%s: %+v: as they are is %v", name, c, got)
			}
			for _, own := range []bool{false, true} {
				b := &run{ctx: t.Context(), kernel: k}
				if !own {
					b.modulus = m
				}
				md, done, err := b.whole(rows)
				if err != nil {
					t.Fatal(err)
				}
				ws.expWhole(t.Context(), md, rows)
				done()
				for i, row := range rows {
					want := new(big.Int).Exp(new(big.Int).SetBytes(row.base), new(big.Int).SetBytes(row.exponent), n)
					if got := new(big.Int).SetBytes(row.out); ws.errs[i] != nil || got.Cmp(want) != 0 {
						t.Fatalf("%s: %+v, row %d: %#x (%v), want %#x", name, c, i, got, ws.errs[i], want)
					}
					clear(row.out)
				}
			}
			returnWorkspace(ws)
		}
	}
}
