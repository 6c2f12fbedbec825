//go:build amd64 && !purego

package negacyclic

// maxTerms32 is how many products of 32-bit words a sum has at most, for the room that their
// addresses have on the stack.
const maxTerms32 = 16

// term32 is a product of a sum, by the addresses of its operands.
type term32 struct{ x, f *int32 }

// terms32 has room for one more, which is what a result was.
type terms32 [maxTerms32 + 1]term32

func (t *terms32) set(x []NTT[int32], f []Factor[int32]) {
	for j := range x {
		t[j] = term32{&x[j][0], &f[j][0]}
	}
}

// setOf is set for x that are one behind the other.
func (t *terms32) setOf(x []int32, f []Factor[int32]) {
	for j := range f {
		t[j] = term32{&x[n32*j], &f[j][0]}
	}
}
