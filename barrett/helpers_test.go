package barrett

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"residue/internal/words"
)

var bigOne = big.NewInt(1)

// pow2 returns 2^k.
func pow2(k int) *big.Int { return new(big.Int).Lsh(bigOne, uint(k)) }

func add(x *big.Int, d int64) *big.Int { return new(big.Int).Add(x, big.NewInt(d)) }

// eachKernel runs f for every kernel that this CPU can run.
func eachKernel(t *testing.T, f func(t *testing.T, k *Kernel)) {
	t.Helper()
	for _, k := range Kernels() {
		t.Run(k.Name(), func(t *testing.T) { f(t, k) })
	}
}

// eachEngine runs f for one kernel of each engine for single numbers.
func eachEngine(t *testing.T, f func(t *testing.T, k *Kernel)) {
	t.Helper()
	for _, k := range Kernels() {
		if k.Name() == k.Engine() {
			t.Run(k.Name(), func(t *testing.T) { f(t, k) })
		}
	}
}

func wordsBig(w []uint64) *big.Int {
	v := new(big.Int)
	for _, d := range slices.Backward(w) {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(d))
	}
	return v
}

func bigWords(v *big.Int, n int) []uint64 {
	w := make([]uint64, n)
	if !words.SetBytes(w, v.Bytes()) {
		panic("a number that does not fit")
	}
	return w
}

// randomBig returns a number below 2^bits with words that are random or extreme, of
// the widths of words and of digits.
func randomBig(r *rand.Rand, bits int) *big.Int {
	v := new(big.Int)
	width := []int{51, 52, 64, 64}[r.IntN(4)]
	mask := ^uint64(0) >> (64 - width)
	extreme := r.IntN(2) == 0
	for n := 0; n < bits; n += width {
		d := r.Uint64() & mask
		if extreme {
			d = []uint64{0, 1, mask, mask, mask - 1, mask>>1 + 1, d}[r.IntN(7)]
		}
		v.Lsh(v, uint(width)).Or(v, new(big.Int).SetUint64(d))
	}
	return v.And(v, add(pow2(bits), -1))
}

// moduli returns moduli of at most bits bits: 1 and 2, 2^k and 2^k ± 1 for a k in the
// middle and at the end, the largest, a multiple of a large power of two, random even
// and odd ones, and short ones.
func moduli(r *rand.Rand, bits int) []*big.Int {
	ns := []*big.Int{
		big.NewInt(1), big.NewInt(2), big.NewInt(3),
		pow2(bits - 1), add(pow2(bits), -1), add(pow2(bits), -2),
		pow2(bits / 2), add(pow2(bits/2), 1), add(pow2(bits/2), -1),
		new(big.Int).Lsh(bigOne, uint(bits-1-r.IntN(bits))),
	}
	if bits > 2 {
		ns = append(ns, add(pow2(bits-1), 1), add(pow2(bits-1), -1), new(big.Int).Mul(big.NewInt(3), pow2(bits-2)))
	}
	for range 3 {
		n := randomBig(r, bits)
		ns = append(ns, new(big.Int).SetBit(n, bits-1, 1), new(big.Int).SetBit(n, 0, 1), n)
		ns = append(ns, randomBig(r, 1+r.IntN(bits)))
	}
	return slices.DeleteFunc(ns, func(n *big.Int) bool { return n.Sign() <= 0 || n.BitLen() > bits })
}

// dividends returns numbers of at most twice bits bits: the extremes, multiples of n
// and their neighbours, squares and products of what is next to n, random ones.
func dividends(r *rand.Rand, n *big.Int, bits int) []*big.Int {
	all := add(pow2(2*bits), -1)
	most := new(big.Int).Div(all, n)
	less := add(n, -1)
	xs := []*big.Int{
		new(big.Int), bigOne, all, add(all, -1), pow2(2*bits - 1), pow2(bits), less, n, add(n, 1),
		new(big.Int).Mul(less, less), new(big.Int).Mul(less, add(n, -2)),
	}
	quotients := []*big.Int{most, add(most, -1), n, less, add(pow2(bits), -1), pow2(bits - 1), randomBig(r, bits), randomBig(r, most.BitLen())}
	for _, q := range quotients {
		x := new(big.Int).Mul(q, n)
		xs = append(xs, x, add(x, -1), add(x, 1), new(big.Int).Add(x, less))
	}
	for range 4 {
		xs = append(xs, randomBig(r, 2*bits))
	}
	return slices.DeleteFunc(xs, func(x *big.Int) bool { return x.Sign() < 0 || x.BitLen() > 2*bits })
}

func newModulus(t *testing.T, k *Kernel, bits int, n *big.Int, folds int) *Modulus {
	t.Helper()
	m, err := k.NewModulus(bits, n.Bytes(), folds)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// get returns the number that FillBytes gives of x.
func (m *Modulus) get(t *testing.T, x *Int) *big.Int {
	t.Helper()
	b := make([]byte, (m.bits+7)/8)
	if !m.FillBytes(b, x, nil) {
		t.Fatalf("%x does not fit %d bits", x.words, m.bits)
	}
	return new(big.Int).SetBytes(b)
}
