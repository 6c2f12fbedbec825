package negacyclic

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// Toom16AVX512 is the file of Toom-Cook 4 on 16-bit words for AVX-512.
func Toom16AVX512() gofile.File {
	f := gofile.File{
		Dir: "negacyclic", Base: "toom16_avx512_amd64", Package: "negacyclic",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		t := &toom16{
			Program: &lanes.Program{Context: ctx, Bytes: lanes.AVX512}, prefix: "avx512", schedules: f.Schedule,
			options: schedule.Options{
				Live: map[reg.Kind]int{reg.KindVector: 31, reg.KindOpmask: 7, reg.KindGP: 13},
				Load: 1, Window: 100,
			},
			inMemory: 16,
		}
		t.products()
		t.evaluate512()
		t.interpolate512()
	}
	return f
}

// mask returns a mask of words, or of any elements of which there are no more than 32.
func (t *toom16) mask(bits uint32) reg.Register {
	k, r := t.K(), t.GP32()
	t.MOVL(operand.U32(bits), r)
	t.KMOVD(r, k)
	return k
}

// bytes returns a mask of bytes, which is the same for both halves.
func (t *toom16) bytes(bits uint32) reg.Register {
	k, r := t.K(), t.GP64()
	t.MOVQ(operand.U64(uint64(bits)<<32|uint64(bits)), r)
	t.KMOVQ(r, k)
	return k
}

// under changes v to what an instruction makes where a mask is set, and returns it.
func (t *toom16) under(mask reg.Register, v lanes.Vec, instruction func(...operand.Op), operands ...operand.Op) lanes.Vec {
	instruction(append(operands, mask, v)...)
	return v
}

// halves writes the lower half of v to one place and the upper one to another.
func (t *toom16) halves(v lanes.Vec, lower, upper operand.Mem) {
	t.VMOVDQU64(v.AsY(), lower)
	t.VEXTRACTI64X4(lanes.Imm(1), v, upper)
}

// evaluate512 makes values of coefficients, 2j and 2j + 1 of leaves at a time.
func (t *toom16) evaluate512() {
	t.begin("Evaluate16", "func(e, x, table *int16)", "sets e to the values of x.")
	t.table = t.Pointer("table")
	x, e := t.Pointer("x"), t.Pointer("e")
	oddWords, infinity := t.mask(0xaaaaaaaa), t.mask(0x22222222)
	freeB, freeQ, freeW := t.bytes(0xc0c0c0c0), t.bytes(0xc0c00000), t.bytes(0x0000c000)
	var c [toomFreeQ + 1]lanes.Vec
	for i := range c {
		c[i] = t.Read(t.constant(i))
	}
	for m := range pairs16 {
		// Both doublewords of a quadword have a₀ and a₁, and a₂ and a₃.
		u, v := t.Of(t.VMOVSLDUP, t.At(x, m)), t.Of(t.VMOVSHDUP, t.At(x, m))

		// 8a₀ + 2a₂, 4a₁ + a₃, a₀ + a₂, a₁ + a₃; then sums and differences of two.
		f := t.add(t.Of(t.VPMULLW, c[toomA0], u), t.Of(t.VPMULLW, c[toomA2], v))
		r := t.Of(t.VPROLD, lanes.Imm(16), f)
		a := t.under(oddWords, t.add(r, f), t.VPSUBW, f, r)

		// a₀ and a₀ + 2a₁ + 4a₂ + 8a₃ in doublewords, of which the low words matter.
		b := t.Of(t.VPMADDWD, c[toomB0], u)
		t.VPDPWSSD(c[toomB2], v, b)
		b = t.under(infinity, b, t.VMOVDQU16, v)

		w := t.add(t.Of(t.VPUNPCKLQDQ, b, a), t.Of(t.VPUNPCKHQDQ, b, a))
		q := t.add(t.ofTwo(a, b, c[toomLower]), t.ofTwo(a, b, c[toomUpper]))
		both := t.add(w, t.Of(t.VPERMQ, lanes.Imm(0x4e), w))
		b = t.under(freeB, b, t.VPSHUFB, c[toomFreeB], both)
		q = t.under(freeQ, q, t.VPSHUFB, c[toomFreeQ], both)
		w = t.under(freeW, w, t.VPSHUFB, c[toomFreeW], both)
		for i, v := range []lanes.Vec{a, b, w, q} {
			at := t.At(e, leaf16*(i/2)+2*m).Offset(32 * (i % 2))
			t.halves(v, at, at.Offset(64))
		}
	}
	t.End()
}

// ofTwo returns quadwords of a and b by their numbers.
func (t *toom16) ofTwo(a, b, numbers lanes.Vec) lanes.Vec {
	v := t.Of(t.VMOVDQA64, numbers)
	t.VPERMI2Q(b, a, v)
	return v
}

// interpolate512 makes coefficients of products.
func (t *toom16) interpolate512() {
	t.begin("Interpolate16", "func(z, w, table *int16, mask int)", "sets z to the polynomial with the products w, with coefficients of the bits of mask.")
	t.table = t.Pointer("table")
	w := t.Pointer("w")
	t.private(t.table)
	k := t.interpolationMasks()
	outer := t.join(w, k)
	zero := t.Vec()
	t.VPXORD(zero, zero, zero)
	var low, high [pairs16]lanes.Vec
	for i5 := range 2 {
		var a, b [4]lanes.Vec // by i7 and i6
		for i := range a {
			a[i], b[i] = outer(2*i + i5)
		}
		d := t.coefficients(t.points512(a, b, k))
		l, h := t.naturally512(d[:4], k), t.naturally512(append(d[4:], zero), k)
		for i := range l {
			low[2*i+i5], high[2*i+i5] = l[i], h[i]
		}
	}

	z, and, bits := t.Pointer("z"), t.Vec(), t.GP64()
	t.Load(t.Param("mask"), bits)
	t.VPBROADCASTW(bits.As32(), and)
	last := t.sub(zero, high[pairs16-1]) // V^64 = −1
	for m, v := range low {
		sum := t.add(v, t.Of(t.VALIGNQ, lanes.Imm(7), last, high[m]))
		t.Write(t.Of(t.VPANDD, and, sum), t.At(z, m))
		last = high[m]
	}
	t.End()
}

// masks16 are masks of elements of several lengths.
type masks16 struct {
	upper               reg.Register // words of the upper 128 bits of halves
	oddQuads            reg.Register // words
	even, odd           reg.Register // doublewords
	evenWords, oddWords reg.Register // bytes
}

func (t *toom16) interpolationMasks() masks16 {
	return masks16{
		t.mask(0xff00ff00), t.mask(0xf0f0f0f0),
		t.mask(0x5555), t.mask(0xaaaa),
		t.bytes(0x33333333), t.bytes(0xcccccccc),
	}
}

// join does Karatsuba's method on i3, the way back, and returns a function that does it on
// i2, for A and for B: of coefficients 2m and 2m + 1.
func (t *toom16) join(w reg.Register, k masks16) func(m int) (a, b lanes.Vec) {
	const inA, inB, inW, inQ = 0, region16, 2 * region16, 3 * region16
	at := func(region, m int) operand.Mem { return t.At(w, m).Offset(region) }
	gather := t.Read(t.constant(toomGather))
	zero := t.Vec()
	t.VPXORD(zero, zero, zero)

	// before returns what is one place by i3 before.
	before := func(region, m int) lanes.Vec {
		if m > 0 {
			return t.Read(at(region, m).Offset(-16))
		}
		last := t.sub(zero, t.Read(at(region, pairs16-1)))
		return t.Of(t.VALIGNQ, lanes.Imm(6), last, t.Read(at(region, m)))
	}
	// inner returns A or B by i3, with i2 = 0 and 1 in the quadwords.
	inner := func(v, before lanes.Vec, sums operand.Mem) lanes.Vec {
		s := t.add(v, before)
		return t.under(k.upper, s, t.VPSUBW, s, t.Read(sums))
	}
	var za, zb [pairs16]lanes.Vec
	for m := range za {
		za[m] = inner(t.Read(at(inA, m)), before(inA, m), at(inQ, m).Offset(-16))
		zb[m] = inner(t.Read(at(inB, m)), before(inB, m), at(inQ, m))
	}
	outer := func(z *[pairs16]lanes.Vec, m int, sums lanes.Vec) lanes.Vec {
		last := (m + pairs16 - 1) % pairs16
		prev := z[last]
		if m == 0 {
			prev = t.sub(zero, prev)
		}
		e := t.add(z[m], t.Of(t.VALIGNQ, lanes.Imm(7), prev, z[m]))
		return t.under(k.oddQuads, e, t.VPSUBW, e, sums)
	}
	return func(m int) (a, b lanes.Vec) {
		beforeW := before(inW, m)
		// The sums over i2: A in even quadwords and B in odd ones. First those over both, which
		// are in the upper 128 bits: words 0 and 4, 1 and 5, 2 and 6, and 3.
		vb := t.Read(at(inB, m))
		beforeB := vb
		if m > 0 {
			beforeB = before(inB, m)
		} else {
			beforeB = t.Of(t.VALIGNQ, lanes.Imm(6), vb, vb)
		}
		both := t.under(k.oddWords, t.Of(t.VPSHUFB, gather, beforeB), t.VPSHUFB, gather, vb)
		rest := t.under(k.oddWords, t.Of(t.VPSHUFB, gather, t.Read(at(inQ, m))), t.VPSHUFB, gather, beforeW)
		both = t.under(k.odd, both, t.VMOVDQA32, rest)
		s := t.add(t.Read(at(inW, m)), beforeW)
		s = t.under(k.upper, s, t.VPSUBW, s, both)
		return outer(&za, m, t.Of(t.VPUNPCKLQDQ, s, s)), outer(&zb, m, s)
	}
}

// points512 is points.
func (t *toom16) points512(a, b [4]lanes.Vec, k masks16) (v [7]lanes.Vec) {
	even, odd := t.Read(t.constant(toomEven)), t.Read(t.constant(toomOdd))
	first := func(x, y lanes.Vec) lanes.Vec { return t.under(k.oddWords, x, t.VPSHUFB, even, y) }
	words := func(x, y lanes.Vec) (lanes.Vec, lanes.Vec) {
		old := t.Of(t.VMOVDQA64, x)
		return first(x, y), t.under(k.evenWords, y, t.VPSHUFB, odd, old)
	}
	return t.points(a, b, first, words)
}

// naturally512 is naturally.
func (t *toom16) naturally512(d []lanes.Vec, k masks16) (z [4]lanes.Vec) {
	return t.naturally(d, func(a, b lanes.Vec) (lanes.Vec, lanes.Vec) {
		old := t.Of(t.VMOVDQA64, a)
		return t.under(k.odd, a, t.VMOVSLDUP, b), t.under(k.even, b, t.VMOVSHDUP, old)
	})
}
