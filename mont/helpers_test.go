package mont

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

var (
	bigOne = big.NewInt(1)
	bigTwo = big.NewInt(2)
)

// pow2 returns 2^k.
func pow2(k int) *big.Int { return new(big.Int).Lsh(bigOne, uint(k)) }

func add(x *big.Int, d int64) *big.Int { return new(big.Int).Add(x, big.NewInt(d)) }

// models are kernels of vectors without assembly: with the shapes that the assembly
// has, with others, and with few.
var models = []*Kernel{
	newModel("model",
		vectorShape{1, slackBits, 8}, vectorShape{2, slackBits, 16}, vectorShape{3, slackBits, 21},
		vectorShape{4, slackBits, 32}, vectorShape{5, exactBits, 40}, vectorShape{8, slackBits, 64},
		vectorShape{10, exactBits, 80}, vectorShape{20, exactBits, 160}),
	newModel("exact model", vectorShape{1, exactBits, 8}, vectorShape{3, exactBits, 20}, vectorShape{12, exactBits, 96}),
	newModel("slack model", vectorShape{3, slackBits, 24}, vectorShape{9, slackBits, 70}),
}

// testKernels are the kernels that this CPU can run, and the models.
func testKernels() []*Kernel { return append(Kernels(), models...) }

func isModel(k *Kernel) bool { return slices.Contains(models, k) }

// eachKernel runs f for all of them.
func eachKernel(t *testing.T, f func(t *testing.T, k *Kernel)) {
	t.Helper()
	for _, k := range testKernels() {
		if testing.Short() && isModel(k) && k != models[0] {
			continue
		}
		t.Run(k.Name(), func(t *testing.T) { f(t, k) })
	}
}

// radix returns R.
func (m *Modulus) radix() *big.Int { return pow2(m.arith.log2R()) }

// modulus returns N.
func (m *Modulus) modulus() *big.Int { return wordsBig(m.n) }

// bound returns what the words of an Int are below.
func (m *Modulus) bound() *big.Int {
	if _, ok := m.arith.(*vectorModulus); ok {
		return new(big.Int).Lsh(m.modulus(), 1)
	}
	return m.radix()
}

// reference is Montgomery arithmetic with math/big.
type reference struct{ n, inverse *big.Int }

func newReference(m *Modulus) reference {
	n := m.modulus()
	inverse := new(big.Int).ModInverse(m.radix(), n)
	if inverse == nil { // modulo 1
		inverse = new(big.Int)
	}
	return reference{n, inverse}
}

// montgomery returns x·y/R modulo N.
func (r *reference) montgomery(x, y *big.Int) *big.Int {
	z := new(big.Int).Mul(x, y)
	z.Mod(z, r.n)
	return z.Mul(z, r.inverse).Mod(z, r.n)
}

// raw returns the number that the words of an Int are, in Montgomery form.
func (m *Modulus) raw(x *Int) *big.Int {
	if v, ok := m.arith.(*vectorModulus); ok {
		return bigDigits(countingBits(x.words), v.digitBits)
	}
	return wordsBig(x.words)
}

// setRaw sets the words of an Int to v, which is in Montgomery form and below the
// bound. Where digits may be redundant, some are.
func (m *Modulus) setRaw(r *rand.Rand, x *Int, v *big.Int) {
	if v.Cmp(m.bound()) >= 0 {
		panic("a residue above the bound")
	}
	m.arith.load(x.words, bigWords(v, len(x.words)))
	s, ok := m.arith.(*vectorModulus)
	if ok && r.IntN(2) == 0 {
		(&model{s.vectorShape}).redundant(x.words)
	}
}

func wordsBig(w []uint64) *big.Int { return bigDigits(w, 64) }

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

// below returns a number below bound: random, or one that is often handled wrong.
func below(r *rand.Rand, bound *big.Int) *big.Int {
	n := bound.BitLen()
	var v *big.Int
	switch r.IntN(10) {
	case 0:
		v = big.NewInt(int64(r.IntN(2)))
	case 1:
		v = add(bound, -1)
	case 2:
		v = add(bound, -2)
	case 3:
		v = new(big.Int).Rsh(bound, 1)
	case 4:
		v = pow2(r.IntN(n))
	case 5:
		v = add(pow2(r.IntN(n)), -1)
	case 6: // a run of ones
		v = new(big.Int).Sub(pow2(r.IntN(n)), pow2(r.IntN(n)))
		v.Abs(v)
	default:
		v = randomBig(r, n)
	}
	return v.Mod(v.Abs(v), bound)
}

// extremeModuli returns odd moduli of exactly bits bits, and some shorter ones, that
// are often handled wrong.
func extremeModuli(r *rand.Rand, bits int) []*big.Int {
	ns := []*big.Int{add(pow2(bits), -1), add(pow2(bits-1), 1), bigOne, big.NewInt(3)}
	for range 4 {
		n := randomBig(r, bits)
		ns = append(ns, n.SetBit(n, bits-1, 1))
		// Ones with a run of zeros, and zeros with a run of ones.
		run := new(big.Int).Sub(pow2(1+r.IntN(bits)), pow2(r.IntN(bits)))
		run.Abs(run)
		ns = append(ns, new(big.Int).Xor(ns[0], run), run.Or(run, ns[1]))
	}
	n := randomBig(r, 1+r.IntN(bits))
	ns = append(ns, n)
	var odd []*big.Int
	for _, n := range ns {
		n = new(big.Int).SetBit(n, 0, 1)
		if n.BitLen() <= bits {
			odd = append(odd, n)
		}
	}
	return odd
}

// lengths are those of moduli: all of the short ones, and of others some and those
// around the ends of words, digits and vectors.
func lengths() (ls []int) {
	for b := 1; b <= 8192; b++ {
		if b <= 600 || b%64 == 0 || b%512 == 1 || b%512 == 511 || boundary(b) {
			ls = append(ls, b)
		}
	}
	return ls
}

// boundary reports whether moduli of the given length just fit a number of vectors or
// of vectors less a digit, or just do not.
func boundary(bits int) bool {
	for _, s := range []vectorShape{{digitBits: exactBits}, {digitBits: slackBits}} {
		k := s.digitBits
		if r := (bits + s.headroomBits()) % (k * lanes); r <= 1 || r == k*lanes-1 || r == k*(lanes-1) || r == k*(lanes-1)+1 {
			return true
		}
	}
	return false
}

// someLengths are a few of them.
func someLengths() []int {
	return []int{1, 2, 3, 17, 52, 64, 65, 127, 192, 256, 397, 398, 414, 415, 512, 521, 797, 1024, 1047, 1048, 1536, 1597, 1598, 2048, 2078, 2079, 3072, 4096}
}

func newModulus(t testing.TB, k *Kernel, bits int, n *big.Int) *Modulus {
	t.Helper()
	m, err := k.NewModulus(bits, n.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// litter leaves something in scratch, which must not matter.
func litter(r *rand.Rand, sc *Scratch) {
	for i := range sc.words {
		sc.words[i] = r.Uint64()
	}
}

// get returns the residue x.
func (m *Modulus) get(t testing.TB, x *Int) *big.Int {
	t.Helper()
	b := make([]byte, (m.bits+7)/8)
	if !m.FillBytes(b, x, nil) {
		t.Fatalf("a residue modulo %d bits does not fit in as many", m.bits)
	}
	return new(big.Int).SetBytes(b)
}

// wantRaw fails the test if x is not within its bound, or not v modulo N.
func wantRaw(t testing.TB, m *Modulus, x *Int, v *big.Int, format string, args ...any) {
	t.Helper()
	got, n := m.raw(x), m.modulus()
	if v = new(big.Int).Mod(v, n); new(big.Int).Mod(got, n).Cmp(v) != 0 {
		t.Fatalf("%d bits, %s, modulo %#x:\n got %#x\nwant %#x", m.bits, fmt.Sprintf(format, args...), n, got, v)
	}
	if got.Cmp(m.bound()) >= 0 {
		t.Fatalf("%d bits, %s, modulo %#x: %#x is above the bound", m.bits, fmt.Sprintf(format, args...), n, got)
	}
	if v, ok := m.arith.(*vectorModulus); ok {
		for i, d := range countingBits(x.words) {
			if d >= (&model{v.vectorShape}).limit() || i >= v.digits && d != 0 {
				t.Fatalf("%d bits, %s, modulo %#x: digit %d is %#x", m.bits, fmt.Sprintf(format, args...), n, i, d)
			}
		}
	}
}
