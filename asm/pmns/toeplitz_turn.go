package pmns

import (
	"residue/asm/internal/ifma"
)

// Elements have coefficient i in word i of a row, and A_j has every n̄-th. Vectors are
// put into that order and back by halves, the even coefficients and the odd ones, as
// often as n̄ can be halved, and by thirds.

// Tables of permutations of two vectors, in the order of the constants. Of three, the
// first two are permuted, and then the outcome and the third.
const (
	evens      = iota // of two vectors
	odds              //
	lowHalves         // of even and odd ones, alternating
	highHalves        //
	everyThird        // [3][2]: coefficients ≡ 0, 1 and 2, from two vectors and one more
	fromThirds = everyThird + 6
	turnTables = fromThirds + 6
)

// permuted returns lanes of a and b as a table says.
func (k *toeplitz) permuted(table int, a, b ifma.Vec) ifma.Vec {
	v := k.Read(k.constant(turns + table))
	k.VPERMI2Q(b, a, v)
	return v
}

// thirds applies three pairs of tables to three vectors.
func (k *toeplitz) thirds(table int, v []ifma.Vec) (out []ifma.Vec) {
	for i := range 3 {
		two := k.permuted(table+2*i, v[0], v[1])
		out = append(out, k.permuted(table+2*i+1, two, v[2]))
	}
	return out
}

// strided returns the vectors of every n̄-th coefficient.
func (k *toeplitz) strided(v []ifma.Vec) []ifma.Vec {
	switch {
	case len(v) == 1:
		return v
	case len(v) == 3:
		return k.thirds(everyThird, v)
	}
	var even, odd, out []ifma.Vec
	for i := 0; i < len(v); i += 2 {
		even = append(even, k.permuted(evens, v[i], v[i+1]))
		odd = append(odd, k.permuted(odds, v[i], v[i+1]))
	}
	even, odd = k.strided(even), k.strided(odd)
	for i := range even {
		out = append(out, even[i], odd[i])
	}
	return out
}

// contiguous is the inverse of strided.
func (k *toeplitz) contiguous(v []ifma.Vec) []ifma.Vec {
	switch {
	case len(v) == 1:
		return v
	case len(v) == 3:
		return k.thirds(fromThirds, v)
	}
	var even, odd, out []ifma.Vec
	for i := 0; i < len(v); i += 2 {
		even, odd = append(even, v[i]), append(odd, v[i+1])
	}
	even, odd = k.contiguous(even), k.contiguous(odd)
	for i := range even {
		out = append(out, k.permuted(lowHalves, even[i], odd[i]), k.permuted(highHalves, even[i], odd[i]))
	}
	return out
}

// Turns returns the tables: lane l of the outcome is lane t[l] of the first vector, or
// t[l] − 8 of the second.
func Turns() (tables [turnTables][ifma.Lanes]uint64) {
	set := func(table int, lane func(l int) int) {
		for l := range ifma.Lanes {
			tables[table][l] = uint64(lane(l))
		}
	}
	set(evens, func(l int) int { return 2 * l })
	set(odds, func(l int) int { return 2*l + 1 })
	set(lowHalves, func(l int) int { return l/2 + l%2*ifma.Lanes })
	set(highHalves, func(l int) int { return (l+ifma.Lanes)/2 + l%2*ifma.Lanes })
	three := func(table int, lane func(l int) int) {
		const two = 2 * ifma.Lanes
		set(table, func(l int) int { return lane(l) % two })
		set(table+1, func(l int) int {
			if lane(l) < two {
				return l
			}
			return lane(l) - ifma.Lanes
		})
	}
	for v := range 3 {
		three(everyThird+2*v, func(l int) int { return 3*l + v })
		three(fromThirds+2*v, func(l int) int {
			i := v*ifma.Lanes + l
			return i%3*ifma.Lanes + i/3
		})
	}
	return tables
}
