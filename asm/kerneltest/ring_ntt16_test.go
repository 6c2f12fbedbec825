package kerneltest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"residue/asm/internal/machine"
	"residue/asm/internal/x86"
)

// ntt16Polynomials is how many polynomials tests have room for.
const ntt16Polynomials = 60

// eachNTT16 runs a test for every kernel and modulus.
func eachNTT16(t *testing.T, f func(t *testing.T, n *NTT16)) {
	t.Helper()
	for _, kernel := range slices.Sorted(maps.Keys(NTT16Kernels)) {
		if routines(t, kernel) == nil {
			t.Errorf("no kernel %s", kernel)
			continue
		}
		for _, q := range NTT16Moduli {
			t.Run(fmt.Sprintf("%s/q=%d", kernel, q), func(t *testing.T) {
				n := NewNTT16(newLab(t, kernel, NTT16MemoryBytes(ntt16Polynomials)), kernel, q)
				f(t, n)
				aboutCPU(t, n.Lab)
			})
		}
	}
}

// ntt16Kinds are what coefficients are: residues, and any words.
var ntt16Kinds = []func(r *rand.Rand, q int64) int64{
	func(r *rand.Rand, q int64) int64 { return r.Int64N(q) },
	func(_ *rand.Rand, q int64) int64 { return q - 1 },
	func(r *rand.Rand, q int64) int64 { return (q - 1) * r.Int64N(2) },
	func(*rand.Rand, int64) int64 { return 0 },
	func(*rand.Rand, int64) int64 { return 1<<15 - 1 },
	func(*rand.Rand, int64) int64 { return -1 << 15 },
	func(r *rand.Rand, _ int64) int64 { return -1<<15 + r.Int64N(2)*(1<<16-1) },
	func(r *rand.Rand, _ int64) int64 { return -1<<15 + r.Int64N(1<<16) },
}

// residueKinds is how many of them are residues.
const residueKinds = 4

func (n *NTT16) words(r *rand.Rand, kind int) []int16 {
	x := make([]int16, ntt16Words)
	for i := range x {
		x[i] = int16(ntt16Kinds[kind](r, n.Q))
	}
	return x
}

// mod returns v mod Q in [0, Q).
func (n *NTT16) mod(v int64) int64 { return (v%n.Q + n.Q) % n.Q }

// residuesOf returns x modulo X² − γ for every γ, by the definition.
func (n *NTT16) residuesOf(x []int16) []int16 {
	z := make([]int16, len(x))
	for i := range z {
		c, gamma := int64(0), n.Gamma(i/2)
		for k := len(x) - 2; k >= 0; k -= 2 { // Horner's rule
			c = n.mod(c*gamma + int64(x[k+i%2]))
		}
		z[i] = int16(c)
	}
	return z
}

// product returns x·y modulo X²⁵⁶ + 1, by the schoolbook method.
func (n *NTT16) product(x, y []int16) []int16 {
	sum := make([]int64, 2*len(x))
	for i, v := range x {
		for j, w := range y {
			sum[i+j] += int64(v) * int64(w)
		}
	}
	z := make([]int16, len(x))
	for i := range z {
		z[i] = int16(n.mod(sum[i] - sum[i+len(x)]))
	}
	return z
}

// sum returns what x and y are together.
func (n *NTT16) sum(x, y []int16) []int16 {
	z := make([]int16, len(x))
	for i, v := range x {
		z[i] = int16(n.mod(int64(v) + int64(y[i])))
	}
	return z
}

// same returns an error that shows the first of the words that is not what it should be.
func (n *NTT16) same(what string, s machine.Span, want []int16) error {
	for i, w := range n.WordsOf(s) {
		if w != want[i] {
			return fmt.Errorf("%s, modulo %d: word %d is %d, want %d", what, n.Q, i, w, want[i])
		}
	}
	return nil
}

// ntt16Check is an NTT16 with room for operands and results.
type ntt16Check struct {
	*NTT16
	x, y, z machine.Span
	more    []machine.Span // residues
	factors []machine.Span
}

func newNTT16Check(n *NTT16) *ntt16Check {
	c := &ntt16Check{NTT16: n, x: n.Polynomial("x"), y: n.Polynomial("y"), z: n.Polynomial("z")}
	for range 4 {
		c.more, c.factors = append(c.more, n.Polynomial("residues")), append(c.factors, n.Factor("factor"))
	}
	return c
}

// transforms checks the transforms of x, to z and in place.
func (c *ntt16Check) transforms(x []int16) error {
	hat, zero := c.residuesOf(x), make([]int16, len(x))
	for _, to := range []machine.Span{c.z, c.x} {
		c.SetWords(c.x, x)
		if err := c.Transform("Forward16", to, c.x); err != nil {
			return err
		}
		if err := c.same("residues", to, hat); err != nil {
			return err
		}
		c.SetWords(c.x, hat)
		if err := c.Transform("Inverse16", to, c.x); err != nil {
			return err
		}
		if err := c.same("polynomial", to, c.sum(x, zero)); err != nil {
			return err
		}
		c.SetWords(c.x, x)
		if err := c.Transform("Residues16", to, c.x); err != nil {
			return err
		}
		if got, want := c.sum(c.WordsOf(to), zero), c.ownOrder(hat); !slices.Equal(got, want) {
			return fmt.Errorf("any residues, modulo %d: %v, want %v", c.Q, got, want)
		}
	}
	return nil
}

// inverse checks the polynomial of residues.
func (c *ntt16Check) inverse(hat []int16) error {
	c.SetWords(c.x, hat)
	if err := c.Transform("Inverse16", c.z, c.x); err != nil {
		return err
	}
	back := c.WordsOf(c.z)
	for i, v := range back {
		if v < 0 || int64(v) >= c.Q {
			return fmt.Errorf("modulo %d: word %d is %d", c.Q, i, v)
		}
	}
	if got := c.residuesOf(back); !slices.Equal(got, hat) {
		return fmt.Errorf("residues of the polynomial, modulo %d: %v, want %v", c.Q, got, hat)
	}
	return nil
}

// mul checks a product, of which the result may be an operand.
func (c *ntt16Check) mul(x, y []int16) error {
	want := c.product(x, y)
	for _, to := range []machine.Span{c.z, c.x, c.y} {
		c.SetWords(c.x, x)
		c.SetWords(c.y, y)
		if err := c.Mul(to, c.x, c.y); err != nil {
			return err
		}
		if err := c.same("product", to, want); err != nil {
			return err
		}
	}
	return nil
}

// sums checks sums of products of polynomials, of residues in [0, Q) or, for rows, of any.
func (c *ntt16Check) sums(x, y [][]int16, transform string) error {
	prepare, row := c.Prepare, c.Row
	if transform == "Residues16" {
		prepare, row = c.PrepareOwn, c.OwnRow
	}
	sum := make([]int16, ntt16Words)
	for j := range x {
		c.SetWords(c.z, y[j])
		if err := c.Transform("Forward16", c.z, c.z); err != nil {
			return err
		}
		if err := prepare(c.factors[j], c.z); err != nil {
			return err
		}
		c.SetWords(c.more[j], x[j])
		if err := c.Transform(transform, c.more[j], c.more[j]); err != nil {
			return err
		}
		sum = c.sum(sum, c.product(x[j], y[j]))
	}
	residues, factors := c.more[:len(x)], c.factors[:len(x)]
	if err := row(c.z, residues, factors); err != nil {
		return err
	}
	if err := c.same("row", c.z, sum); err != nil || transform == "Residues16" {
		return err
	}
	hat := c.residuesOf(sum)
	if err := c.Sum(c.z, residues, factors, false); err != nil {
		return err
	}
	if err := c.same("sum", c.z, hat); err != nil {
		return err
	}
	if err := c.Sum(c.z, residues, factors, true); err != nil {
		return err
	}
	return c.same("sum, added", c.z, c.sum(hat, hat))
}

// TestNTT16 compares all routines with their definitions.
func TestNTT16(t *testing.T) {
	eachNTT16(t, func(t *testing.T, n *NTT16) {
		r, c := rand.New(rand.NewPCG(160, uint64(n.Q))), newNTT16Check(n)
		for kind := range ntt16Kinds {
			do(t, c.transforms(n.words(r, kind)))
			do(t, c.mul(n.words(r, kind), n.words(r, r.IntN(len(ntt16Kinds)))))
		}
		for kind := range residueKinds {
			do(t, c.inverse(n.words(r, kind)))
		}
		for count := 1; count <= len(c.factors); count++ {
			for _, transform := range []string{"Forward16", "Residues16"} {
				var x, y [][]int16
				for range count {
					x, y = append(x, n.words(r, r.IntN(len(ntt16Kinds)))), append(y, n.words(r, r.IntN(len(ntt16Kinds))))
				}
				do(t, c.sums(x, y, transform))
			}
		}
	})
}

// TestNTT16Three: routines for three at once do what those for one do.
func TestNTT16Three(t *testing.T) {
	eachNTT16(t, func(t *testing.T, n *NTT16) {
		if !n.Has("ThreeResidues16") {
			t.Skip("not for this kernel")
		}
		r := rand.New(rand.NewPCG(161, uint64(n.Q)))
		var x, z, hat, f []machine.Span
		all, one := n.Mem.Alloc("residues", 3*ntt16Bytes, 2), n.Polynomial("one")
		for i := range 3 {
			x, z, hat = append(x, n.Polynomial("x")), append(z, n.Polynomial("z")), append(hat, all.Slice(i*ntt16Bytes, (i+1)*ntt16Bytes))
			n.SetWords(x[i], n.words(r, 7))
		}
		do(t, n.Three("ThreeResidues16", all, x))
		for i := range 3 {
			do(t, n.Transform("Residues16", one, x[i]))
			do(t, n.same("residues", hat[i], n.WordsOf(one)))
			for j := range 3 {
				n.SetWords(one, n.words(r, (i+j)%residueKinds))
				f = append(f, n.Factor("factor"))
				do(t, n.PrepareOwn(f[3*i+j], one))
			}
		}
		rows := func(row func(z machine.Span, x, f []machine.Span) error, x, f []machine.Span, at func(i int) (x, f []machine.Span)) {
			do(t, n.ThreeRows(z, x, f))
			for i := range z {
				x, f := at(i)
				do(t, row(one, x, f))
				do(t, n.same("row", z[i], n.WordsOf(one)))
			}
		}
		rows(n.OwnRow, hat, f, func(i int) (x, g []machine.Span) { return hat, f[3*i : 3*i+3] })
		var matrix []machine.Span
		for i := range 9 {
			matrix = append(matrix, hat[i*i%3])
		}
		rows(n.Row, matrix, f[:3], func(i int) (x, g []machine.Span) { return matrix[3*i : 3*i+3], f[:3] })
	})
}

// TestNTT16Traces is TestTraces for transforms of 16-bit words.
func TestNTT16Traces(t *testing.T) {
	eachNTT16(t, func(t *testing.T, n *NTT16) {
		n.Public = true
		c := newNTT16Check(n)
		residues, factors := c.more[:2], c.factors[:2]
		for name, routine := range map[string]func() error{
			"Forward16":       func() error { return n.Transform("Forward16", c.z, c.x) },
			"Residues16":      func() error { return n.Transform("Residues16", c.z, c.x) },
			"Inverse16":       func() error { return n.Transform("Inverse16", c.z, c.more[0]) },
			"Factor16":        func() error { return n.Prepare(c.factors[1], c.more[0]) },
			"Mul16":           func() error { return n.Mul(c.z, c.x, c.y) },
			"Sum16":           func() error { return n.Sum(c.z, residues, factors, false) },
			"Sum16, added":    func() error { return n.Sum(c.more[2], residues, factors, true) },
			"Row16":           func() error { return n.Row(c.z, residues, factors) },
			"Row16 of one":    func() error { return n.Row(c.z, residues[:1], factors[:1]) },
			"own row":         func() error { return n.OwnRow(c.z, residues, factors) },
			"own factor":      func() error { return n.PrepareOwn(c.factors[1], c.more[0]) },
			"Mul16, in place": func() error { return n.Mul(c.x, c.x, c.x) },
		} {
			err := n.SameTraces(runs, func(run int) error {
				r := rand.New(rand.NewPCG(162, uint64(run)))
				coefficients, residues := []int{3, 4, 6, 7}[run], []int{3, 1, 2, 0}[run]
				n.SetWords(c.x, n.words(r, coefficients))
				n.SetWords(c.y, n.words(r, coefficients))
				for _, s := range c.more {
					n.SetWords(s, n.words(r, residues))
				}
				for _, s := range c.factors {
					n.SetWords(s, slices.Concat(n.words(r, residues), n.words(r, residues)))
				}
				return routine()
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestNTT16Faults: routines with a fault do not pass the tests. Modulo 769 no constants are
// what they are over the modulus, but that of a factor is so small that high halves are zero.
func TestNTT16Faults(t *testing.T) {
	const factor = "Factor16"
	for _, kernel := range slices.Sorted(maps.Keys(NTT16Kernels)) {
		ntt16Faults(t, kernel, 769, func(routine string) bool { return routine != factor })
		ntt16Faults(t, kernel, 3329, func(routine string) bool { return routine == factor })
	}
}

func ntt16Faults(t *testing.T, kernel string, q int64, chosen func(routine string) bool) {
	n := NewNTT16(newFaultyLab(t, kernel, NTT16MemoryBytes(ntt16Polynomials)), kernel, q)
	c, r := newNTT16Check(n), rand.New(rand.NewPCG(163, 1))
	checks := map[string][]func() error{}
	var own ownOperands
	add := func(routine string, check func() error) { checks[routine] = append(checks[routine], check) }

	sum, zero, most := n.words(r, 3), n.words(r, 3), n.words(r, 1)
	for j := range 3 {
		x := n.words(r, 2*j)
		n.SetWords(c.more[j], n.residuesOf(x))
		do(t, n.Prepare(c.factors[j], c.more[j]))
		factor := n.WordsOf(c.factors[j])
		sum = n.sum(sum, n.product(x, x))
		add("Factor16", func() error {
			if err := n.Prepare(c.factors[3], c.more[j]); err != nil {
				return err
			}
			return n.same("factor", c.factors[3], factor)
		})
		residues, factors := c.more[:j+1], c.factors[:j+1]
		sum, hat := sum, n.residuesOf(sum)
		if n.Has("Prepare16") {
			own.faults(t, c, x, sum, add)
		}
		add("Row16", func() error {
			if err := n.Row(c.z, residues, factors); err != nil {
				return err
			}
			return n.same("row", c.z, sum)
		})
		add("Sum16", func() error {
			if err := n.Sum(c.z, residues, factors, false); err != nil {
				return err
			}
			return n.same("sum", c.z, hat)
		})
		adding := "AddSum16"
		if !n.Has(adding) {
			adding = "Sum16"
		}
		for _, old := range [][]int16{most, zero, n.words(r, 0)} {
			add(adding, func() error {
				n.SetWords(c.z, old)
				if err := n.Sum(c.z, residues, factors, true); err != nil {
					return err
				}
				return n.same("sum, added", c.z, n.sum(hat, old))
			})
		}
	}
	for _, kind := range []int{0, 1, 2, 4, 5, 6, 7, 7} {
		v, w := n.words(r, kind), n.words(r, kind)
		hat, product := n.residuesOf(v), n.product(v, w)
		add("Forward16", func() error {
			n.SetWords(c.x, v)
			if err := n.Transform("Forward16", c.z, c.x); err != nil {
				return err
			}
			return n.same("residues", c.z, hat)
		})
		add("Residues16", func() error {
			n.SetWords(c.x, v)
			if err := n.Transform("Residues16", c.z, c.x); err != nil {
				return err
			}
			n.SetWords(c.z, n.sum(n.WordsOf(c.z), zero))
			return n.same("residues", c.z, n.ownOrder(hat))
		})
		add("Inverse16", func() error {
			n.SetWords(c.x, hat)
			if err := n.Transform("Inverse16", c.z, c.x); err != nil {
				return err
			}
			return n.same("polynomial", c.z, n.sum(v, zero))
		})
		add("Mul16", func() error {
			n.SetWords(c.x, v)
			n.SetWords(c.y, w)
			if err := n.Mul(c.z, c.x, c.y); err != nil {
				return err
			}
			return n.same("product", c.z, product)
		})
	}
	for what, checks := range checks {
		if !chosen(what) {
			continue
		}
		name := n.routine(what)
		t.Run(name, func(t *testing.T) {
			limit(n.Lab, name, 4)
			small := smallSteps(n.Routines[name].Insts)
			checkFaults(t, n.Lab, name, checks, func(in x86.Inst, _ string) bool {
				// A register may have already what is copied into it.
				copied := (in.Op == x86.MOV || in.Op == x86.VMOVDQA64) && in.Args[0].Kind == x86.Register && in.Args[1].Kind == x86.Register
				return copied || small[in.Offset]
			})
		})
	}
}

// faults adds checks of the routines that have an order of their own: of a factor of x, and of
// the row of squares of all that there have been.
func (o *ownOperands) faults(t *testing.T, c *ntt16Check, x, sum []int16, add func(routine string, check func() error)) {
	t.Helper()
	n, j := c.NTT16, len(o.x)
	hat := n.residuesOf(x)
	o.x, o.f = append(o.x, n.Polynomial("own")), append(o.f, n.Factor("own"))
	n.SetWords(o.x[j], hat)
	do(t, n.PrepareOwn(o.f[j], o.x[j]))
	want := n.WordsOf(o.f[j])
	add("Prepare16", func() error {
		if err := n.PrepareOwn(c.factors[3], c.more[j]); err != nil {
			return err
		}
		return n.same("prepared", c.factors[3], want)
	})
	n.SetWords(o.x[j], n.ordered(hat))
	rowX, rowF := o.x[:j+1], o.f[:j+1]
	add("PreparedRow16", func() error {
		if err := n.OwnRow(c.z, rowX, rowF); err != nil {
			return err
		}
		return n.same("row", c.z, sum)
	})
}

// ownOperands are residues and factors in an order of the kernel's own.
type ownOperands struct{ x, f []machine.Span }

// smallSteps are the instructions, by offset, that only make words small: without them the
// result is right unless words overflow, and other places have other multiples of the modulus.
// They are VPMULHRSW, and subtractions of low halves of products. The proof that words do not
// overflow is in the generator.
func smallSteps(insts []x86.Inst) map[int]bool {
	small, low := map[int]bool{}, map[x86.Reg]bool{}
	for _, in := range insts {
		if in.Op == x86.VPMULHRSW {
			small[in.Offset] = true
		}
		if in.NArgs == 0 || in.Args[0].Kind != x86.Register {
			continue
		}
		for _, arg := range in.Args[1:in.NArgs] {
			if in.Op == x86.VPSUBW && arg.Kind == x86.Register && low[arg.Reg] {
				small[in.Offset] = true
			}
		}
		low[in.Args[0].Reg] = in.Op == x86.VPMULLW
	}
	return small
}
