package kerneltest

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"residue/asm/internal/machine"
	"residue/asm/internal/ports"
	"residue/asm/internal/x86"
)

// ntt32Primes are the prime of FIPS 204, and the ends of what each kernel takes.
var ntt32Primes = map[string][]int64{
	ntt32AVX512: {8380417, 8383489, 7681},
	ntt32AVX2:   {8380417, 8383489, 262657},
}

// eachNTT32 runs a test for every kernel and prime, with room for so many polynomials.
func eachNTT32(t *testing.T, polynomials int, f func(t *testing.T, n *NTT32)) {
	t.Helper()
	for _, kernel := range []string{ntt32AVX512, ntt32AVX2} {
		if routines(t, kernel) == nil {
			continue
		}
		for _, q := range ntt32Primes[kernel] {
			t.Run(fmt.Sprintf("%s/%d", kernel, q), func(t *testing.T) {
				n := NewNTT32(newLab(t, kernel, NTT32Bytes(polynomials)), kernel, q)
				f(t, n)
				aboutCPU(t, n.Lab)
			})
		}
	}
}

// ntt32Kinds are words of polynomials: at random, and the ends of what they may be.
var ntt32Kinds = []func(r *rand.Rand, q int64) int64{
	func(r *rand.Rand, _ int64) int64 { return int64(int32(r.Uint32())) },
	func(*rand.Rand, int64) int64 { return math.MinInt32 },
	func(*rand.Rand, int64) int64 { return math.MaxInt32 },
	func(r *rand.Rand, _ int64) int64 {
		return int64(int32(math.MinInt32 + int64(r.IntN(2))*math.MaxUint32))
	},
	func(_ *rand.Rand, q int64) int64 { return q - 1 },
	func(_ *rand.Rand, q int64) int64 { return -q / 2 },
	func(r *rand.Rand, q int64) int64 { return r.Int64N(3) - 1 },
	func(r *rand.Rand, _ int64) int64 { return 1<<27*(r.Int64N(32)-16) - r.Int64N(2) },
}

func ntt32Polynomial(r *rand.Rand, n, kind int, q int64) []int64 {
	x := make([]int64, n)
	for i := range x {
		x[i] = int64(int32(ntt32Kinds[kind](r, q)))
	}
	return x
}

// ntt32Check calls the routines of an NTT32 and compares what they do with the definitions.
type ntt32Check struct {
	*NTT32
	r         *rand.Rand
	x, y, z   machine.Span
	xs, fs    []machine.Span // of sums
	addresses machine.Span
}

const ntt32CheckPolynomials = 3 + 2*ntt32Terms

func newNTT32Check(n *NTT32, r *rand.Rand) *ntt32Check {
	c := &ntt32Check{NTT32: n, r: r, x: n.Polynomial("x", 1), y: n.Polynomial("y", 7), z: n.Polynomial("z", 3)}
	for range ntt32Terms {
		c.xs, c.fs = append(c.xs, n.Polynomial("x", 2)), append(c.fs, n.Polynomial("f", 5))
	}
	c.addresses = n.Alloc("terms", 2*(ntt32Terms+1))
	return c
}

// expect returns an error if z is not what it should be.
func (c *ntt32Check) expect(what string, z machine.Span, want []int64) error {
	for i, v := range Words32At(z) {
		if v != want[i] {
			return fmt.Errorf("%s: word %d is %d, want %d", what, i, v, want[i])
		}
	}
	return nil
}

// result returns the place of a result: another than that of the operand, or the same.
func (c *ntt32Check) result(x machine.Span, inPlace bool) machine.Span {
	if inPlace {
		return x
	}
	return c.z
}

func (c *ntt32Check) transform(x []int64, inPlace bool) error {
	c.SetWords32(c.x, x, false)
	z := c.result(c.x, inPlace)
	if err := c.Transform32(z, c.x); err != nil {
		return err
	}
	return c.expect("transform", z, c.Forward(x))
}

func (c *ntt32Check) inverseOf(x []int64, inPlace bool) error {
	c.SetWords32(c.x, c.Forward(x), false)
	z := c.result(c.x, inPlace)
	if err := c.Inverse32(z, c.x); err != nil {
		return err
	}
	return c.expect("inverse", z, c.Residues(x))
}

// mul multiplies; in place of the first operand or the second, if place is 1 or 2.
func (c *ntt32Check) mul(x, y []int64, place int) error {
	c.SetWords32(c.x, x, false)
	c.SetWords32(c.y, y, false)
	z := []machine.Span{c.z, c.x, c.y}[place]
	if err := c.Mul32(z, c.x, c.y); err != nil {
		return err
	}
	return c.expect("product", z, c.Product(x, y))
}

// sum adds products of residues.
func (c *ntt32Check) sum(xs, fs [][]int64, old []int64, keep int) error {
	want := make([]int64, c.N)
	c.SetWords32(c.z, old, false)
	if keep != 0 {
		copy(want, old)
	}
	for j, x := range xs {
		c.SetWords32(c.xs[j], x, false)
		if err := c.factor(c.fs[j], fs[j]); err != nil {
			return err
		}
		for i, v := range x {
			want[i] = (want[i] + v*fs[j][i]) % c.Q
		}
	}
	if err := c.Sum32(c.z, c.addresses, c.xs[:len(xs)], c.fs[:len(xs)], keep); err != nil {
		return err
	}
	return c.expect("sum", c.z, want)
}

// factor makes a factor: of AVX2, x·2^32 modulo q in (−q, q).
func (c *ntt32Check) factor(f machine.Span, x []int64) error {
	c.SetWords32(c.y, x, false)
	if err := c.Factor32(f, c.y); err != nil {
		return err
	}
	if c.wide {
		return c.expect("factor", f, x)
	}
	for i, v := range Words32At(f) {
		if v <= -c.Q || v >= c.Q || c.mod(v) != x[i]<<32%c.Q {
			return fmt.Errorf("factor: word %d is %d, want %d·2^32", i, v, x[i])
		}
	}
	return nil
}

// residues returns so many polynomials of residues: at random, or the largest.
func (c *ntt32Check) residues(count int, random bool) [][]int64 {
	xs := make([][]int64, count)
	for j := range xs {
		xs[j] = make([]int64, c.N)
		for i := range xs[j] {
			xs[j][i] = c.Q - 1
			if random {
				xs[j][i] = c.r.Int64N(c.Q)
			}
		}
	}
	return xs
}

// TestNTT32: transforms, their inverses, products and sums of products are right for any words,
// in place and not.
func TestNTT32(t *testing.T) {
	eachNTT32(t, ntt32CheckPolynomials, func(t *testing.T, n *NTT32) {
		c := newNTT32Check(n, rand.New(rand.NewPCG(101, uint64(n.Q))))
		for kind := range ntt32Kinds {
			x := ntt32Polynomial(c.r, n.N, kind, n.Q)
			for _, inPlace := range []bool{false, true} {
				do(t, c.transform(x, inPlace))
				do(t, c.inverseOf(x, inPlace))
			}
			for place := range 3 {
				do(t, c.mul(x, ntt32Polynomial(c.r, n.N, c.r.IntN(len(ntt32Kinds)), n.Q), place))
			}
		}
		do(t, c.mul(ntt32Polynomial(c.r, n.N, 4, n.Q), ntt32Polynomial(c.r, n.N, 4, n.Q), 0))
		c.SetWords32(c.x, ntt32Polynomial(c.r, n.N, 0, n.Q), false)
		do(t, c.Mul32(c.z, c.x, c.x))
		do(t, c.expect("square", c.z, c.Product(Words32At(c.x), Words32At(c.x))))
		for _, count := range []int{1, 2, 5, ntt32Terms} {
			for _, random := range []bool{false, true} {
				for _, keep := range []int{0, -1} {
					do(t, c.sum(c.residues(count, random), c.residues(count, random), c.residues(1, random)[0], keep))
				}
			}
		}
	})
}

// TestNTT32Traces: the routines execute the same instructions, and access the same addresses,
// whatever the coefficients are.
func TestNTT32Traces(t *testing.T) {
	eachNTT32(t, ntt32CheckPolynomials, func(t *testing.T, n *NTT32) {
		n.Public = true
		c := newNTT32Check(n, nil)
		for name, f := range map[string]func() error{
			"Transform": func() error { return c.Transform32(c.z, c.x) },
			"Inverse":   func() error { return c.Inverse32(c.z, c.x) },
			"Mul":       func() error { return c.Mul32(c.z, c.x, c.y) },
			"Sum":       func() error { return c.Sum32(c.z, c.addresses, c.xs[:3], c.fs[:3], -1) },
			"Factor":    func() error { return c.Factor32(c.z, c.x) },
		} {
			if name == "Factor" && n.wide {
				continue // it is a copy
			}
			err := n.SameTraces(runs, func(run int) error {
				s := newSecrets(run)
				for _, p := range slices.Concat([]machine.Span{c.x, c.y, c.z}, c.xs[:3], c.fs[:3]) {
					words := make([]int64, n.N)
					for i := range words {
						words[i] = int64(s.litter())
					}
					n.SetWords32(p, words, false)
				}
				return f()
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// sameConstant tells whether a fault is that a constant is taken for another one that is the
// same: powers of ζ are.
func (c *NTT32) sameConstant(in x86.Inst, fault string) bool {
	if fault != anotherPlace || in.Op != x86.VPMADD52LUQ {
		return false
	}
	for _, arg := range in.Args[:in.NArgs] {
		if word := int(arg.Mem.Disp) / 8; arg.Kind == x86.Memory && arg.Mem.Broadcast && c.table.Word(word) == c.table.Word(word+vectorLanes) {
			return true
		}
	}
	return false
}

// smallEnough tells whether a fault may leave words small enough. Half of the quotient by which
// AVX2 does that before the first layer does as well as all of it; and so does the vector behind
// that of the quotient's factor, 2q, of which the high half is almost the same for some q.
func smallEnough(in x86.Inst, fault string) bool {
	return in.Op == x86.VPSRAD || in.Op == x86.VPMULHRSW && fault == anotherPlace
}

// TestNTT32Faults: routines with a fault do not pass the tests.
//
// Which words AVX2 makes canonical in the end depends on how constants are rounded, so there are
// two primes.
func TestNTT32Faults(t *testing.T) {
	for _, kernel := range []string{ntt32AVX512, ntt32AVX2} {
		l := newFaultyLab(t, kernel, 2*NTT32Bytes(ntt32CheckPolynomials))
		sound := l.Routines
		checks := map[string][]func() error{}
		var n *NTT32
		for _, q := range []int64{8383489, 8380417} {
			n = NewNTT32(l, kernel, q)
			newNTT32Check(n, rand.New(rand.NewPCG(102, 0))).faultChecks(checks)
		}
		for what, checks := range checks {
			name := n.prefix + what + "32"
			if sound[name] == nil {
				continue
			}
			// Beside the routine with the fault, all others are as they should be.
			for i, check := range checks {
				checks[i] = func() error {
					faulty := l.Routines
					defer func() { l.Routines = faulty }()
					l.Routines = maps.Clone(sound)
					maps.Copy(l.Routines, faulty)
					return check()
				}
			}
			t.Run(name, func(t *testing.T) {
				limit(l, name, 8)
				checkFaults(t, l, name, checks, func(in x86.Inst, fault string) bool {
					return n.sameConstant(in, fault) || smallEnough(in, fault)
				})
			})
		}
	}
}

// faultChecks adds checks that find faults, by the routine that they are for.
func (c *ntt32Check) faultChecks(checks map[string][]func() error) {
	add := func(check func() error, routines ...string) {
		for _, name := range routines {
			checks[name] = append(checks[name], check)
		}
	}
	for _, kind := range []int{0, 3, 1, 2, 4} {
		x, y := ntt32Polynomial(c.r, c.N, kind, c.Q), ntt32Polynomial(c.r, c.N, 0, c.Q)
		add(func() error { return c.transform(x, false) }, "Forward", "ForwardHigh", "ForwardOrder")
		add(func() error { return c.inverseOf(x, false) }, "Inverse", "BackOrder", "BackHigh")
		add(func() error { return c.mul(y, x, 0) }, "Mul")
		add(func() error { return c.mul(x, y, 0) }, "Mul", "ForwardLow", "Multiply", "BackHigh")
	}
	// Small words, positive and negative, come out of [0, q) before the last steps.
	for i := range 12 {
		x, power := ntt32Polynomial(c.r, c.N, 6, c.Q), make([]int64, c.N)
		power[21*i%c.N] = 1
		add(func() error { return c.mul(x, power, 0) }, "Mul", "BackHigh")
	}
	small := c.residues(1, true)
	for i := range small[0] {
		small[0][i] = c.mod(c.inverse(1<<32%c.Q) * int64(i-100))
	}
	add(func() error { return c.sum(small, small, small[0], 0) }, "Factor", "Sum")
	for _, random := range []bool{true, false} {
		for _, keep := range []int{0, -1} {
			xs, fs, old := c.residues(3, random), c.residues(3, random), c.residues(1, random)[0]
			add(func() error { return c.sum(xs, fs, old, keep) }, "Factor", "Sum")
		}
	}
}

// TestNTT32Ports logs what the ports of cores need for the operations, and checks that they are
// within it.
func TestNTT32Ports(t *testing.T) {
	for _, kernel := range []string{ntt32AVX512, ntt32AVX2} {
		if routines(t, kernel) == nil {
			continue
		}
		n := NewNTT32(newLab(t, kernel, NTT32Bytes(ntt32CheckPolynomials)), kernel, 8380417)
		c := newNTT32Check(n, rand.New(rand.NewPCG(103, 0)))
		for _, p := range []machine.Span{c.x, c.y} {
			n.SetWords32(p, make([]int64, n.N), false)
		}
		for _, op := range []struct {
			name string
			f    func() error
		}{
			{"transform", func() error { return c.Transform32(c.z, c.x) }},
			{"inverse", func() error { return c.Inverse32(c.z, c.x) }},
			{"product", func() error { return c.Mul32(c.z, c.x, c.y) }},
		} {
			tally, err := n.Tally(op.f)
			do(t, err)
			for _, m := range ports.Models {
				cycles, by := tally.Bound(m)
				t.Logf("%s, %s, %s: %.0f cycles by %s", kernel, op.name, m.Name, cycles, by)
			}
		}
	}
}
