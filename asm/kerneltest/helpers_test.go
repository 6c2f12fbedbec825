package kerneltest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"residue/asm/batch"
)

const root = "../.."

// routines returns the routines of a kernel, or nil if there is no such kernel.
func routines(t *testing.T, kernel string) map[string]*Routine {
	t.Helper()
	all, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return all[kernel]
}

var loaded = sync.OnceValues(func() (map[string]map[string]*Routine, error) {
	all := map[string]map[string]*Routine{}
	for kernel := range features {
		rs, err := LoadKernel(root, kernel)
		if err != nil {
			return nil, err
		}
		if len(rs) > 0 {
			all[kernel] = rs
		}
	}
	return all, nil
})

// TestFiles: no file of kernels is left out.
func TestFiles(t *testing.T) {
	files, err := Files(root)
	do(t, err)
	for _, f := range files {
		if features[kernelOf(f)] == nil {
			t.Errorf("%s belongs to no kernel that is tested", f)
		}
	}
}

// shape is a number of digits: tiles of a width.
type shape struct{ width, tiles int }

func (s shape) limbs() int { return s.width * s.tiles }

func (s shape) String() string { return fmt.Sprintf("%dx%d", s.width, s.tiles) }

// sizes are those of 512, 1024, 2048 and 4096 bits, 2900 bits for four tiles of 14
// digits, and small ones that have one, two and three tiles of every width.
func sizes() (ss []shape) {
	for _, bits := range []int{512, 1024, 2048, 2900, 4096} {
		w, n := Tiling(bits)
		ss = append(ss, shape{w, n})
	}
	for _, w := range batch.Widths {
		for tiles := 1; tiles <= 3; tiles++ {
			if s := (shape{w, tiles}); !slices.Contains(ss, s) {
				ss = append(ss, s)
			}
		}
	}
	return ss
}

// eachBatch runs a test for every word-sliced kernel and every size.
func eachBatch(t *testing.T, f func(t *testing.T, kernel string, s shape)) {
	t.Helper()
	for _, kernel := range []string{"ifma512", "ifma256"} {
		if routines(t, kernel) == nil {
			continue
		}
		t.Run(kernel, func(t *testing.T) {
			for _, s := range sizes() {
				t.Run(s.String(), func(t *testing.T) { f(t, kernel, s) })
			}
		})
	}
}

// newBatch returns a kernel in a lab of its own, with room for so many others of
// its numbers. All moduli are 1.
func newBatch(t *testing.T, kernel string, s shape, others int) *Batch {
	t.Helper()
	lanes := LanesOf[kernel]
	l := newLab(t, kernel, BatchBytes(s.limbs(), others))
	return NewBatch(l, kernel, s.width, s.tiles, s.limbs()/2%(vectorLanes/lanes)*lanes, ones(lanes))
}

func newLab(t *testing.T, kernel string, size int) *Lab {
	t.Helper()
	l := NewLab(size, routines(t, kernel))
	t.Cleanup(func() {
		if err := l.Free(); err != nil && l.OnCPU == nil {
			t.Error(err)
		}
	})
	return l
}

func ones(n int) (vs []*big.Int) {
	for range n {
		vs = append(vs, big.NewInt(1))
	}
	return vs
}

// random returns a number below 2^bits of digits that are random or extreme.
func random(r *rand.Rand, bits int) *big.Int {
	v := new(big.Int)
	extreme := r.IntN(2) == 0
	for range (bits + digitBits - 1) / digitBits {
		d := r.Uint64() & digitMask
		if extreme {
			d = []uint64{0, 0, 1, digitMask, digitMask, digitMask - 1, 1 << (digitBits - 1), d}[r.IntN(8)]
		}
		v.Lsh(v, digitBits).Or(v, new(big.Int).SetUint64(d))
	}
	return v.And(v, minus(pow2(bits), 1))
}

// below returns a number below a positive bound: random, or one that is often
// handled wrong.
func below(r *rand.Rand, bound *big.Int) *big.Int {
	n := bound.BitLen()
	v := random(r, n)
	switch r.IntN(8) {
	case 0:
		v = new(big.Int)
	case 1:
		v = big.NewInt(1)
	case 2:
		v = minus(bound, 1)
	case 3:
		v = pow2(r.IntN(n))
	case 4: // zeros in the low digits of products
		v = minus(pow2(n), 1)
		v.Lsh(v, uint(r.IntN(n)))
	}
	return v.Mod(v, bound)
}

// modulus returns an odd number below 2^bits.
func modulus(r *rand.Rand, bits int) *big.Int {
	var n *big.Int
	switch r.IntN(8) {
	case 0:
		n = minus(pow2(bits), 1)
	case 1:
		n = minus(pow2(bits-1), -1)
	case 2:
		n = minus(pow2(1+r.IntN(bits)), 1)
	case 3:
		n = random(r, 1+r.IntN(bits))
	case 4:
		n = big.NewInt(int64(1 + 2*r.IntN(2)))
	default:
		n = random(r, bits)
	}
	return n.SetBit(n, 0, 1)
}

func multiple(x *big.Int, n int64) *big.Int { return new(big.Int).Mul(x, big.NewInt(n)) }

// do fails the test on an error.
func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want fails the test if the digits of z are not those of want(lane).
func want(t *testing.T, what string, z Ints, want func(lane int) *big.Int) {
	t.Helper()
	for lane := range z.lanes {
		if got, w := z.Big(lane, false), want(lane); got.Cmp(w) != 0 {
			t.Fatalf("%s, lane %d:\n got %#x\nwant %#x", what, lane, got, w)
		}
	}
}

// aboutCPU logs why nothing was compared with the CPU, once a test.
func aboutCPU(t *testing.T, l *Lab) {
	t.Helper()
	if l.OnCPU != nil {
		t.Logf("not compared with the CPU: %v", strings.TrimPrefix(l.OnCPU.Error(), "native: "))
	} else if l.Compared == 0 {
		t.Error("nothing was compared with the CPU")
	}
}
