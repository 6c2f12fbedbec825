package kerneltest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"residue/asm/internal/x86"
	"residue/asm/mont"
	"residue/asm/pmns"
)

// eachFault calls f with the routine spoiled in one instruction, for every instruction
// and every kind of fault that it can have.
func eachFault(r *Routine, f func(in x86.Inst, fault string, faulty *Routine)) {
	for i := range r.Insts {
		for _, kind := range faultKinds {
			in := r.Insts[i]
			if !kind.spoil(&in) {
				continue
			}
			p := *r.Program
			p.Insts = slices.Clone(p.Insts)
			p.Insts[i] = in
			p.Runs = make([]int, len(p.Insts))
			f(r.Insts[i], kind.name, &Routine{Program: &p, Params: r.Params, Results: r.Results})
		}
	}
}

const anotherPlace = "another place"

// faultKinds are what spoil does to an instruction, if it is one that can have the
// fault.
var faultKinds = []struct {
	name  string
	spoil func(in *x86.Inst) bool
}{
	{"left out", func(in *x86.Inst) bool {
		if in.Reads&^in.Addr == 0 {
			return false // a load or a constant, which the register may have already
		}
		*in = x86.Inst{Offset: in.Offset, Len: in.Len, Op: x86.NOP}
		return true
	}},
	{"another number", func(in *x86.Inst) bool { // of lanes, of bits, of a comparison
		for i := range in.Args[:in.NArgs] {
			if arg := &in.Args[i]; arg.Kind == x86.Immediate {
				arg.Imm ^= 1
				return true
			}
		}
		return false
	}},
	{anotherPlace, func(in *x86.Inst) bool { // the next vector
		for i := range in.Args[:in.NArgs] {
			if arg := &in.Args[i]; arg.Kind == x86.Memory {
				arg.Mem.Disp += vectorBytes
				return true
			}
		}
		return false
	}},
	{"the other half", func(in *x86.Inst) bool {
		switch in.Op {
		case x86.VPMADD52LUQ:
			in.Op = x86.VPMADD52HUQ
		case x86.VPMADD52HUQ:
			in.Op = x86.VPMADD52LUQ
		default:
			return false
		}
		return true
	}},
	{"no mask", func(in *x86.Inst) bool {
		masked := in.Mask != x86.K0
		in.Mask = x86.K0
		return masked
	}},
	{"the carry forgotten", func(in *x86.Inst) bool {
		if in.Op != x86.ADC {
			return false
		}
		in.Op = x86.ADD
		return true
	}},
}

// checkFaults fails for every fault of a routine with which all checks pass, and if one
// of them does not pass with the sound routine. Faults that have no effect are not tried.
func checkFaults(t *testing.T, l *Lab, name string, checks []func() error, noEffect func(in x86.Inst, fault string) bool) {
	t.Helper()
	sound := l.Routines
	defer func() { l.Routines = sound }()
	pass := func() bool {
		for i, check := range checks {
			if check() == nil {
				continue
			}
			if i > 0 { // the next faults may be like this one
				copy(checks[2:], checks[1:i])
				checks[1] = check
			}
			return false
		}
		return true
	}
	for _, check := range checks {
		do(t, check())
	}
	eachFault(sound[name], func(in x86.Inst, fault string, faulty *Routine) {
		if noEffect != nil && noEffect(in, fault) {
			return
		}
		l.Routines = map[string]*Routine{name: faulty}
		if pass() {
			t.Errorf("not found: %s+%d, %s: %s", name, in.Offset, in.String(), fault)
		}
	})
}

// newFaultyLab returns a lab for routines with faults, which must not run on the CPU:
// some would crash.
func newFaultyLab(t *testing.T, kernel string, size int) *Lab {
	t.Helper()
	sound := routines(t, kernel)
	if sound == nil {
		t.Skip("no kernel " + kernel)
	}
	l := NewLab(size, sound)
	do(t, l.Free())
	l.area, l.OnCPU = nil, nil
	return l
}

// limit stops routines that have no end: loops have at most so many turns.
func limit(l *Lab, name string, turns int) { l.Limit = 4 * len(l.Routines[name].Insts) * turns }

// TestMontFaults: routines with a fault do not pass the tests. Each instruction of
// kernels of every kind is spoiled in turn, which leaves out a ripple, moves a lane too
// few, or forgets the rounding of the carry into the upper half.
func TestMontFaults(t *testing.T) {
	for _, vectors := range []int{2, 5, 6, 9} {
		s := mont.Shapes[slices.IndexFunc(mont.Shapes, func(s mont.Shape) bool { return s.Vectors == vectors })]
		r := rand.New(rand.NewPCG(88, uint64(vectors)))
		l := newFaultyLab(t, montKernel, MontBytes(vectors, montCheckNumbers))
		c := newMontCheck(NewMont(l, s), r)
		var products, squares []func() error
		for _, n := range c.rippleModuli(r) {
			for _, tt := range c.rippleCases(r, n) {
				set := func() {
					if n != c.n {
						c.setModulus(n)
					}
				}
				products = append(products, func() error {
					set()
					return c.mul(c.split(tt.x), c.split(tt.y))
				})
				times := 1
				if len(squares) == 0 {
					times = 2
				}
				squares = append(squares, func() error {
					set()
					return c.sqr(c.split(tt.x), times)
				})
			}
		}
		for what, checks := range map[string][]func() error{"Mul": products, "Sqr": squares} {
			name := c.routine(what)
			t.Run(name, func(t *testing.T) {
				limit(l, name, vectorLanes)
				checkFaults(t, l, name, checks, nil)
			})
		}
	}
}

// TestPMNSFaults is TestMontFaults for polynomials: straight-line code, loops, products
// by Karatsuba's method, and rows of two vectors.
func TestPMNSFaults(t *testing.T) {
	for _, tt := range []struct {
		n, s int
		form string
	}{
		{7, 3, ""},
		{7, 6, ""},
		{8, 8, ""},
		{8, 8, "Karatsuba"},
		{15, 6, ""},
	} {
		s := pmns.Set{Coefficients: tt.n, Words: tt.s}
		r := rand.New(rand.NewPCG(94, uint64(tt.n)))
		l := newFaultyLab(t, pmnsKernel, PMNSBytes(s, pmnsCheckPolynomials))
		c := newPMNSCheck(NewPMNS(l, s, tt.form), r)
		// Polynomials of the work space, which come behind all rows, may lie elsewhere in it.
		elsewhere := func(in x86.Inst, fault string) bool {
			return fault == anotherPlace && in.Op == x86.LEA && in.Args[1].Mem.Disp >= 3*2*vectorBytes*int32(elementVectors(s))
		}
		checks := map[string][]func() error{}
		for _, m := range pmnsModuli(r, c.Ring(), 3) {
			for _, operands := range m.cases(r, 3) {
				what := "Mul" + tt.form
				if operands.squares > 0 {
					what = "Sqr"
				}
				want := operands.want()
				checks[what] = append(checks[what], func() error { return c.check(&operands, want) })
			}
		}
		for what, checks := range checks {
			if what == "Sqr" && tt.form != "" {
				continue // as in the other form
			}
			name := c.routine(what)
			t.Run(name, func(t *testing.T) {
				limit(l, name, tt.n)
				checkFaults(t, l, name, checks, elsewhere)
			})
		}
	}
}
