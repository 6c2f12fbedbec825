package words

import (
	"bytes"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

var edgeWords = []uint64{0, 1, 2, 3, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<64 - 2, 1<<64 - 1}

func TestMasks(t *testing.T) {
	mask := func(yes bool) uint64 {
		if yes {
			return 1<<64 - 1
		}
		return 0
	}
	for _, a := range edgeWords {
		check := func(name string, got uint64, want bool) {
			t.Helper()
			if got != mask(want) {
				t.Errorf("%s of %#x = %#x, want %v", name, a, got, want)
			}
		}
		check("MaskZero", MaskZero(a), a == 0)
		check("MaskNonZero", MaskNonZero(a), a != 0)
		check("Mask", Mask(a&1), a&1 == 1)
		if got, want := leadingZeros64(a), uint64(bits.LeadingZeros64(a)); got != want {
			t.Errorf("leadingZeros64(%#x) = %d, want %d", a, got, want)
		}
		for _, b := range edgeWords {
			check("MaskEqual", MaskEqual(a, b), a == b)
			check("MaskLess", MaskLess(a, b), a < b)
			if SelectWord(mask(true), a, b) != a || SelectWord(0, a, b) != b {
				t.Errorf("SelectWord of %#x and %#x is wrong", a, b)
			}
		}
	}
}

func TestNegInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 2000 {
		n := r.Uint64() >> (i % 64)
		if i < len(edgeWords) {
			n = edgeWords[i]
		}
		n |= 1
		if got := NegInverse(n); got*n != 1<<64-1 {
			t.Errorf("NegInverse(%#x) = %#x", n, got)
		}
	}
}

// TestLinear checks the loops over words, for every remainder of the length by
// the number of words that a loop takes at a time.
func TestLinear(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 14 {
		mod := new(big.Int).Lsh(big.NewInt(1), uint(64*n))
		vs := []*big.Int{new(big.Int)}
		if n > 0 {
			vs = extreme(r, n)
		}
		for range 200 {
			a, b := vs[r.IntN(len(vs))], vs[r.IntN(len(vs))]
			w := edgeWords[r.IntN(len(edgeWords))]
			if r.IntN(2) == 0 {
				w = r.Uint64()
			}
			wb := new(big.Int).SetUint64(w)
			x, y := fromBig(n, a), fromBig(n, b)
			// check compares z + over·2^(64n) with want.
			check := func(name string, z []uint64, over uint64, want *big.Int) {
				t.Helper()
				got := new(big.Int).SetUint64(over)
				got.Mul(got, mod).Add(got, toBig(z))
				if got.Cmp(want) != 0 {
					t.Fatalf("%s, %d words, of %#x, %#x, %#x = %#x, want %#x", name, n, a, b, w, got, want)
				}
			}
			// checkSub compares z − over·2^(64n) with want.
			checkSub := func(name string, z []uint64, over uint64, want *big.Int) {
				t.Helper()
				got := new(big.Int).SetUint64(over)
				got.Mul(got, mod).Sub(toBig(z), got)
				if got.Cmp(want) != 0 {
					t.Fatalf("%s, %d words, of %#x, %#x, %#x = %#x, want %#x", name, n, a, b, w, got, want)
				}
			}
			sum, diff := new(big.Int).Add(a, b), new(big.Int).Sub(a, b)
			z := make([]uint64, n)
			check("Add", z, Add(z, x, y), sum)
			z = slices.Clone(x)
			check("Add in place", z, Add(z, z, y), sum)
			checkSub("Sub", z, Sub(z, x, y), diff)
			z = slices.Clone(y)
			checkSub("Sub in place", z, Sub(z, x, z), diff)
			z = slices.Clone(x)
			check("CondAdd", z, CondAdd(z, y, ^uint64(0)), sum)
			z = slices.Clone(x)
			check("CondAdd not", z, CondAdd(z, y, 0), a)
			z = slices.Clone(x)
			checkSub("CondSub", z, CondSub(z, y, ^uint64(0)), diff)
			z = slices.Clone(x)
			checkSub("CondSub not", z, CondSub(z, y, 0), a)
			product := new(big.Int).Mul(b, wb)
			z = slices.Clone(x)
			check("MulAdd", z, MulAdd(z, y, w), new(big.Int).Add(a, product))
			z = slices.Clone(x)
			checkSub("MulSub", z, MulSub(z, y, w), new(big.Int).Sub(a, product))
			z = slices.Clone(x)
			check("MulAdd in place", z, MulAdd(z, z, w), new(big.Int).Add(a, new(big.Int).Mul(a, wb)))

			Select(z, x, y, ^uint64(0))
			check("Select", z, 0, a)
			Select(z, x, y, 0)
			check("Select not", z, 0, b)
			CondAssign(z, x, 0)
			check("CondAssign not", z, 0, b)
			CondAssign(z, x, ^uint64(0))
			check("CondAssign", z, 0, a)
			for _, p := range []struct {
				name string
				got  uint64
				want bool
			}{
				{"IsZero", IsZero(x), a.Sign() == 0},
				{"Equal", Equal(x, y), a.Cmp(b) == 0},
				{"Equal to itself", Equal(x, slices.Clone(x)), true},
				{"Less", Less(x, y), a.Cmp(b) < 0},
			} {
				if p.got != -b2u(p.want) {
					t.Fatalf("%s of %#x and %#x = %#x, want %v", p.name, a, b, p.got, p.want)
				}
			}
		}
	}
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func TestShifts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := 1; n < 10; n++ {
		mod := new(big.Int).Lsh(big.NewInt(1), uint(64*n))
		for _, v := range extreme(r, n) {
			if got, want := LeadingZeros(fromBig(n, v)), uint64(64*n-v.BitLen()); got != want {
				t.Fatalf("%d words: %d leading zeros of %#x, want %d", n, got, v, want)
			}
			for s := range 64 * n {
				x := fromBig(n, v)
				ShiftLeft(x, uint64(s))
				want := new(big.Int).Lsh(v, uint(s))
				if want.Mod(want, mod); toBig(x).Cmp(want) != 0 {
					t.Fatalf("%d words: %#x << %d = %#x, want %#x", n, v, s, toBig(x), want)
				}
				x = fromBig(n, v)
				ShiftRight(x, uint64(s))
				if want.Rsh(v, uint(s)); toBig(x).Cmp(want) != 0 {
					t.Fatalf("%d words: %#x >> %d = %#x, want %#x", n, v, s, toBig(x), want)
				}
				setBit(x, uint64(s))
				if want.Lsh(big.NewInt(1), uint(s)); toBig(x).Cmp(want) != 0 {
					t.Fatalf("%d words: bit %d gives %#x", n, s, toBig(x))
				}
			}
		}
	}
}

// TestQuotient checks reciprocals and quotients of three words by two, at the
// bounds of what they take.
func TestQuotient(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	word := func() uint64 {
		if r.IntN(2) == 0 {
			return edgeWords[r.IntN(len(edgeWords))]
		}
		return r.Uint64()
	}
	for range 20000 {
		d := []uint64{word(), word() | 1<<63}
		db := toBig(d)
		v := reciprocal(d[1], d[0])
		want := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 192), big.NewInt(1))
		want.Div(want, db).Sub(want, new(big.Int).Lsh(big.NewInt(1), 64))
		if new(big.Int).SetUint64(v).Cmp(want) != 0 {
			t.Fatalf("reciprocal of %#x = %#x, want %#x", db, v, want)
		}
		u := []uint64{word(), word(), word()}
		switch r.IntN(3) {
		case 0: // near a multiple of the divisor
			m := new(big.Int).Mul(db, new(big.Int).SetUint64(word()))
			m.Add(m, big.NewInt(int64(r.IntN(3)-1)))
			if m.Sign() < 0 {
				continue
			}
			u = fromBig(3, m)
		case 1:
			u[2], u[1] = d[1], d[0]
		}
		if Less(d, u[1:]) != 0 {
			continue
		}
		q := new(big.Int).Div(toBig(u), db)
		if q.BitLen() > 64 {
			q.SetUint64(1<<64 - 1)
		}
		if got := quotient(u[2], u[1], u[0], d[1], d[0], v); q.Cmp(new(big.Int).SetUint64(got)) != 0 {
			t.Fatalf("quotient of %#x by %#x = %#x, want %#x", toBig(u), db, got, q)
		}
	}
}

func TestModInPlace(t *testing.T) {
	n := []uint64{0x123456789, 77, 1 << 50}
	x := []uint64{1, 2, 1 << 63}
	want := make([]uint64, 3)
	Mod(want, x, n)
	z := slices.Clone(x)
	Mod(z, z, n)
	if !slices.Equal(z, want) {
		t.Errorf("in place of x: %#x, want %#x", z, want)
	}
	z = slices.Clone(n)
	Mod(z, x, z)
	if !slices.Equal(z, want) {
		t.Errorf("in place of n: %#x, want %#x", z, want)
	}
}

// TestDiv checks quotients around multiples of the divisor, of all lengths, in as many
// words as they need, in fewer and in more.
func TestDiv(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for nx := 1; nx < 7; nx++ {
		for nn := 1; nn < 5; nn++ {
			for range 200 {
				vs, ns := extreme(r, nx), extreme(r, nn)
				v, n := vs[r.IntN(len(vs))], ns[r.IntN(len(ns))]
				if n.Sign() == 0 {
					continue
				}
				if m := new(big.Int).Mul(new(big.Int).Div(v, n), n); r.IntN(2) == 0 {
					v = m // no remainder
				}
				q, rem := make([]uint64, r.IntN(nx+3)), make([]uint64, nn)
				for i := range q {
					q[i] = r.Uint64()
				}
				Div(q, rem, fromBig(nx, v), fromBig(nn, n))
				wantQ, wantR := new(big.Int).QuoRem(v, n, new(big.Int))
				wantQ.Mod(wantQ, new(big.Int).Lsh(big.NewInt(1), uint(64*len(q))))
				if toBig(q).Cmp(wantQ) != 0 || toBig(rem).Cmp(wantR) != 0 {
					t.Fatalf("%#x / %#x in %d words: %#x, remainder %#x", v, n, len(q), q, rem)
				}
			}
		}
	}
}

func TestDivNormal(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for nq := 1; nq < 5; nq++ {
		for nn := 1; nn < 5; nn++ {
			for range 300 {
				vs, ns := extreme(r, nq+nn), extreme(r, nn)
				n := new(big.Int).SetBit(ns[r.IntN(len(ns))], 64*nn-1, 1)
				most := new(big.Int).Lsh(n, uint(64*nq))
				v := new(big.Int).Mod(vs[r.IntN(len(vs))], most)
				switch r.IntN(3) {
				case 0:
					v.Sub(most, big.NewInt(1))
				case 1:
					v.Sub(v, new(big.Int).Mod(v, n))
				}
				q, rem := make([]uint64, nq), make([]uint64, nn)
				DivNormal(q, rem, fromBig(nq+nn, v), fromBig(nn, n))
				wantQ, wantR := new(big.Int).QuoRem(v, n, new(big.Int))
				if toBig(q).Cmp(wantQ) != 0 || toBig(rem).Cmp(wantR) != 0 {
					t.Fatalf("%#x / %#x: %#x, remainder %#x", v, n, q, rem)
				}
			}
		}
	}
}

func FuzzMod(f *testing.F) {
	f.Add([]byte{9}, []byte{7})
	f.Add(bytes.Repeat([]byte{255}, 24), append([]byte{128}, make([]byte, 15)...))
	f.Fuzz(func(t *testing.T, xb, nb []byte) {
		if len(xb) > 400 || len(nb) > 200 {
			return
		}
		x, n := make([]uint64, LenBytes(len(xb))), make([]uint64, LenBytes(len(nb)))
		if !SetBytes(x, xb) || !SetBytes(n, nb) {
			t.Fatal("bytes do not fit")
		}
		r := make([]uint64, len(n))
		Mod(r, x, n)
		if IsZero(n) != 0 {
			return
		}
		want := new(big.Int).Mod(new(big.Int).SetBytes(xb), new(big.Int).SetBytes(nb))
		if toBig(r).Cmp(want) != 0 {
			t.Errorf("%#x mod %#x = %#x, want %#x", xb, nb, toBig(r), want)
		}
	})
}

func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 3000 {
		n, nb := r.IntN(5), r.IntN(50)
		b := make([]byte, nb)
		for i := range b {
			b[i] = byte(r.Uint32()) & byte(-r.IntN(2))
		}
		for i := range b[:r.IntN(nb+1)] {
			b[i] = 0
		}
		v := new(big.Int).SetBytes(b)
		x := make([]uint64, n)
		for i := range x {
			x[i] = r.Uint64()
		}
		fits := SetBytes(x, b)
		low := new(big.Int).Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(64*n)))
		if fits != (v.BitLen() <= 64*n) || toBig(x).Cmp(low) != 0 {
			t.Fatalf("%d words: SetBytes(%#x) gives %#x, %v", n, b, x, fits)
		}
		out := make([]byte, r.IntN(50))
		fits = FillBytes(x, out)
		want := new(big.Int).Mod(low, new(big.Int).Lsh(big.NewInt(1), uint(8*len(out))))
		if fits != (low.BitLen() <= 8*len(out)) || new(big.Int).SetBytes(out).Cmp(want) != 0 {
			t.Fatalf("%d bytes: FillBytes of %#x gives %#x, %v", len(out), low, out, fits)
		}
	}
}
