package machine

import "residue/asm/internal/x86"

// compare compares elements, and sets a bit of a mask for every element, or all bits of
// every element of a vector. Elements that are masked off have 0. It has the elements'
// signs extended to 64 bits, which keeps their order also as numbers without a sign.
func compare(f func(x, y uint64) bool) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		x, y := m.vector(in, 1), m.vector(in, 2)
		var k uint64
		var r Vector
		for i := range in.Size / in.Elem {
			is := word(f(uint64(x.signed(in.Elem, i)), uint64(y.signed(in.Elem, i))))
			k |= is << i
			r.set(in.Elem, i, -is)
		}
		if in.Args[0].Reg.IsVector() {
			m.setVector(in, &r)
			return
		}
		if in.Mask != x86.K0 {
			k &= m.k[in.Mask.Num()]
		}
		m.k[in.Args[0].Reg.Num()] = k
		if in.Size > 16 {
			m.wide = true
		}
	}
}

// compareBy compares by the predicate that the immediate names (SDM, VPCMPUQ).
func compareBy(less func(x, y uint64) bool) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		predicate := in.Args[3].Imm & 7
		compare(func(x, y uint64) bool {
			var t bool
			switch predicate & 3 {
			case 0:
				t = x == y
			case 1:
				t = less(x, y)
			case 2:
				t = !less(y, x)
			}
			return t != (predicate&4 != 0)
		})(m, in)
	}
}

func unsignedLess(x, y uint64) bool { return x < y }
func signedLess(x, y uint64) bool   { return int64(x) < int64(y) }
