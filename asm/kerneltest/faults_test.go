package kerneltest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"residue/asm/internal/x86"
	"residue/asm/mont"
)

// eachFault calls f with the routine spoiled in one instruction, for every instruction
// and every kind of fault that it can have.
func eachFault(r *Routine, f func(what string, faulty *Routine)) {
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
			what := fmt.Sprintf("%s+%d, %s: %s", r.Name, in.Offset, r.Insts[i].String(), kind.name)
			f(what, &Routine{Program: &p, Params: r.Params, Results: r.Results})
		}
	}
}

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
	{"another place", func(in *x86.Inst) bool { // the next vector
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

// TestMontFaults: routines with a fault do not pass the tests. Each instruction of
// kernels of every kind is spoiled in turn, which leaves out a ripple, moves a lane too
// few, or forgets the rounding of the carry into the upper half.
func TestMontFaults(t *testing.T) {
	sound := routines(t, montKernel)
	if sound == nil {
		t.Skip("no kernel " + montKernel)
	}
	for _, vectors := range []int{2, 5, 6, 9} {
		s := mont.Shapes[slices.IndexFunc(mont.Shapes, func(s mont.Shape) bool { return s.Vectors == vectors })]
		r := rand.New(rand.NewPCG(88, uint64(vectors)))
		l := NewLab(MontBytes(vectors, montCheckNumbers), sound)
		do(t, l.Free())
		l.area, l.OnCPU = nil, nil // some would crash
		c := newMontCheck(NewMont(l, s), r)
		var cases []montCase
		for _, n := range c.rippleModuli(r) {
			cases = append(cases, c.rippleCases(r, n)...)
		}
		pass := func(square bool) error {
			for i, tt := range cases {
				if tt.n != c.n {
					c.setModulus(tt.n)
				}
				var err error
				switch {
				case !square:
					err = c.mul(c.split(tt.x), c.split(tt.y))
				case i == 0:
					err = c.sqr(c.split(tt.x), 2)
				default:
					err = c.sqr(c.split(tt.x), 1)
				}
				if err != nil {
					if i > 0 { // the next faults may be like this one
						copy(cases[2:], cases[1:i])
						cases[1] = tt
					}
					return err
				}
			}
			return nil
		}
		for _, square := range []bool{false, true} {
			name := c.routine("Mul")
			if square {
				name = c.routine("Sqr")
			}
			t.Run(name, func(t *testing.T) {
				l.Routines = sound
				do(t, pass(square))
				l.Limit = 4 * len(sound[name].Insts) * vectorLanes
				eachFault(sound[name], func(fault string, faulty *Routine) {
					l.Routines = map[string]*Routine{name: faulty}
					if pass(square) == nil {
						t.Errorf("not found: %s", fault)
					}
				})
			})
		}
	}
}
