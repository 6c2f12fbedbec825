package negacyclic

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// Toom16AVX2 is the file of Toom-Cook 4 on 16-bit words for AVX2.
func Toom16AVX2() gofile.File {
	f := gofile.File{
		Dir: "negacyclic", Base: "toom16_avx2_amd64", Package: "negacyclic",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		t := &toom16{
			Program: &lanes.Program{Context: ctx, Bytes: lanes.AVX2}, prefix: "avx2", schedules: f.Schedule,
			options: schedule.Options{
				Live: map[reg.Kind]int{reg.KindVector: 16, reg.KindGP: 13},
				Load: 1, Window: 60,
			},
			inMemory: 8,
		}
		t.products()
		t.evaluate256()
		t.interpolate256()
	}
	return f
}

// blend returns the elements of b that imm has bits for, and those of a.
func (t *toom16) blend(instruction func(imm, b, a, z operand.Op), a, b lanes.Vec, imm int) lanes.Vec {
	z := t.Vec()
	instruction(lanes.Imm(imm), b, a, z)
	return z
}

// lanesOf returns two of the 128-bit lanes of a and b: the lower ones for 0x20, the upper ones
// for 0x31, and the upper one of a and the lower one of b for 0x21.
func (t *toom16) lanesOf(a lanes.Vec, b operand.Op, imm int) lanes.Vec {
	z := t.Vec()
	t.VPERM2I128(lanes.Imm(imm), b, a, z)
	return z
}

// with returns v with words of from where v has zeros.
func (t *toom16) with(v, from lanes.Vec, words int) lanes.Vec {
	z := t.Vec()
	t.VPOR(t.Of(t.VPSHUFB, t.constant(words), from), v, z)
	return z
}

// evaluate256 makes values of coefficients, of one j at a time.
func (t *toom16) evaluate256() {
	t.begin("Evaluate16", "func(e, x, table *int16)", "sets e to the values of x.")
	t.table = t.Pointer("table")
	x, e := t.Pointer("x"), t.Pointer("e")
	for j := range leaf16 {
		// As with longer vectors.
		u, v := t.Of(t.VMOVSLDUP, t.At(x, j)), t.Of(t.VMOVSHDUP, t.At(x, j))
		f := t.add(t.times(u, toomA0), t.times(v, toomA2))
		r := t.Of(t.VPSHUFB, t.constant(toomTurned), f)
		a := t.blend(t.VPBLENDW, t.add(r, f), t.sub(r, f), 0xaa)

		// a₀ and the value at 2 in even words; then a₃, and zero in the word that is free.
		b := t.Of(t.VPADDD, t.Of(t.VPMADDWD, t.constant(toomB0), u), t.Of(t.VPMADDWD, t.constant(toomB2), v))
		b = t.blend(t.VPBLENDW, b, t.Of(t.VPSRLQ, lanes.Imm(32), v), 0xaa)

		w := t.add(t.Of(t.VPUNPCKLQDQ, b, a), t.Of(t.VPUNPCKHQDQ, b, a))
		q := t.add(t.lanesOf(a, b, 0x20), t.lanesOf(a, b, 0x31))
		both := t.add(w, t.Of(t.VPERMQ, lanes.Imm(0x4e), w))
		free := func(v lanes.Vec, words int) lanes.Vec {
			return t.with(v, both, words)
		}
		for i, v := range []lanes.Vec{a, free(b, toomFreeB), free(w, toomFreeW), free(q, toomFreeQ)} {
			t.Write(v, t.At(e, leaf16*i+j))
		}
	}
	t.End()
}

// interpolate256 makes coefficients of products. Those of t⁴, t⁵ and t⁶, which belong to the
// next quadword, wait in the frame.
func (t *toom16) interpolate256() {
	frame := t.begin("Interpolate16", "func(z, w, table *int16, mask int)", "sets z to the polynomial with the products w, with coefficients of the bits of mask.", 32*(1+leaf16))
	t.table = t.Pointer("table")
	w, z := t.Pointer("w"), t.Pointer("z")
	t.private(t.table, z, frame.Base)
	high := func(j int) operand.Mem { return frame.Offset(32 * (1 + j)) }
	for set := range 4 { // i5 and i4
		var a, b [4]lanes.Vec // by i7 and i6
		for i := range a {
			a[i], b[i] = t.outer256(w, 4*i+set)
		}
		d := t.coefficients(t.points256(a, b))
		for i, v := range t.naturally256(d[:4]) {
			t.Write(v, t.At(z, 4*i+set))
		}
		for i, v := range t.naturally256(append(d[4:], t.zero())) {
			t.Write(v, high(4*i+set))
			if 4*i+set == leaf16-1 { // V^64 = −1
				t.Write(t.sub(t.zero(), v), high(-1))
			}
		}
	}

	and, bits := t.Vec(), t.GP64()
	t.Load(t.Param("mask"), bits)
	t.VMOVQ(bits, and.AsX())
	t.VPBROADCASTW(and.AsX(), and)
	for j := range leaf16 {
		sum := t.add(t.Read(t.At(z, j)), high(j).Offset(-8))
		t.VPAND(and, sum, sum)
		t.Write(sum, t.At(z, j))
	}
	t.End()
}

func (t *toom16) zero() lanes.Vec {
	v := t.Vec()
	t.VPXOR(v, v, v)
	return v
}

// The kinds of what a half has, in products.
const (
	kindA = iota
	kindB
	kindW
	kindQ
)

// half256 is where the half of a kind is that has coefficient j.
func (t *toom16) half256(w reg.Register, kind, j int) operand.Mem { return t.At(w, leaf16*kind+j) }

// before256 returns what is one place by i3 before.
func (t *toom16) before256(w reg.Register, kind, j int) lanes.Vec {
	if j > 0 {
		return t.Read(t.half256(w, kind, j).Offset(-16))
	}
	last := t.sub(t.zero(), t.Read(t.half256(w, kind, leaf16-1)))
	return t.lanesOf(last, t.half256(w, kind, 0), 0x21)
}

// upper256 is before256 where only the upper 128 bits matter.
func (t *toom16) upper256(w reg.Register, kind, j int) lanes.Vec {
	if j > 0 {
		return t.before256(w, kind, j)
	}
	v := t.Vec()
	t.VBROADCASTI128(t.half256(w, kind, 0), v)
	return v
}

// sums256 is where the sums over i3 are, in the upper 128 bits.
func (t *toom16) sums256(w reg.Register, kind, j int) operand.Mem {
	m := t.half256(w, kindQ, j)
	if kind == kindA {
		m = m.Offset(-16)
	}
	return m
}

// inner256 does Karatsuba's method on i3, the way back, for A or B of coefficient j. i2 is in
// the quadwords.
func (t *toom16) inner256(w reg.Register, kind, j int) lanes.Vec {
	s := t.add(t.before256(w, kind, j), t.half256(w, kind, j))
	return t.blend(t.VPBLENDD, s, t.sub(t.Read(t.sums256(w, kind, j)), s), 0xf0)
}

// outer256 does it on i2 as well, for A and B.
func (t *toom16) outer256(w reg.Register, j int) (a, b lanes.Vec) {
	// The sums over i2: A in even quadwords and B in odd ones. First those over both.
	before := t.before256(w, kindW, j)
	both := t.Of(t.VPSHUFB, t.constant(toomGatherW), before)
	s := t.add(before, t.half256(w, kindW, j))
	for _, from := range []struct {
		v     lanes.Vec
		words int
	}{
		{t.upper256(w, kindB, j), toomGatherB0},
		{t.Read(t.half256(w, kindB, j)), toomGatherB1},
		{t.Read(t.half256(w, kindQ, j)), toomGatherQ},
	} {
		both = t.with(both, from.v, from.words)
	}
	s = t.blend(t.VPBLENDD, s, t.sub(both, s), 0xf0)

	join := func(kind int, sums lanes.Vec) lanes.Vec {
		// Of the coefficient before, the last quadword matters.
		last := (j + leaf16 - 1) % leaf16
		prev := t.add(t.upper256(w, kind, last), t.half256(w, kind, last))
		if j > 0 {
			prev = t.sub(t.Read(t.sums256(w, kind, last)), prev)
		} else {
			prev = t.sub(prev, t.sums256(w, kind, last))
		}
		v := t.inner256(w, kind, j)
		prev = t.Of(t.VPALIGNR, lanes.Imm(8), t.lanesOf(prev, v, 0x21), v)
		e := t.add(v, prev)
		return t.blend(t.VPBLENDD, e, t.sub(sums, e), 0xcc)
	}
	return join(kindA, t.Of(t.VPUNPCKLQDQ, s, s)), join(kindB, s)
}

// points256 is points512 for shorter vectors.
func (t *toom16) points256(a, b [4]lanes.Vec) (v [7]lanes.Vec) {
	first := func(x, y lanes.Vec) lanes.Vec {
		return t.blend(t.VPBLENDW, x, t.Of(t.VPSLLD, lanes.Imm(16), y), 0xaa)
	}
	words := func(x, y lanes.Vec) (lanes.Vec, lanes.Vec) {
		return first(x, y), t.blend(t.VPBLENDW, t.Of(t.VPSRLD, lanes.Imm(16), x), y, 0xaa)
	}
	return t.points(a, b, first, words)
}

// naturally256 is naturally512 for shorter vectors.
func (t *toom16) naturally256(d []lanes.Vec) (z [4]lanes.Vec) {
	return t.naturally(d, func(a, b lanes.Vec) (lanes.Vec, lanes.Vec) {
		return t.blend(t.VPBLENDD, a, t.Of(t.VPSLLQ, lanes.Imm(32), b), 0xaa),
			t.blend(t.VPBLENDD, t.Of(t.VPSRLQ, lanes.Imm(32), a), b, 0xaa)
	})
}
