package kerneltest

import "residue/asm/internal/machine"

// Products modulo 2^productBits by two primes, of the kernel that has routines for them. Residues
// stay in the order in which its transforms leave them.

const (
	productBits = 13
	exactP      = 3329
	exactQ      = 7681
)

// exactOrder16 is where words are after the last layer.
var exactOrder16 = order16{0, []int{1, 3, 2}, []int{6, 7, 5, 4, 0}}

// ordered returns words in the order of vectors.
func (n *NTT16) ordered(x []int16) []int16 {
	z := make([]int16, len(x))
	for i := range z {
		z[i] = x[exactOrder16.index(i/n.vector, i%n.vector)]
	}
	return z
}

// ExactFactor sets f to the factor of x.
func (n *NTT16) ExactFactor(f, x machine.Span) error {
	return n.Call(n.routine("ExactFactor16"), map[string]Operand{"f": Out(f), "x": In(x), "table": In(n.table)})
}

// ExactRows sets z to the polynomials of sums, one or three, of words so many bytes behind the
// first of x and of f.
func (n *NTT16) ExactRows(z, x, f []machine.Span, xAt, fAt int) error {
	name := "ExactRow16"
	if len(z) == 3 {
		name = "ThreeExactRows16"
	}
	return n.callSum(name, z, x, f, len(f), map[string]Operand{"xAt": Number(xAt), "fAt": Number(fAt)})
}

// ExactMul sets z to x·y.
func (n *NTT16) ExactMul(z, x, y machine.Span) error {
	return n.Call(n.routine("ExactMul16"), map[string]Operand{"z": OutAgain(z), "x": In(x), "y": In(y), "table": In(n.table)})
}

// CombineTable returns the table of Combine, for the primes 3329 and 7681, of which n is for the
// second; and of Centre.
func (n *NTT16) CombineTable() machine.Span {
	t, half := &table16{NTT16: n}, int64(exactQ-1)/2
	t.all(exactQ)
	if n.Has("Centre16") {
		t.all((1<<16/n.Q + 1) / 2)
	}
	t.constants(func(int) int64 { return n.Power(exactP, exactQ-2) })
	t.all(half)
	t.all(exactP)
	t.all(-exactP * half)
	t.all(1<<productBits - 1)
	if n.Has("Centre16") {
		t.all(1 << (16 - productBits))
		t.all(1 << productBits)
	}
	s := n.Mem.Alloc("combine", 2*len(t.words), 0)
	n.set(s, t.words, false)
	return s
}

// Centre sets z to x modulo 2^productBits, as signed numbers.
func (n *NTT16) Centre(z, x, table machine.Span) error {
	return n.Call(n.routine("Centre16"), map[string]Operand{"z": Out(z), "x": In(x), "table": In(table)})
}

// Combine sets z to what x modulo the first prime and y modulo the second are together.
func (n *NTT16) Combine(z, x, y, table machine.Span) error {
	return n.Call(n.routine("Combine16"), map[string]Operand{"z": Out(z), "x": In(x), "y": In(y), "table": In(table)})
}
