package batch

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"
)

func TestNewIntsAligned(t *testing.T) {
	for n := range 40 {
		x := NewInts(n)
		if len(x) != n || cap(x) != n {
			t.Errorf("NewInts(%d) has length %d and capacity %d", n, len(x), cap(x))
		}
		if a := uintptr(unsafe.Pointer(unsafe.SliceData(x))) % 64; n > 0 && a != 0 {
			t.Errorf("NewInts(%d) is %d bytes over a multiple of 64", n, a)
		}
	}
}

func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(101, 102))
	for _, s := range []int{0, 1, 2, 3, 4, 10, 15, 20} {
		bits := s * DigitBits
		vs := []*big.Int{new(big.Int), bigOne, add(pow2(bits), -1), pow2(bits), add(pow2(bits), 1), pow2(bits + 7), pow2(bits + 8)}
		for i := range 60 {
			vs = append(vs, randomBig(r, 1+r.IntN(bits+70)), pow2(i*(bits+10)/60))
		}
		for _, v := range vs {
			for _, lead := range []int{0, 1, 5, 13} {
				checkBytes(t, r, s, append(make([]byte, lead), v.Bytes()...))
			}
		}
	}
}

// checkBytes checks SetBytes of b, and FillBytes for lengths around that of b.
func checkBytes(t *testing.T, r *rand.Rand, s int, b []byte) {
	t.Helper()
	lane := r.IntN(Lanes)
	v := new(big.Int).SetBytes(b)
	x := NewInts(s)
	litter(r, x, 0)
	x0 := clone(x)
	fits := x.SetBytes(lane, b)
	if want := v.BitLen() <= s*DigitBits; fits != want {
		t.Fatalf("%d digits, SetBytes(%#x) = %v, want %v", s, b, fits, want)
	}
	low := new(big.Int).And(v, add(radix(s), -1))
	wantLane(t, x, lane, low, "SetBytes(%#x)", b)
	for i := range x {
		if x[i][lane] > digitMask {
			t.Fatalf("%d digits, SetBytes(%#x): digit %d is %#x", s, b, i, x[i][lane])
		}
		for other := range Lanes {
			if other != lane && x[i][other] != x0[i][other] {
				t.Fatalf("%d digits, SetBytes of lane %d wrote to lane %d", s, lane, other)
			}
		}
	}
	litter(r, x, Lanes)
	size := (low.BitLen() + 7) / 8
	for _, n := range []int{0, size - 2, size - 1, size, size + 1, size + 20} {
		if n < 0 {
			continue
		}
		got := bytes.Repeat([]byte{0xa5}, n)
		if ok := x.FillBytes(lane, got); ok != (n >= size) {
			t.Fatalf("%d digits, FillBytes of %#x into %d bytes = %v", s, low, n, ok)
		}
		if want := new(big.Int).And(low, add(pow2(8*n), -1)).FillBytes(make([]byte, n)); !bytes.Equal(got, want) {
			t.Fatalf("%d digits, FillBytes of %#x into %d bytes = %#x, want %#x", s, low, n, got, want)
		}
	}
}

func FuzzBytes(f *testing.F) {
	f.Add(uint8(1), []byte{1, 2, 3})
	f.Add(uint8(2), bytes.Repeat([]byte{255}, 14))
	f.Add(uint8(3), bytes.Repeat([]byte{0, 255}, 10))
	f.Fuzz(func(t *testing.T, s uint8, b []byte) {
		if len(b) > 1000 {
			return
		}
		checkBytes(t, rand.New(rand.NewPCG(1, 1)), int(s%40), b)
	})
}
