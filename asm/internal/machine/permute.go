package machine

import "residue/asm/internal/x86"

// align takes two vectors for one, the second operand above the third, and shifts it
// right by whole elements.
func align(m *Machine, in *x86.Inst) {
	n := in.Size / 8
	high, low := *m.vector(in, 1), *m.vector(in, 2)
	var r Vector
	for l := range n {
		from := l + int(uint8(in.Args[3].Imm))%n
		if from < n {
			r[l] = low[from]
		} else {
			r[l] = high[from-n]
		}
	}
	m.setVector(in, &r)
}

// permute takes elements of the last operand in the order of the second's; or, with
// an immediate, in the order of its pairs of bits within every four.
func permute(m *Machine, in *x86.Inst) {
	n := in.Size / 8
	var r Vector
	if in.Args[2].Kind == x86.Immediate {
		x := *m.vector(in, 1)
		for l := range n {
			r[l] = x[l&^3|int(in.Args[2].Imm)>>(2*(l&3))&3]
		}
	} else {
		index, x := *m.vector(in, 1), *m.vector(in, 2)
		for l := range n {
			r[l] = x[index[l]%uint64(n)]
		}
	}
	m.setVector(in, &r)
}

// permute2 takes elements of two vectors, the first below the second, in the order
// of a third. VPERMI2Q overwrites the order, and VPERMT2Q the first vector.
func permute2(m *Machine, in *x86.Inst) {
	n := uint64(in.Size / 8)
	index, first, second := m.v[in.Args[0].Reg.Num()], *m.vector(in, 1), *m.vector(in, 2)
	if in.Op == x86.VPERMT2Q {
		index, first = first, index
	}
	var r Vector
	for l := range n {
		from := index[l] % (2 * n)
		if from < n {
			r[l] = first[from]
		} else {
			r[l] = second[from-n]
		}
	}
	m.setVector(in, &r)
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
