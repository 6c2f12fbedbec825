package negacyclic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// fence hands out memory that ends, or begins, at a page that no one may touch: a word read or
// written beyond a slice ends the test.
type fence[W Word] struct {
	t   *testing.T
	rnd *rand.Rand
	all [][]byte
}

func newFence[W Word](t *testing.T, seed uint64) *fence[W] {
	f := &fence[W]{t: t, rnd: rand.New(rand.NewPCG(seed, 77))}
	t.Cleanup(f.free)
	return f
}

func (f *fence[W]) free() {
	for _, mem := range f.all {
		if err := syscall.Munmap(mem); err != nil {
			f.t.Error(err)
		}
	}
	f.all = nil
}

// words returns n words with random contents, and no room behind them.
func (f *fence[W]) words(n int) []W {
	f.t.Helper()
	page := syscall.Getpagesize()
	bytes := n * int(unsafe.Sizeof(W(0)))
	inner := max(1, (bytes+page-1)/page) * page
	mem, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		f.t.Fatal(err)
	}
	f.all = append(f.all, mem)
	for _, guard := range [][]byte{mem[:page], mem[page+inner:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			f.t.Fatal(err)
		}
	}
	at := page
	if f.rnd.IntN(2) == 0 {
		at += inner - bytes
	}
	x := unsafe.Slice((*W)(unsafe.Pointer(&mem[at])), n)
	for i := range x {
		x[i] = W(f.rnd.Uint32())
	}
	return x
}

// residues returns n words in [0, q).
func (f *fence[W]) residues(n int, q int64) []W {
	x := f.words(n)
	for i := range x {
		x[i] = W(f.rnd.Int64N(q))
	}
	return x
}

// many returns what one returns, so many times.
func many[T any](count int, one func() T) (all []T) {
	for range count {
		all = append(all, one())
	}
	return all
}

// unwritten calls f, and checks that it wrote none of the operands.
func unwritten[W Word](t *testing.T, what string, f func(), operands ...[]W) {
	t.Helper()
	var before [][]W
	for _, x := range operands {
		before = append(before, slices.Clone(x))
	}
	f()
	for i, x := range operands {
		equal(t, what+", an operand afterwards", x, before[i])
	}
}

func join[W Word, X ~[]W](lists ...[]X) (all [][]W) {
	for _, list := range lists {
		for _, x := range list {
			all = append(all, x)
		}
	}
	return all
}

// shapes are those of matrices: of no rows or columns, of as many as kernels do at once, and of
// one more and one less; the last one has more products in a sum than any does.
var shapes = [][2]int{{0, 0}, {0, 2}, {1, 0}, {2, 0}, {3, 0}, {1, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 2}, {6, 5}, {7, 1}, {1, 15}, {1, 16}, {3, 17}, {4, 33}}

// TestFences does everything that there is to do in rings of every kernel, with operands,
// results and scratch that have forbidden pages at an end. Scratch is as large as rings say, and
// has anything in it. Products of matrices are compared with sums of products.
func TestFences(t *testing.T) {
	for _, k := range Kernels() {
		for _, q := range []int64{257, 3329, 7681, 7937, 12289} {
			fencesOfPrime[int16](t, k, q)
		}
		for _, q := range []int64{8380417, 262657, 2013265921} {
			fencesOfPrime[int32](t, k, q)
		}
		for _, m := range []Method{Toom4, Karatsuba} {
			fencesOfPowerOfTwo[int16](t, k, 13, m)
			fencesOfPowerOfTwo[int32](t, k, 29, m)
		}
		for _, c := range shortExactCases {
			fencesOfByPrimes[int16](t, k, c)
		}
		for _, c := range longExactCases {
			fencesOfByPrimes[int32](t, k, c)
		}
	}
}

func fencesOfPrime[W Word](t *testing.T, k *Kernel, q int64) {
	t.Run(fmt.Sprintf("%s/%d bits/q=%d", k.Name(), wordBits[W](), q), func(t *testing.T) {
		r, err := NewPrimeOn[W](k, q, 256)
		if err != nil {
			t.Fatal(err)
		}
		f := newFence[W](t, uint64(q))
		poly := func() Poly[W] { return f.words(r.n) }
		hat := func() NTT[W] { return f.residues(r.n, q) }
		x, y, z, h, b := poly(), poly(), poly(), hat(), hat()
		unwritten(t, "Transform", func() { r.Transform(NTT[W](z), x) }, x)
		unwritten(t, "Inverse", func() { r.Inverse(z, h) }, h)
		unwritten(t, "Mul", func() { r.Mul(z, x, y, f.words(r.MulScratch())) }, x, y)
		equal(t, "Mul", z, reference(q, x, y))
		factor := f.words(r.FactorLen())
		unwritten(t, "Factor", func() { r.Factor(factor, b) }, b)
		unwritten(t, "MulNTT", func() { r.MulNTT(NTT[W](z), h, factor) }, h, factor)
		unwritten(t, "MulAddNTT", func() { r.MulAddNTT(NTT[W](z), h, factor) }, h, factor)

		for _, shape := range shapes {
			rows, columns := shape[0], shape[1]
			a, s, zs := many(rows*columns, hat), many(columns, poly), many(rows, poly)
			var fs []Factor[W]
			for _, x := range s {
				h, g := f.words(r.n), f.words(r.FactorLen())
				r.Transform(h, x)
				r.Factor(g, h)
				fs = append(fs, g)
			}
			var prepared []Prepared[W]
			for _, x := range a {
				p := f.words(r.PreparedLen())
				unwritten(t, "Prepare", func() { r.Prepare(p, x) }, x)
				prepared = append(prepared, p)
			}
			var want, wantHat []Poly[W]
			for i := range rows {
				sum, c := make(NTT[W], r.n), make(Poly[W], r.n)
				for j, g := range fs {
					r.MulAddNTT(sum, a[i*columns+j], g)
				}
				r.Inverse(c, sum)
				want, wantHat = append(want, c), append(wantHat, Poly[W](sum))
			}
			what := fmt.Sprintf("%d×%d", rows, columns)
			unwritten(t, "MatVec", func() { r.MatVec(zs, a, fs) }, slices.Concat(join[W](a), join[W](fs))...)
			same(t, "MatVec, "+what, zs, want)
			zh := make([]NTT[W], rows)
			for i, z := range zs {
				zh[i] = NTT[W](z)
			}
			unwritten(t, "MatVecNTT", func() { r.MatVecNTT(zh, a, fs) }, slices.Concat(join[W](a), join[W](fs))...)
			same(t, "MatVecNTT, "+what, zs, wantHat)
			scratch := f.words(r.MatVecPreparedScratch(columns))
			unwritten(t, "MatVecPrepared", func() { r.MatVecPrepared(zs, prepared, s, scratch) }, slices.Concat(join[W](prepared), join[W](s))...)
			same(t, "MatVecPrepared, "+what, zs, want)
			f.free()
		}
	})
}

func same[W Word](t *testing.T, what string, got, want []Poly[W]) {
	t.Helper()
	for i := range want {
		equal(t, fmt.Sprintf("%s, row %d", what, i), got[i], want[i])
		clear(got[i])
	}
}

func fencesOfPowerOfTwo[W Word](t *testing.T, kernel *Kernel, k int, m Method) {
	t.Run(fmt.Sprintf("%s/%d bits/%v", kernel.Name(), wordBits[W](), m), func(t *testing.T) {
		r, err := NewPowerOfTwoOn[W](kernel, k, 256, m)
		if err != nil {
			t.Fatal(err)
		}
		f := newFence[W](t, uint64(k))
		poly := func() Poly[W] { return f.words(r.n) }
		x, y, z := poly(), poly(), poly()
		want := reference(1<<k, x, y)
		unwritten(t, "Mul", func() { r.Mul(z, x, y, f.words(r.MulScratch())) }, x, y)
		equal(t, "Mul", z, want)
		unwritten(t, "MulClassic", func() { r.MulClassic(z, x, y, f.words(r.ClassicScratch())) }, x, y)
		equal(t, "MulClassic", z, want)
		for _, shape := range shapes {
			rows, columns := shape[0], shape[1]
			a, s, zs := many(rows*columns, poly), many(columns, poly), many(rows, poly)
			values := func(x Poly[W]) Evaluated[W] {
				e := f.words(r.EvaluatedLen())
				unwritten(t, "Evaluate", func() { r.Evaluate(e, x) }, x)
				return e
			}
			var ea, es []Evaluated[W]
			for _, x := range a {
				ea = append(ea, values(x))
			}
			for _, x := range s {
				es = append(es, values(x))
			}
			var want []Poly[W]
			for i := range rows {
				sum, c := Products[W](f.words(r.EvaluatedLen())), f.words(r.n)
				clear(sum)
				for j, e := range es {
					scratch := f.words(r.ProductScratch())
					x, ex := a[i*columns+j], ea[i*columns+j]
					if j%2 == 0 {
						unwritten(t, "MulAdd", func() { r.MulAdd(sum, ex, e, scratch) }, ex, e)
					} else {
						unwritten(t, "MulAddPoly", func() { r.MulAddPoly(sum, x, e, scratch) }, x, e)
					}
				}
				unwritten(t, "Interpolate", func() { r.Interpolate(c, sum) }, sum)
				want = append(want, c)
			}
			what := fmt.Sprintf("%d×%d", rows, columns)
			scratch := f.words(r.MatVecScratch())
			unwritten(t, "MatVec", func() { r.MatVec(zs, ea, es, scratch) }, slices.Concat(join[W](ea), join[W](es))...)
			same(t, "MatVec, "+what, zs, want)
			unwritten(t, "MatVecPoly", func() { r.MatVecPoly(zs, a, es, scratch) }, slices.Concat(join[W](a), join[W](es))...)
			same(t, "MatVecPoly, "+what, zs, want)
			f.free()
		}
	})
}

func fencesOfByPrimes[W Word](t *testing.T, kernel *Kernel, c exactCase) {
	t.Run(fmt.Sprintf("%s/%d bits/%v", kernel.Name(), wordBits[W](), c), func(t *testing.T) {
		r, err := NewByPrimesOn[W](kernel, c.k, c.n, c.sums, c.most)
		if err != nil {
			t.Fatal(err)
		}
		f := newFence[W](t, uint64(c.k))
		poly := func() Poly[W] { return f.words(r.n) }
		small := func() Poly[W] { return append(f.words(r.n)[:0], second[W](f.rnd, "ends", c)...) }
		x, y, z := poly(), small(), poly()
		unwritten(t, "Mul", func() { r.Mul(z, x, y, f.words(r.MulScratch())) }, x, y)
		equal(t, "Mul", z, reference(1<<c.k, x, y))
		for _, shape := range shapes {
			rows, columns := shape[0], min(shape[1], c.sums)
			a, s, zs := many(rows*columns, poly), many(columns, small), many(rows, poly)
			fs := many(columns, func() Factor[W] { return f.words(r.FactorLen()) })
			unwritten(t, "Factors", func() { r.Factors(fs, s, f.words(r.FactorScratch())) }, join[W](s)...)
			var ea []Evaluated[W]
			for _, x := range a {
				e := f.words(r.EvaluatedLen())
				unwritten(t, "Evaluate", func() { r.Evaluate(e, x) }, x)
				ea = append(ea, e)
			}
			var want []Poly[W]
			for i := range rows {
				sum, c := Products[W](f.words(r.EvaluatedLen())), f.words(r.n)
				clear(sum)
				for j, g := range fs {
					e := ea[i*columns+j]
					unwritten(t, "MulAdd", func() { r.MulAdd(sum, e, g) }, e, g)
				}
				unwritten(t, "Interpolate", func() { r.Interpolate(c, sum, f.words(r.InterpolateScratch())) }, sum)
				want = append(want, c)
			}
			what := fmt.Sprintf("%d×%d", rows, columns)
			unwritten(t, "MatVec", func() { r.MatVec(zs, ea, fs, f.words(r.MatVecScratch())) }, slices.Concat(join[W](ea), join[W](fs))...)
			same(t, "MatVec, "+what, zs, want)
			unwritten(t, "MatVecPoly", func() { r.MatVecPoly(zs, a, fs, f.words(r.MatVecPolyScratch(columns))) }, slices.Concat(join[W](a), join[W](fs))...)
			same(t, "MatVecPoly, "+what, zs, want)
			f.free()
		}
	})
}
