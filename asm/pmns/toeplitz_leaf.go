package pmns

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/ifma"
)

// step is memory that a loop goes through.
type step struct {
	base   reg.Register
	first  int // vector
	stride int // vectors
}

// eachLeaf runs the body once for each leaf, with pointers to what is the leaf's.
func (k *toeplitz) eachLeaf(steps []step, body func(p []reg.Register)) {
	var pointers []reg.Register
	for _, s := range steps {
		pointers = append(pointers, k.Pointer(ifma.At(s.base, s.first)))
	}
	k.Loop(k.leaves(), func() {
		body(pointers)
		for i, s := range steps {
			k.ADDQ(operand.I32(int32(ifma.VectorBytes*s.stride)), pointers[i])
		}
	})
}

// product writes the columns of the product of two leaves, or adds them: x, of a vector
// a word, and rows of y.
func (k *toeplitz) product(x reg.Register, xWords int, y operandRows, yWords int, columns reg.Register, add bool) {
	at := func(h ifma.Half, c int) operand.Mem { return ifma.At(columns, int(h)*(k.highHalf()+1)+c) }
	sums := [2][]ifma.Vec{make([]ifma.Vec, xWords+yWords-1), make([]ifma.Vec, xWords+yWords-1)}
	if add {
		for h := range sums {
			for c := range sums[h] {
				sums[h][c] = k.Read(at(ifma.Half(h), c))
			}
		}
	}
	for i := range ifma.Lanes {
		factors := make([]ifma.Vec, xWords)
		for m := range factors {
			factors[m] = k.Broadcast(ifma.Word(x, ifma.Lanes*m+i))
		}
		for w := range yWords {
			row := k.Read(operand.Mem{Base: y.base, Disp: ifma.VectorBytes*(y.first+w*y.stride+1) - ifma.WordBytes*i})
			for m, f := range factors {
				for h := range sums {
					k.Madd(ifma.Half(h), &sums[h][m+w], row, f)
				}
			}
		}
	}
	for h := range sums {
		for c, v := range sums[h] {
			k.VMOVDQU64(v, at(ifma.Half(h), c))
		}
	}
	if !add { // no low half reaches the highest column, and no high one the lowest
		zero := k.Zeros()
		k.VMOVDQU64(zero, at(ifma.Low, xWords+yWords-1))
		k.VMOVDQU64(zero, ifma.At(columns, k.highHalf()))
	}
}
