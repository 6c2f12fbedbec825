package batch

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

var (
	bigOne = big.NewInt(1)
	bigTwo = big.NewInt(2)
)

// pow2 returns 2^k.
func pow2(k int) *big.Int { return new(big.Int).Lsh(bigOne, uint(k)) }

// radix returns R = 2^(52·limbs).
func radix(limbs int) *big.Int { return pow2(limbs * DigitBits) }

func add(x *big.Int, d int64) *big.Int { return new(big.Int).Add(x, big.NewInt(d)) }

// setBig sets a lane of x to v, which fits.
func setBig(x Ints, lane int, v *big.Int) {
	if v.Sign() < 0 || v.BitLen() > len(x)*DigitBits {
		panic(fmt.Sprintf("%#x does not fit %d digits", v, len(x)))
	}
	v = new(big.Int).Set(v)
	d := new(big.Int)
	mask := big.NewInt(digitMask)
	for i := range x {
		x[i][lane] = d.And(v, mask).Uint64()
		v.Rsh(v, DigitBits)
	}
}

// getBig returns the integer in a lane of x.
func getBig(x Ints, lane int) *big.Int {
	v := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		v.Lsh(v, DigitBits)
		v.Or(v, new(big.Int).SetUint64(x[i][lane]&digitMask))
	}
	return v
}

// fromBig returns Ints with the given values in the first lanes.
func fromBig(limbs int, vs ...*big.Int) Ints {
	x := NewInts(limbs)
	for lane, v := range vs {
		setBig(x, lane, v)
	}
	return x
}

// litter puts random bits into bits 52 to 63 of every digit, where they carry no
// value, and random digits into the lanes from lanes up.
func litter(r *rand.Rand, x Ints, lanes int) Ints {
	for i := range x {
		for lane := range x[i] {
			if lane >= lanes {
				x[i][lane] = r.Uint64()
			} else {
				x[i][lane] = x[i][lane]&digitMask | r.Uint64()<<DigitBits
			}
		}
	}
	return x
}

func clone(x Ints) Ints {
	z := NewInts(len(x))
	copy(z, x)
	return z
}

// guarded returns limbs vectors between guard words, and a function that reports
// whether the guards are as they were. The vectors are aligned like those of
// NewInts if aligned is true, and to 8 bytes only if not.
func guarded(limbs int, aligned bool) (Ints, func() bool) {
	const guard, pattern = 4, 0xdead_beef_5555_aaaa
	mem := NewInts(limbs + 2*guard).flat()
	for i := range mem {
		mem[i] = pattern
	}
	from := guard * Lanes
	if !aligned {
		from -= 3
	}
	to := from + limbs*Lanes
	x := unsafe.Slice((*Vector)(unsafe.Pointer(&mem[from])), limbs)
	clear(x)
	return x, func() bool {
		bad := func(w uint64) bool { return w != pattern }
		return !slices.ContainsFunc(mem[:from], bad) && !slices.ContainsFunc(mem[to:], bad)
	}
}

// guardedScratch returns scratch whose memory lies between guard words.
func guardedScratch(limbs int) (*Scratch, func() bool) {
	sc := NewScratch(limbs)
	work, okWork := guarded(len(sc.work), true)
	wide, okWide := guarded(len(sc.wide), true)
	sc.work, sc.wide = work, wide
	return sc, func() bool { return okWork() && okWide() }
}

// limbCounts returns every number of limbs that Limbs returns, up to most.
func limbCounts(most int) []int {
	var ls []int
	for bits := 1; bits <= MaxBits; bits++ {
		if l := Limbs(bits); l <= most && (len(ls) == 0 || ls[len(ls)-1] != l) {
			ls = append(ls, l)
		}
	}
	return ls
}

// someLimbCounts returns all limb counts of one super-digit and, of those of
// more, for every width the least, the largest and one between.
func someLimbCounts() []int {
	ofWidth := map[int][]int{}
	var ls []int
	for _, l := range limbCounts(maxLimbs) {
		if w, tiles := tiling(l); tiles == 1 {
			ls = append(ls, l)
		} else {
			ofWidth[w] = append(ofWidth[w], l)
		}
	}
	for _, of := range ofWidth {
		ls = append(ls, of[0], of[len(of)/2], of[len(of)-1])
	}
	slices.Sort(ls)
	return slices.Compact(ls)
}

// eachKernel runs f for every kernel that this CPU can run.
func eachKernel(t *testing.T, f func(t *testing.T, k *Kernel)) {
	t.Helper()
	for _, k := range Kernels() {
		t.Run(k.Name(), func(t *testing.T) { f(t, k) })
	}
}

// randomBig returns a number below 2^bits whose digits are random or extreme.
func randomBig(r *rand.Rand, bits int) *big.Int {
	v := new(big.Int)
	extreme := r.IntN(2) == 0
	for range (bits + DigitBits - 1) / DigitBits {
		d := r.Uint64() & digitMask
		if extreme {
			switch r.IntN(6) {
			case 0:
				d = 0
			case 1:
				d = 1
			case 2, 3:
				d = digitMask
			case 4:
				d = 1 << (DigitBits - 1)
			}
		}
		v.Lsh(v, DigitBits)
		v.Or(v, new(big.Int).SetUint64(d))
	}
	return v.And(v, add(pow2(bits), -1))
}

// below returns a number below bound: random, or one that is often handled wrong.
func below(r *rand.Rand, bound *big.Int) *big.Int {
	var v *big.Int
	n := bound.BitLen()
	switch r.IntN(10) {
	case 0:
		v = new(big.Int)
	case 1:
		v = big.NewInt(1)
	case 2:
		v = add(bound, -1)
	case 3:
		v = add(bound, -2)
	case 4:
		v = new(big.Int).Rsh(bound, 1)
	case 5:
		v = pow2(r.IntN(n))
	case 6:
		v = add(pow2(r.IntN(n)), -1)
	case 7:
		// All ones from some bit up: low columns of products are zero.
		v = add(pow2(n-1), -1)
		v.Sub(v, add(pow2(r.IntN(n)), -1))
		v.Abs(v)
	default:
		v = randomBig(r, n)
	}
	if v.Sign() < 0 {
		return new(big.Int)
	}
	return v.Mod(v, bound)
}

// extremeModuli returns odd moduli of at most bits bits that are often handled
// wrong.
func extremeModuli(r *rand.Rand, bits int) []*big.Int {
	ns := []*big.Int{big.NewInt(1), big.NewInt(3), add(pow2(bits), -1)}
	for _, k := range []int{2, 51, 52, 53, 64, 103, 104, 105, bits / 2, bits - 52, bits - 51, bits - 1} {
		if k > 1 && k < bits {
			ns = append(ns, add(pow2(k), 1), add(pow2(k), -1))
		}
	}
	for range 8 {
		n := randomBig(r, bits)
		ns = append(ns, n.SetBit(n, 0, 1))
		n = randomBig(r, 1+r.IntN(bits))
		ns = append(ns, n.SetBit(n, 0, 1))
	}
	return ns
}

// eightOf returns eight moduli: the i-th eight of ns, and random ones of them
// where ns ends.
func eightOf(r *rand.Rand, ns []*big.Int, i int) []*big.Int {
	eight := make([]*big.Int, Lanes)
	for lane := range eight {
		if j := i*Lanes + lane; j < len(ns) {
			eight[lane] = ns[j]
		} else {
			eight[lane] = ns[r.IntN(len(ns))]
		}
	}
	return eight
}

// newModuli prepares ns for numbers of the given number of limbs.
func newModuli(t testing.TB, k *Kernel, limbs int, ns ...*big.Int) *Moduli {
	t.Helper()
	bs := make([][]byte, len(ns))
	for i, n := range ns {
		bs[i] = n.Bytes()
	}
	m, err := k.NewModuli(min(MaxBits, limbs*DigitBits-headroomBits), bs...)
	if err != nil {
		t.Fatal(err)
	}
	if m.Limbs() != limbs {
		t.Fatalf("%d limbs, want %d", m.Limbs(), limbs)
	}
	return m
}

// fataler is what testing.TB and rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// wantLane fails the test if a lane of z is not want.
func wantLane(t fataler, z Ints, lane int, want *big.Int, format string, args ...any) {
	t.Helper()
	if got := getBig(z, lane); got.Cmp(want) != 0 {
		t.Fatalf("%s, %d limbs, lane %d:\n got %#x\nwant %#x", fmt.Sprintf(format, args...), len(z), lane, got, want)
	}
}
