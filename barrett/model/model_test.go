package model

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/barrett/internal/folding"
)

// processors are widths of words, some of which are not what a computer has, with
// both forms of what depends on data and both orders of schoolbook products.
var processors = []Processor{
	{Word: 4, Mul: 2},
	{Word: 8, Mul: 2},
	{Word: 8, Mul: 2, Scan: Product, Masked: true},
	{Word: 13, Scan: Product},
	{Word: 32, Masked: true},
	{Word: 64, Mul: 4},
	{Word: 64, Mul: 4, Scan: Product, Masked: true},
}

func newMachine(t *testing.T, p Processor) *Machine {
	t.Helper()
	m, err := NewMachine(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// moduli returns numbers of k words and some near to that which are likely to find
// faults: powers of two and their neighbours, random ones.
func moduli(r *rand.Rand, word, k int) []*big.Int {
	var list []*big.Int
	for _, nbits := range []int{k*word - word + 1, k*word - 1, k * word} {
		top := new(big.Int).Lsh(big.NewInt(1), uint(nbits-1))
		for _, d := range []int64{-1, 0, 1} {
			list = append(list, new(big.Int).Add(top, big.NewInt(d)))
		}
		list = append(list, new(big.Int).Sub(new(big.Int).Lsh(top, 1), big.NewInt(1)))
		list = append(list, new(big.Int).Or(top, random(r, nbits)))
	}
	return list
}

// factors returns pairs of residues whose products are likely to find faults: the
// largest, multiples of n and their neighbours if n has divisors, random ones.
func factors(r *rand.Rand, n *big.Int) [][2]*big.Int {
	last := new(big.Int).Sub(n, big.NewInt(1))
	one := new(big.Int).Mod(big.NewInt(1), n)
	half := new(big.Int).Rsh(n, 1)
	pairs := [][2]*big.Int{{new(big.Int), last}, {one, last}, {last, last}, {half, last}, {half, half}}
	if n.Bit(0) == 0 && n.Cmp(big.NewInt(2)) > 0 {
		pairs = append(pairs, [2]*big.Int{half, big.NewInt(2)}) // their product is n
	}
	x, y := random(r, n.BitLen()+8), random(r, n.BitLen()+8)
	return append(pairs, [2]*big.Int{x.Mod(x, n), y.Mod(y, n)})
}

// methods returns all algorithms that can do n, with all numbers of folds.
func methods(n *big.Int, k int) []Method {
	var list []Method
	for _, leaf := range []int{1, 3} {
		for folds := range folding.MaxFolds(k) + 1 {
			list = append(list, Method{Algorithm: Barrett, Leaf: leaf, Folds: folds})
		}
	}
	if n.Bit(0) == 1 && n.BitLen() > 1 {
		list = append(list, Method{Algorithm: CIOS}, Method{Algorithm: FIOS}, Method{Algorithm: FIPS},
			Method{Algorithm: KaratsubaMontgomery, Leaf: 2})
	}
	return list
}

// TestMultiplier: right results, for lengths around those of words and of folds.
func TestMultiplier(t *testing.T) {
	lengths := []int{1, 2, 3, 4, 5, 7, 8, 9, 16, 17}
	if testing.Short() {
		lengths = lengths[:5]
	}
	for _, p := range processors {
		r := rand.New(rand.NewPCG(uint64(p.Word), 6))
		for _, k := range lengths {
			for _, n := range moduli(r, p.Word, k) {
				if n.Sign() == 0 {
					continue
				}
				pairs := factors(r, n)
				for _, method := range methods(n, (n.BitLen()+p.Word-1)/p.Word) {
					u, err := NewMultiplier(newMachine(t, p), method, n)
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range pairs {
						want := new(big.Int).Mul(f[0], f[1])
						want.Mod(want, n)
						if got := u.Mul(f[0], f[1]); got.Cmp(want) != 0 {
							t.Fatalf("%+v, %+v: %x·%x mod %x = %x, want %x", p, method, f[0], f[1], n, got, want)
						}
					}
				}
			}
		}
	}
}

// TestLongColumns: columns whose sums of products do not fit in three words.
func TestLongColumns(t *testing.T) {
	for _, masked := range []bool{false, true} {
		p := Processor{Word: 4, Scan: Product, Masked: masked}
		for k := 6; k <= 20; k++ {
			n := new(big.Int).Lsh(big.NewInt(1), uint(k*p.Word))
			n.Sub(n, big.NewInt(1))
			x := new(big.Int).Sub(n, big.NewInt(1)) // −1
			for _, method := range []Method{{Algorithm: FIPS}, {Algorithm: Barrett, Leaf: k, Folds: 1}} {
				u, err := NewMultiplier(newMachine(t, p), method, n)
				if err != nil {
					t.Fatal(err)
				}
				if got := u.Mul(x, x); got.Cmp(big.NewInt(1)) != 0 {
					t.Errorf("%+v, %d words, masked %v: (−1)² = %x", method, k, masked, got)
				}
			}
		}
	}
}

// TestMul: products of all lengths, by all depths of Karatsuba's method.
func TestMul(t *testing.T) {
	for _, p := range processors {
		r, m := rand.New(rand.NewPCG(uint64(p.Word), 7)), newMachine(t, p)
		for _, k := range []int{1, 2, 3, 5, 6, 12, 16, 17} {
			nbits := k * p.Word
			all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(nbits)), big.NewInt(1))
			for leaf := 1; leaf <= k; leaf++ {
				for _, x := range []*big.Int{all, random(r, nbits)} {
					for _, y := range []*big.Int{all, random(r, nbits), new(big.Int)} {
						if got := m.Mul(x, y, nbits, leaf); got.Cmp(new(big.Int).Mul(x, y)) != 0 {
							t.Fatalf("%+v, leaf %d: %x·%x = %x", p, leaf, x, y, got)
						}
					}
				}
			}
		}
	}
}

// TestCarryRunsOn: additions and subtractions whose carry passes through all words.
func TestCarryRunsOn(t *testing.T) {
	for _, p := range processors {
		m := numbers{newMachine(t, p)}
		top := m.word(^uint64(0))
		x, one, other := []uint64{top, top, top}, []uint64{1}, make([]uint64, 3)
		if c := m.Add(other, x, one); c != 1 || other[0]|other[1]|other[2] != 0 {
			t.Errorf("%+v: %x + 1 = %x, carry %d", p, x, other, c)
		}
		if b := m.Sub(other, other, one); b != 1 || other[0]&other[1]&other[2] != top {
			t.Errorf("%+v: 0 − 1 = %x, borrow %d", p, other, b)
		}
		if c := m.Add(other, []uint64{1, 2, 3}, one); c != 0 || other[0] != 2 || other[1] != 2 || other[2] != 3 {
			t.Errorf("%+v: without a carry: %x, carry %d", p, other, c)
		}
		for _, where := range []folding.Bits{0, 1} {
			z := []uint64{top, top, 5}
			if c := m.AddIf(z, one, where); c != 0 || z[2] != 5+uint64(where) {
				t.Errorf("%+v: AddIf %d gives %x, carry %d", p, where, z, c)
			}
		}
	}
}

// TestMaskedCounts: what a processor that masks executes does not depend on data.
func TestMaskedCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	p := Processor{Word: 8, Masked: true}
	for _, method := range []Method{
		{Algorithm: CIOS},
		{Algorithm: FIPS},
		{Algorithm: KaratsubaMontgomery, Leaf: 2},
		{Algorithm: Barrett, Leaf: 2},
		{Algorithm: Barrett, Leaf: 2, Folds: 2},
	} {
		seen := map[Count]bool{}
		for _, n := range moduli(r, 8, 12) {
			if n.BitLen() > 11*8 && n.Bit(0) == 1 {
				m := newMachine(t, p)
				u, err := NewMultiplier(m, method, n)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range factors(r, n) {
					m.Count = Count{}
					u.Mul(f[0], f[1])
					seen[m.Count] = true
				}
			}
		}
		if len(seen) != 1 {
			t.Errorf("%+v: %d different counts: %v", method, len(seen), seen)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, p := range []Processor{{}, {Word: 3}, {Word: 65}, {Word: 8, Mul: -1}, {Word: 8, Carry: -1}, {Word: 8, Scan: 2}} {
		if _, err := NewMachine(p); err == nil {
			t.Errorf("a machine of %+v", p)
		}
	}
	m := newMachine(t, Processor{Word: 8, Mul: 2})
	odd, even := big.NewInt(0x10001), big.NewInt(0x10000)
	for _, c := range []struct {
		method Method
		n      *big.Int
	}{
		{Method{Algorithm: Barrett, Leaf: 1}, new(big.Int)},
		{Method{Algorithm: Barrett, Leaf: 1}, big.NewInt(-5)},
		{Method{Algorithm: Barrett}, odd},
		{Method{Algorithm: Barrett, Leaf: 1, Folds: -1}, odd},
		{Method{Algorithm: Barrett, Leaf: 1, Folds: 3}, odd},
		{Method{Algorithm: CIOS}, even},
		{Method{Algorithm: FIPS}, big.NewInt(1)},
		{Method{Algorithm: KaratsubaMontgomery}, odd},
		{Method{Algorithm: 5}, odd},
	} {
		if _, err := NewMultiplier(m, c.method, c.n); err == nil {
			t.Errorf("%+v, modulus %v: no error", c.method, c.n)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a factor that is not below the modulus is taken")
		}
	}()
	u, err := NewMultiplier(m, Method{Algorithm: CIOS}, odd)
	if err != nil {
		t.Fatal(err)
	}
	u.Mul(odd, odd)
}

func ExampleMultiplier() {
	n, _ := new(big.Int).SetString("ffffffffffffffffffffffffffffff61", 16)
	x, y := big.NewInt(1<<40), new(big.Int).Sub(n, big.NewInt(3))

	p := Processor{Word: 8, Mul: 2}
	for _, method := range []Method{{Algorithm: FIOS}, {Algorithm: Barrett, Leaf: 5, Folds: 1}} {
		m, err := NewMachine(p)
		if err != nil {
			panic(err)
		}
		u, err := NewMultiplier(m, method, n)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%v: %x, %d multiplications\n", method.Algorithm, u.Mul(x, y), m.Count.Mul)
	}
	// Output:
	// fios: fffffffffffffffffffffcffffffff61, 528 multiplications
	// barrett: fffffffffffffffffffffcffffffff61, 384 multiplications
}
