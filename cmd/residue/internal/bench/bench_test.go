package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"residue/batch"
	"residue/internal/cpu"
	"residue/internal/measure"
	"residue/mont"
	"residue/pmns"
)

func choice() Choice { return Choice{Time: time.Millisecond, Rows: 8} }

func plan(t *testing.T, c Choice) *Plan {
	t.Helper()
	p, err := NewPlan(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// records makes the measurements of a plan.
func records(t *testing.T, p *Plan) []Record {
	t.Helper()
	var rs []Record
	err := p.Run(context.Background(), measure.NewMeter(), func(Record) {}, func(r Record) error {
		rs = append(rs, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

func TestDefaultPlan(t *testing.T) {
	p := plan(t, choice())
	seen := map[Record]bool{}
	for _, j := range p.jobs {
		if seen[j.record] {
			t.Errorf("%+v is measured twice", j.record)
		}
		seen[j.record] = true
		if j.record.Op == OpExpBatch {
			t.Errorf("%+v is measured unasked", j.record)
		}
	}
	for _, bits := range defaultBits {
		for _, op := range defaultOps {
			if !slices.ContainsFunc(p.jobs, func(j job) bool { return j.record.Op == op && j.record.Bits == bits }) {
				t.Errorf("%s of %d bits is not measured", op, bits)
			}
		}
	}
}

func TestNarrowPlan(t *testing.T) {
	c := choice()
	c.Ops, c.Kernels, c.Bits = []string{OpSqr, OpMul, OpSqr}, []string{cpu.Generic}, []int{256, 128, 256}
	var got []string
	for _, system := range []string{SystemBatch, SystemMont} {
		c.Systems = []string{system}
		for _, j := range plan(t, c).jobs {
			got = append(got, j.record.System+" "+j.record.Op)
			if j.record.Kernel != cpu.Generic {
				t.Errorf("kernel %s", j.record.Kernel)
			}
		}
	}
	want := []string{"batch mul", "batch mul", "batch sqr", "batch sqr", "mont mul", "mont mul", "mont sqr", "mont sqr"}
	if !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
	c.Ops, c.Systems = []string{OpRedc}, []string{SystemMont}
	if _, err := NewPlan(c); err == nil || !strings.Contains(err.Error(), "the system mont has mul, sqr, exp") {
		t.Errorf("a plan with nothing to do: %v", err)
	}
}

// A kernel of mont is not measured where another one does its work.
func TestMontEngines(t *testing.T) {
	for _, k := range mont.Kernels() {
		c := choice()
		c.Systems, c.Kernels, c.Bits = []string{SystemMont}, []string{k.Name()}, []int{100, 2048, 16384}
		p, err := NewPlan(c)
		did := map[int]bool{}
		if err == nil {
			for _, j := range p.jobs {
				did[j.record.Bits] = true
			}
		}
		for _, bits := range c.Bits {
			if want := k.Engine(bits) == k.Name(); did[bits] != want {
				t.Errorf("%s, %d bits: measured: %v, want %v (%v)", k.Name(), bits, did[bits], want, err)
			}
		}
	}
}

// Reductions of barrett are measured with all numbers of folds, on eight numbers and on
// one, and the other operations with those in use or named.
func TestBarrettPlan(t *testing.T) {
	c := choice()
	c.Systems, c.Kernels, c.Bits, c.Ops = []string{SystemBarrett}, []string{cpu.Generic}, []int{2048}, []string{OpReduce, OpSqr}
	list := func() (got []string) {
		for _, j := range plan(t, c).jobs {
			got = append(got, fmt.Sprint(j.record.Op, " ", j.record.Lanes, " ", j.record.Variant))
		}
		return got
	}
	want := []string{
		"reduce 8 folds0", "reduce 8 folds1", "reduce 8 folds2",
		"reduce 1 folds0", "reduce 1 folds1", "reduce 1 folds2", "reduce 1 folds3",
		"sqr 8 folds1", "sqr 1 folds1",
	}
	if got := list(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	c.Variants = []string{"folds2"}
	want = []string{"reduce 8 folds2", "reduce 1 folds2", "sqr 8 folds2", "sqr 1 folds2"}
	if got := list(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	c.Ops = []string{OpRedc}
	if _, err := NewPlan(c); err == nil || !strings.Contains(err.Error(), "the system barrett has reduce, mul, sqr, exp") {
		t.Errorf("a plan with nothing to do: %v", err)
	}
}

// Of pmns all parameters for a prime are measured, in all variants of a kernel.
func TestSetsPlan(t *testing.T) {
	c := choice()
	c.Systems, c.Kernels, c.Bits, c.Ops = []string{SystemPMNS}, []string{cpu.Generic}, []int{4096, 128}, []string{OpExp, OpMul}
	var got []string
	for _, j := range plan(t, c).jobs {
		got = append(got, j.record.Op+" "+j.record.Set+" "+j.record.Variant)
	}
	want := []string{
		"mul modp4096 truncated", "mul modp4096 full", "exp modp4096 truncated",
		"mul modp4096_8x11 truncated", "mul modp4096_8x11 full", "exp modp4096_8x11 truncated",
		"mul modp4096_15x6 truncated", "mul modp4096_15x6 full", "exp modp4096_15x6 truncated",
		"mul modp4096_24x4 truncated", "mul modp4096_24x4 full", "exp modp4096_24x4 truncated",
		"mul modp4096_32x3 truncated", "mul modp4096_32x3 full", "exp modp4096_32x3 truncated",
	}
	if !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
	set, err := pmns.Embedded("ffdhe2048")
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewSetsPlan(Choice{Time: time.Second, Variants: []string{"full"}, Kernels: []string{cpu.Generic}}, []*pmns.Params{set})
	if err != nil || p.Len() != 2 {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := NewSetsPlan(Choice{Time: time.Second, Ops: []string{OpRedc}}, []*pmns.Params{set}); err == nil {
		t.Error("a plan with nothing to do: no error")
	}
}

// Rings are measured by default, and not where what is chosen only numbers have.
func TestRingPlan(t *testing.T) {
	ops := map[string]bool{}
	for _, j := range plan(t, choice()).jobs {
		if j.record.System == SystemNegacyclic {
			ops[j.record.Op] = true
		}
	}
	if len(ops) != len(RingOps) {
		t.Errorf("operations %v, want %v", ops, RingOps)
	}
	for what, c := range map[string]Choice{
		"bits":    {Bits: []int{128}},
		"variant": {Variants: []string{"full"}},
		"block":   {Blocks: []string{"1"}},
	} {
		c.Time, c.Rows, c.Kernels = time.Second, 1, []string{cpu.Generic}
		for _, j := range plan(t, c).jobs {
			if j.record.System == SystemNegacyclic {
				t.Errorf("with --%s %+v is measured", what, j.record)
			}
		}
		c.Systems = []string{SystemNegacyclic}
		if _, err := NewPlan(c); err == nil || !strings.Contains(err.Error(), "rings have no --bits") {
			t.Errorf("with --%s: %v", what, err)
		}
	}
	for what, c := range map[string]Choice{
		"ring":   {Rings: []string{"saber"}},
		"method": {Methods: []string{methodNTT}},
	} {
		c.Time, c.Rows, c.Kernels = time.Second, 1, []string{cpu.Generic}
		c.Systems = Systems
		for _, j := range plan(t, c).jobs {
			if j.record.System != SystemNegacyclic {
				t.Errorf("with --%s %+v is measured", what, j.record)
			}
		}
		for _, system := range Systems {
			c.Systems = []string{system}
			if _, err := NewPlan(c); (err == nil) != (system == SystemNegacyclic) {
				t.Errorf("with --%s, system %s: %v", what, system, err)
			}
		}
	}
	c := choice()
	c.Rings, c.Kernels, c.Ops = []string{"saber"}, []string{cpu.Generic}, []string{OpMatVec, OpMul}
	var got []string
	for _, j := range plan(t, c).jobs {
		got = append(got, j.record.Op+" "+j.record.Method)
	}
	want := []string{
		"mul toom4", "matvec toom4", "mul toom4-classic", "mul karatsuba", "matvec karatsuba", "mul karatsuba-classic", "mul primes", "matvec primes", "mul primes", "matvec primes",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Every operation of rings runs.
func TestRingRecords(t *testing.T) {
	c := choice()
	c.Systems = []string{SystemNegacyclic}
	p := plan(t, c)
	rs := records(t, p)
	if len(rs) != p.Len() {
		t.Fatalf("%d records of %d measurements", len(rs), p.Len())
	}
	striding := 0
	for _, r := range rs {
		if !(r.NS > 0) || r.Samples == 0 || r.Scratch == nil || r.N != ringLength || (r.Matrix != "") != strings.HasPrefix(r.Op, OpMatVec) {
			t.Errorf("%+v", r)
		}
		if r.Op == OpMul && r.Kernel == cpu.Generic {
			switch r.Method {
			case "toom4":
				striding = *r.Scratch
			case "toom4" + classic:
				if *r.Scratch != 2*striding {
					t.Errorf("scratch of %d bytes, %d of the classic form", striding, *r.Scratch)
				}
			}
		}
	}
	var b strings.Builder
	if err := WriteTables(&b, measure.NewWallMeter(), rs); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), " "+SystemNegacyclic+" "); n != len(rs) {
		t.Errorf("the tables have %d of %d measurements:\n%s", n, len(rs), &b)
	}
}

// Every form of every kernel is offered, by its block and by its variant.
func TestForms(t *testing.T) {
	for _, k := range batch.Kernels() {
		c := choice()
		c.Ops, c.Kernels, c.Bits, c.Blocks = []string{OpMulMont}, []string{k.Name()}, []int{1024}, []string{BlockAll}
		forms := k.Reductions(batch.Limbs(1024))
		if got := plan(t, c).Len(); got != len(forms) {
			t.Errorf("%s: %d measurements of %d forms", k.Name(), got, len(forms))
		}
		c.Variants, c.Blocks = []string{forms[0].Variant()}, []string{"1"}
		if got := plan(t, c).Len(); got != 1 {
			t.Errorf("%s: %d measurements of the form in use", k.Name(), got)
		}
	}
}

func TestSchoolbook(t *testing.T) {
	for op, want := range map[string]int{OpMul: 800, OpSqr: 420, OpRedc: 800, OpMulMont: 1600, OpSqrMont: 1220, OpExp: 0} {
		if got := schoolbook(op, 20); got != want {
			t.Errorf("schoolbook(%s, 20) = %d, want %d", op, got, want)
		}
	}
}

// Every operation of every kernel runs; how fast is not this test's business.
func TestRecords(t *testing.T) {
	c := choice()
	c.Ops, c.Bits = Ops, []int{128}
	p := plan(t, c)
	rs := records(t, p)
	if len(rs) < p.Len() {
		t.Fatalf("%d records of %d measurements", len(rs), p.Len())
	}
	for _, r := range rs {
		lanes := map[string]int{SystemBatch: batch.Lanes, SystemMont: 1}[r.System]
		if r.System == SystemBarrett && (r.Lanes == 1 || r.Lanes == batch.Lanes) {
			lanes = r.Lanes
		}
		if !(r.NS > 0) || r.Samples == 0 || r.Lanes != lanes || (r.Limbs > 0) != (r.System != SystemMont && r.Lanes > 1) {
			t.Errorf("%+v", r)
		}
		if counted := measure.HasCycles() && r.Op != OpExpBatch; counted != (r.MaddsPerCycle > 0) || counted != (r.Quiet != nil) {
			t.Errorf("%+v: with a cycle counter: %v", r, measure.HasCycles())
		}
		if (r.MathBigNS > 0) != (r.Op == OpExp || r.Op == OpReduce) || (r.Rows > 0) != (r.Op == OpExpBatch) {
			t.Errorf("%+v", r)
		}
		if (r.Madds > 0) != (r.System == SystemBatch && strings.HasPrefix(r.Kernel, "ifma") && schoolbook(r.Op, r.Limbs) > 0) {
			t.Errorf("%+v: madds", r)
		}
		if line, err := json.Marshal(r); err != nil || strings.Contains(string(line), "null") {
			t.Errorf("%s, %v", line, err)
		}
	}
	var b strings.Builder
	if err := WriteTables(&b, measure.NewWallMeter(), rs); err != nil {
		t.Fatal(err)
	}
	for _, op := range Ops {
		if !strings.Contains(b.String(), " "+op+" ") {
			t.Errorf("the tables have no %s:\n%s", op, &b)
		}
	}
}

func TestStops(t *testing.T) {
	c := choice()
	c.Ops, c.Bits = []string{OpMul, OpSqr}, []int{128}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := plan(t, c).Run(ctx, measure.NewWallMeter(), func(Record) {}, func(Record) error {
		n++
		cancel()
		return nil
	})
	if n != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d records and %v, want 1 and %v", n, err, context.Canceled)
	}
	full := errors.New("no space left")
	err = plan(t, c).Run(context.Background(), measure.NewWallMeter(), func(Record) {}, func(Record) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("%v, want %v", err, full)
	}
}

func TestOverFull(t *testing.T) {
	truncated := Record{Op: OpMulMont, Bits: 1024, Kernel: "k", Variant: "truncated", Block: 20, Cycles: 1000, NS: 400}
	full := truncated
	full.Variant, full.Cycles, full.NS = "full", 1250, 450
	other := full
	other.Block, other.Cycles = 1, 5000
	all := []Record{truncated, other, full}
	if got, want := overFull(&all[0], all), "+25.0 %"; got != want {
		t.Errorf("in cycles: %q, want %q", got, want)
	}
	all[0].Cycles, all[2].Cycles = 0, 0
	if got, want := overFull(&all[0], all), "+12.5 %"; got != want {
		t.Errorf("in time: %q, want %q", got, want)
	}
	if got := overFull(&all[2], all); got != none {
		t.Errorf("of the full one: %q, want %q", got, none)
	}
}
