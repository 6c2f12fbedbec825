package schedule_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/machine"
	"residue/asm/internal/object"
	"residue/asm/internal/ports"
	"residue/asm/internal/schedule"
)

// program writes a random function of straight-line code, which is the same for the
// same seed: vectors, masks, words with carries, and memory that is stored to and
// loaded again. z and x may be the same memory; private is nowhere else.
type program struct {
	*build.Context
	r          *rand.Rand
	vectors    []reg.VecVirtual
	masks      []reg.OpmaskVirtual
	words      []reg.GPVirtual
	z, x, mine reg.Register
}

const memoryBytes = 1024

func newProgram(ctx *build.Context, name string, seed uint64) *program {
	p := &program{Context: ctx, r: rand.New(rand.NewPCG(seed, 1))}
	p.Function(name)
	p.SignatureExpr("func(z, x, private *uint64)")
	p.z, p.x, p.mine = p.Load(p.Param("z"), p.GP64()), p.Load(p.Param("x"), p.GP64()), p.Load(p.Param("private"), p.GP64())
	for range 6 {
		v := p.ZMM()
		p.VMOVDQU64(p.place(), v)
		p.vectors = append(p.vectors, v)
		w := p.GP64()
		p.MOVQ(p.place(), w)
		p.words = append(p.words, w)
	}
	for range 2 {
		k := p.K()
		p.KMOVB(p.words[len(p.masks)].As32(), k)
		p.masks = append(p.masks, k)
	}
	return p
}

func (p *program) place() operand.Mem {
	return operand.Mem{Base: []reg.Register{p.z, p.x, p.mine}[p.r.IntN(3)], Disp: 8 * p.r.IntN(memoryBytes/8-8)}
}

func pick[T any](p *program, from []T) T { return from[p.r.IntN(len(from))] }

// vector returns a register for a result: a new one in place of another, or one
// that is overwritten.
func (p *program) vector() reg.VecVirtual {
	i := p.r.IntN(len(p.vectors))
	if p.r.IntN(4) > 0 {
		p.vectors[i] = p.ZMM()
	}
	return p.vectors[i]
}

// step adds an instruction, or two that belong together.
func (p *program) step() {
	a, b, k := pick(p, p.vectors), pick(p, p.vectors), pick(p, p.masks)
	v, w := pick(p, p.words), pick(p, p.words)
	switch p.r.IntN(16) {
	case 0:
		p.VPADDQ(a, b, p.vector())
	case 1:
		p.VPMADD52LUQ(a, b, pick(p, p.vectors))
	case 2:
		p.VPMADD52HUQ(p.place(), b, pick(p, p.vectors))
	case 3:
		p.VPSRLQ(operand.U8(p.r.IntN(64)), a, p.vector())
	case 4:
		p.VPXORQ(a, a, p.vector())
	case 5:
		p.VPSUBQ(a, a, k, pick(p, p.vectors)) // not a zero
	case 6:
		p.VPADDQ_Z(a, b, k, p.vector())
	case 7:
		i := p.r.IntN(len(p.masks))
		if p.r.IntN(2) == 0 {
			p.masks[i] = p.K()
		}
		p.VPCMPEQQ(a, b, k, p.masks[i])
	case 8:
		p.VMOVDQU64(p.place(), p.vector())
	case 9:
		p.VMOVDQU64(a, p.place())
	case 10:
		p.VMOVDQU64(a, k, p.place())
	case 11:
		p.ADDQ(v, w)
		p.ADCQ(operand.U8(0), pick(p, p.words))
	case 12:
		p.MOVQ(p.place(), w)
	case 13:
		p.ADDQ(v, p.place())
	case 14:
		p.CMPQ(v, w)
		p.CMOVQCS(v, pick(p, p.words))
	case 15:
		p.KMOVB(k, w.As32())
	}
}

// finish stores everything that there is.
func (p *program) finish() {
	for i, v := range p.vectors {
		p.VMOVDQU64(v, operand.Mem{Base: p.z, Disp: 64 * i})
	}
	for i, w := range p.words {
		p.MOVQ(w, operand.Mem{Base: p.x, Disp: 8 * i})
	}
	p.VZEROUPPER()
	p.RET()
}

// run returns the memory that a program leaves. z and x are the same, shifted by a
// word.
func run(t *testing.T, p *machine.Program, seed uint64) []byte {
	mem := machine.NewMemory(1<<40, 1<<14)
	m := machine.New(mem)
	shared, private := mem.Alloc("shared", memoryBytes+8, 0), mem.Alloc("private", memoryBytes, 0)
	r := rand.New(rand.NewPCG(seed, 2))
	for _, s := range []machine.Span{shared, private} {
		for i := range s.Len / 8 {
			s.SetWord(i, r.Uint64())
		}
		s.Define(true)
	}
	call := machine.Call{
		Program: p, Args: []uint64{shared.Addr, shared.Addr + 8, private.Addr},
		Grants: []machine.Grant{{Span: shared, Access: machine.ReadWrite}, {Span: private, Access: machine.ReadWrite}},
	}
	if err := m.Run(call); err != nil {
		t.Fatal(err)
	}
	return append(bytes.Clone(shared.Bytes()), private.Bytes()...)
}

// TestSameResults: scheduled programs compute what they did before.
func TestSameResults(t *testing.T) {
	const programs, steps = 60, 150
	schedules := map[string]schedule.Options{}
	f := gofile.File{
		Dir: "p", Base: "p_amd64", Package: "p", Schedule: schedules,
		Build: func(ctx *build.Context) {
			for seed := range uint64(programs) {
				for _, name := range []string{"written", "scheduled"} {
					name = fmt.Sprint(name, seed)
					p := newProgram(ctx, name, seed)
					for range steps {
						p.step()
					}
					p.finish()
					if name[0] == 's' {
						schedules[name] = schedule.Options{
							Model: ports.Models[seed%2], Window: []int{0, 2, 8, 40}[seed/2%4], Load: int(seed % 3),
							Private: []reg.Register{p.mine}, Live: map[reg.Kind]int{reg.KindVector: 28, reg.KindOpmask: 7, reg.KindGP: 13},
						}
					}
				}
			}
		},
	}
	texts, err := f.Render()
	if err != nil {
		t.Fatal(err)
	}
	source := object.Source{Asm: string(texts["p/p_amd64.s"]), Stubs: string(texts["p/p_amd64.go"])}
	fns, err := source.Assemble()
	if err != nil {
		t.Fatal(err)
	}
	ps, err := machine.LoadAll(fns)
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	for seed := range uint64(programs) {
		written, scheduled := ps[fmt.Sprint("written", seed)], ps[fmt.Sprint("scheduled", seed)]
		if !bytes.Equal(written.Code, scheduled.Code) {
			moved++
		}
		if !bytes.Equal(run(t, written, seed), run(t, scheduled, seed)) {
			t.Errorf("program %d computes something else when it is scheduled", seed)
		}
	}
	if moved < programs*8/10 {
		t.Errorf("only %d of %d programs have been changed", moved, programs)
	}
}
