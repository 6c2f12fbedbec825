package allocate

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// function returns what build writes.
func function(t *testing.T, write func(ctx *build.Context)) *ir.Function {
	t.Helper()
	ctx := build.NewContext()
	ctx.Function("f")
	ctx.SignatureExpr("func(z, x *uint64)")
	write(ctx)
	ctx.RET()
	file, err := ctx.Result()
	if err != nil {
		t.Fatal(err)
	}
	return file.Functions()[0]
}

// bind allocates and binds registers, with a change of the allocation in between.
func bind(t *testing.T, fn *ir.Function, change func(reg.Allocation)) error {
	t.Helper()
	s, err := Take(fn)
	if err != nil {
		t.Fatal(err)
	}
	if err := Function(fn); err != nil {
		return err
	}
	if change != nil {
		change(fn.Allocation)
	}
	if err := pass.BindRegisters(fn); err != nil {
		t.Fatal(err)
	}
	return s.Check()
}

// straight writes n instructions that keep so many vectors live.
func straight(n, live int) func(ctx *build.Context) {
	return func(ctx *build.Context) {
		r := rand.New(rand.NewPCG(1, uint64(live)))
		z := ctx.Load(ctx.Param("z"), ctx.GP64())
		var vs []reg.VecVirtual
		for range live {
			v := ctx.ZMM()
			ctx.VPXORQ(v, v, v)
			vs = append(vs, v)
		}
		for range n {
			i := r.IntN(live)
			v := ctx.ZMM()
			ctx.VPADDQ(vs[i], vs[r.IntN(live)], v)
			vs[i] = v
		}
		for i, v := range vs {
			ctx.VMOVDQU64(v, operand.Mem{Base: z, Disp: 64 * i})
		}
	}
}

// TestStraight: straight-line code may use every register.
func TestStraight(t *testing.T) {
	for _, live := range []int{1, 8, 31, 32} {
		if err := bind(t, function(t, straight(3000, live)), nil); err != nil {
			t.Errorf("%d live: %v", live, err)
		}
	}
	if err := bind(t, function(t, straight(100, 33)), nil); err == nil || !strings.Contains(err.Error(), "no register") {
		t.Errorf("33 live: error %v", err)
	}
}

// loop keeps a vector over a loop that has others of its own.
func loop(ctx *build.Context) {
	z, x := ctx.Load(ctx.Param("z"), ctx.GP64()), ctx.Load(ctx.Param("x"), ctx.GP64())
	sum, n := ctx.ZMM(), ctx.GP64()
	ctx.VPXORQ(sum, sum, sum)
	ctx.MOVQ(operand.I32(5), n)
	ctx.Label("next")
	v, k := ctx.ZMM(), ctx.K()
	ctx.VMOVDQU64(operand.Mem{Base: x}, v)
	ctx.VPCMPEQQ(v, sum, k)
	ctx.VPADDQ(v, sum, k, sum)
	ctx.MULXQ(n, reg.RAX, reg.RCX) // DX is read where nothing names it
	ctx.DECQ(n)
	ctx.JNZ(operand.LabelRef("next"))
	ctx.VMOVDQU64(sum, operand.Mem{Base: z})
}

func TestLoop(t *testing.T) {
	fn := function(t, loop)
	if err := bind(t, fn, nil); err != nil {
		t.Fatal(err)
	}
	for v, p := range fn.Allocation {
		for _, r := range []reg.Register{reg.RAX, reg.RCX, reg.RDX, reg.R14, reg.RBP, reg.RSP, reg.K0} {
			if p == r.ID() {
				t.Errorf("virtual register %d has %s", v.Index(), r.Asm())
			}
		}
	}
}

// TestCheck: two registers that are live at once and share a physical one are
// found, whichever they are.
func TestCheck(t *testing.T) {
	ids := func() (ids []reg.ID) {
		fn := function(t, loop)
		if err := Function(fn); err != nil {
			t.Fatal(err)
		}
		for id := range fn.Allocation {
			ids = append(ids, id)
		}
		return ids
	}()
	found := 0
	for _, v := range ids {
		for _, w := range ids {
			if v == w || v.Kind() != w.Kind() {
				continue
			}
			err := bind(t, function(t, loop), func(a reg.Allocation) { a[v] = a[w] })
			if err == nil {
				t.Errorf("registers %d and %d of kind %d may share one", v.Index(), w.Index(), v.Kind())
			}
			found++
		}
		if v.Kind() != reg.KindGP {
			continue
		}
		if err := bind(t, function(t, loop), func(a reg.Allocation) { a[v] = reg.RCX.ID() }); err == nil {
			t.Errorf("register %d may be CX", v.Index())
		}
	}
	if found != 2+6 { // two vectors, three words
		t.Errorf("%d pairs", found)
	}
}

// TestNotSet: a virtual register that is read before it is written is an error.
func TestNotSet(t *testing.T) {
	err := bind(t, function(t, func(ctx *build.Context) { ctx.VPADDQ(ctx.ZMM(), reg.Z1, reg.Z2) }), nil)
	if err == nil || !strings.Contains(err.Error(), "not there") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkFunction(b *testing.B) {
	fn := function(&testing.T{}, straight(1000, 30))
	for b.Loop() {
		if err := Function(fn); err != nil {
			b.Fatal(err)
		}
	}
}
