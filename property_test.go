package residue

import (
	"bytes"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// extremeInt generates natural numbers of at most maxBits bits, most of them at the
// edges: 0, 1, all ones, 2^k and its neighbours, multiples of high powers of two,
// runs of equal bits, words of extreme digits.
func extremeInt(maxBits int) *rapid.Generator[*big.Int] {
	return rapid.Custom(func(t *rapid.T) *big.Int {
		one := big.NewInt(1)
		k := uint(rapid.IntRange(0, maxBits-1).Draw(t, "k"))
		if rapid.Bool().Draw(t, "near a multiple of 52 or 64") {
			w := rapid.SampledFrom([]uint{52, 64}).Draw(t, "w")
			k = min(k/w*w+uint(rapid.IntRange(0, 2).Draw(t, "off")), uint(maxBits-1))
		}
		x := new(big.Int).Lsh(one, k)
		switch rapid.IntRange(0, 7).Draw(t, "shape") {
		case 0:
			return big.NewInt(int64(rapid.IntRange(0, 3).Draw(t, "small")))
		case 1:
			return x
		case 2:
			return x.Sub(x, one)
		case 3:
			return x.Add(x, one)
		case 4: // a run of ones below bit k
			low := uint(rapid.IntRange(0, int(k)).Draw(t, "low"))
			return x.Sub(x, new(big.Int).Lsh(one, low))
		case 5: // extreme digits of 52 bits
			x.SetInt64(0)
			for x.BitLen() < int(k) {
				d := rapid.SampledFrom([]int64{0, 1, 1<<51 - 1, 1 << 51, 1<<52 - 2, 1<<52 - 1}).Draw(t, "digit")
				x.Lsh(x, 52).Or(x, big.NewInt(d|1<<51>>(k%52)))
			}
			return x.Rsh(x, uint(max(0, x.BitLen()-maxBits)))
		default:
			b := rapid.SliceOfN(rapid.Byte(), int(k+7)/8, int(k+7)/8).Draw(t, "bytes")
			return x.SetBytes(b).Rsh(x, uint(8*len(b))-k)
		}
	})
}

// modulus generates moduli of every shape: odd, even in every degree, powers of two,
// 1.
func modulus(maxBits int) *rapid.Generator[*big.Int] {
	return rapid.Custom(func(t *rapid.T) *big.Int {
		n := extremeInt(maxBits).Draw(t, "n")
		switch rapid.IntRange(0, 3).Draw(t, "parity") {
		case 0, 1:
			n.SetBit(n, 0, 1)
		case 2:
			n.Lsh(n, uint(rapid.IntRange(1, 140).Draw(t, "t")))
		}
		if n.Sign() == 0 {
			n.SetInt64(1)
		}
		return n
	})
}

// base generates bases for the modulus n: any, those near multiples of n, and
// negative ones.
func base(n *big.Int) *rapid.Generator[*big.Int] {
	return rapid.Custom(func(t *rapid.T) *big.Int {
		x := new(big.Int)
		switch rapid.IntRange(0, 3).Draw(t, "base") {
		case 0:
			x.Mul(n, big.NewInt(int64(rapid.IntRange(0, 9).Draw(t, "multiple"))))
			x.Add(x, big.NewInt(int64(rapid.IntRange(-1, 1).Draw(t, "near"))))
		case 1: // longer than R, R²
			widths := rapid.IntRange(1, 4).Draw(t, "widths")
			x.Lsh(extremeInt(200).Draw(t, "high"), uint(n.BitLen()*widths))
			x.Add(x, extremeInt(200).Draw(t, "low"))
		default:
			x.Set(extremeInt(n.BitLen()+70).Draw(t, "x"))
		}
		if rapid.IntRange(0, 3).Draw(t, "sign") == 0 {
			x.Neg(x)
		}
		return x
	})
}

// exponent generates exponents for the modulus n: short ones, those of 63 to 70 bits,
// those longer than n, and negative ones.
func exponent(n *big.Int) *rapid.Generator[*big.Int] {
	return rapid.Custom(func(t *rapid.T) *big.Int {
		y := new(big.Int)
		switch rapid.IntRange(0, 3).Draw(t, "exponent") {
		case 0:
			y.SetInt64(int64(rapid.IntRange(0, 3).Draw(t, "small")))
		case 1:
			bits := rapid.IntRange(63, 70).Draw(t, "bits")
			y.SetBit(extremeInt(bits).Draw(t, "y"), bits-1, 1)
		case 2:
			y.Lsh(extremeInt(40).Draw(t, "high"), uint(n.BitLen()))
			y.Add(y, extremeInt(64).Draw(t, "low"))
		default:
			y.Set(extremeInt(n.BitLen()+1).Draw(t, "y"))
		}
		if rapid.IntRange(0, 4).Draw(t, "sign") == 0 {
			y.Neg(y)
		}
		return y
	})
}

func TestPropertyForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modulus(420).Draw(t, "modulus")
		x, y := base(n).Draw(t, "base"), exponent(n).Draw(t, "exponent")
		want, wantErr := reference(n, x, y)
		checkForms(t, n, x, y, want, wantErr)
	})
}

// TestPropertyLaws checks x^(y+z) = x^y·x^z and (x^y)^z = x^(yz) on numbers that are
// large for math/big's part in it to be short.
func TestPropertyLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modulus(1200).Draw(t, "modulus")
		x := base(n).Draw(t, "base")
		y, z := extremeInt(150).Draw(t, "y"), extremeInt(150).Draw(t, "z")
		m, err := NewModulusBig(n)
		if err != nil {
			t.Fatal(err)
		}
		sum, product := new(big.Int).Add(y, z), new(big.Int).Mul(y, z)
		zs, err := m.ExpBatchBig(t.Context(), []*big.Int{x, x, x, x}, []*big.Int{y, z, sum, product})
		if err != nil {
			t.Fatal(err)
		}
		p := new(big.Int).Mul(zs[0], zs[1])
		if p.Mod(p, n).Cmp(zs[2]) != 0 {
			t.Errorf("x^y·x^z = %x, x^(y+z) = %x", p, zs[2])
		}
		power, err := m.ExpBig(zs[0], z)
		if err != nil {
			t.Fatal(err)
		}
		if power.Cmp(zs[3]) != 0 {
			t.Errorf("(x^y)^z = %x, x^(yz) = %x", power, zs[3])
		}
	})
}

// TestPropertyNeighbours checks that a row's result does not depend on the rows that
// share its vector.
func TestPropertyNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 20).Draw(t, "rows")
		var ms, xs, ys []*big.Int
		for range rows {
			n := modulus(300).Draw(t, "modulus")
			ms, xs, ys = append(ms, n), append(xs, base(n).Draw(t, "base")), append(ys, exponent(n).Draw(t, "exponent"))
		}
		zs, err := ExpBatchBig(t.Context(), ms, xs, ys)
		for i := range rows {
			want, wantErr := reference(ms[i], xs[i], ys[i])
			checkRow(t, "ExpBatchBig", i, zs[i], err, want, wantErr)
		}
	})
}

func FuzzExp(f *testing.F) {
	f.Add([]byte{7}, []byte{}, []byte{})
	f.Add([]byte{1}, []byte{0}, []byte{3})
	f.Add([]byte{0, 0, 12}, []byte{0xff, 0xff, 0xff}, []byte{1, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Add(bytes.Repeat([]byte{0xff}, 64), bytes.Repeat([]byte{0xff}, 64), []byte{0x80, 0})
	f.Add([]byte{0x80, 0, 0, 0, 0, 0, 0, 0, 0}, []byte{3}, bytes.Repeat([]byte{0xaa}, 20))
	f.Fuzz(func(t *testing.T, n, x, y []byte) {
		if len(n) > 300 || len(x) > 600 || len(y) > 100 {
			t.Skip()
		}
		m, err := NewModulus(n)
		mod := new(big.Int).SetBytes(n)
		if (err != nil) != (mod.Sign() == 0) {
			t.Fatalf("NewModulus(%x): error %v", n, err)
		}
		if err != nil {
			return
		}
		out := make([]byte, m.Size())
		if err := m.Exp(out, x, y); err != nil {
			t.Fatal(err)
		}
		base, exponent := new(big.Int).SetBytes(x), new(big.Int).SetBytes(y)
		want := new(big.Int).Exp(base, exponent, mod)
		if got := new(big.Int).SetBytes(out); got.Cmp(want) != 0 {
			t.Fatalf("%x^%x mod %x = %x, want %x", x, y, n, got, want)
		}
		for _, y := range []*big.Int{exponent, new(big.Int).Neg(exponent)} {
			for _, x := range []*big.Int{base, new(big.Int).Neg(base)} {
				want, wantErr := reference(mod, x, y)
				got, err := m.ExpBig(x, y)
				if (err == nil) != (wantErr == nil) || err == nil && got.Cmp(want) != 0 {
					t.Fatalf("%x^%x mod %x = %x (error %v), want %x (error %v)", x, y, mod, got, err, want, wantErr)
				}
			}
		}
	})
}
