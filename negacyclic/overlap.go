package negacyclic

import "unsafe"

// What is written, results and scratch, must not overlap what else a call has, but for results
// that may be the same memory as an operand. Only addresses decide.

// extent is a range of addresses, from low up to high.
type extent struct{ low, high uintptr }

// overlaps reports whether an address is in both; in an empty one there is none.
func (e extent) overlaps(f extent) bool { return max(e.low, f.low) < min(e.high, f.high) }

// span returns the addresses of words.
func span[W Word](x []W) extent {
	low := uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	return extent{low, low + uintptr(len(x))*unsafe.Sizeof(W(0))}
}

// apart panics if z, which is written, overlaps x.
func apart[W Word](z, x []W) {
	if span(z).overlaps(span(x)) {
		overlapping()
	}
}

// overlapping panics.
func overlapping() { panic("negacyclic: a result or scratch overlaps another argument") }

// sameOrApart panics if the result z overlaps the operand x, of as many words, and is not the
// same memory: if one begins in the other, but not where that does.
func sameOrApart[W Word](z, x []W) {
	a, b := unsafe.Pointer(unsafe.SliceData(z)), unsafe.Pointer(unsafe.SliceData(x))
	bytes := uintptr(len(z)) * unsafe.Sizeof(W(0))
	if d := uintptr(a) - uintptr(b); d != 0 && d+bytes-1 < 2*bytes-1 {
		overlapping()
	}
}

// checkProduct panics if the arguments of a product z = x·y of n words each are not as they must
// be: z may be x or y, and scratch is apart.
func checkProduct[W Word](n int, z, x, y Poly[W], scratch []W) {
	size("result", len(z), n)
	size("operand", len(x), n)
	size("operand", len(y), n)
	sameOrApart(z, x)
	sameOrApart(z, y)
	apart(scratch, z)
	apart(scratch, x)
	apart(scratch, y)
}

// apartFromAll panics if a result or scratch overlaps an operand. Operands mostly lie together,
// and nothing else among them: then their least and greatest addresses decide.
func apartFromAll[W Word, Z, X ~[]W](zs []Z, scratch []W, xs []X) {
	all := extent{low: ^uintptr(0)}
	for _, x := range xs {
		s := span([]W(x))
		all = extent{min(all.low, s.low), max(all.high, s.high)}
	}
	if all.overlaps(span(scratch)) {
		apartFromEach(scratch, xs)
	}
	for _, z := range zs {
		s := span([]W(z))
		if !all.overlaps(s) {
			continue
		}
		for _, x := range xs {
			if s.overlaps(span([]W(x))) {
				overlapping()
			}
		}
	}
}

// apartFromEach is apart for many operands.
func apartFromEach[W Word, X ~[]W](z []W, xs []X) {
	for _, x := range xs {
		apart(z, []W(x))
	}
}

// apartFromEachOther panics if one result overlaps another, or scratch. Mostly they lie one behind
// the other, and scratch elsewhere.
func apartFromEachOther[W Word, Z ~[]W](zs []Z, scratch []W) {
	all, ordered := extent{}, true
	for i, z := range zs {
		s := span([]W(z))
		if i == 0 {
			all.low = s.low
		}
		ordered = ordered && all.high <= s.low
		all.high = s.high
	}
	if ordered && !all.overlaps(span(scratch)) {
		return
	}
	for i, z := range zs {
		apart(scratch, []W(z))
		apartFromEach([]W(z), zs[:i])
	}
}
