package batch

import (
	"fmt"

	"residue/internal/cpu"
)

// Kernel is one implementation of the batch arithmetic. All kernels have the
// same contract and give the same integers; they differ in what CPU they need.
// The zero value is not usable: see [Default] and [Kernels].
type Kernel struct {
	name string
	impl routines
}

// Name returns the kernel's name, as RESIDUE_KERNEL takes it.
func (k *Kernel) Name() string { return k.name }

// Mul sets z = x·y in every lane. x and y have the same number of digits, a
// number that [Limbs] returns, and z twice as many; z must not overlap x or y.
// It panics if the lengths are not so.
func (k *Kernel) Mul(z, x, y Ints, sc *Scratch) {
	checkLen(y, len(x))
	checkLen(z, 2*len(x))
	u := use(sc, len(x))
	k.impl.mul(z, x, y, u)
	done(sc, u)
}

// Sqr sets z = x² in every lane. x has a number of digits that [Limbs] returns,
// and z twice as many; z must not overlap x. It panics if the lengths are not so.
func (k *Kernel) Sqr(z, x Ints, sc *Scratch) {
	checkLen(z, 2*len(x))
	u := use(sc, len(x))
	k.impl.sqr(z, x, u)
	done(sc, u)
}

// Gather sets every lane of z to that lane of an entry of the table, the one that index
// has in the lane: all entries are read. The table has numbers of z's length, one
// behind the other, at least two and at most 64. It panics if z does not have a number
// of digits that [Limbs] returns, or the table has no such number of entries; an index
// that is too large gives zeros.
func (k *Kernel) Gather(z, table Ints, index *Vector) {
	tiling(len(z))
	entries := len(table) / len(z)
	if len(table)%len(z) != 0 || entries < 2 || entries > 1<<maxWindow {
		badLength()
	}
	k.impl.gather(z, table, index, entries, Lanes)
}

// routines is the contract that every kernel meets. s stands for the number of
// limbs, a value that [Limbs] returns. Operands hold s digits, of which bits 52
// to 63 are ignored, and results s digits (2s for products), of which bits 52 to
// 63 may hold anything. The result of mulMont and sqrMont may be the same memory
// as an operand; other overlaps are not allowed. Only the first m.lanes lanes of
// a result are specified. The scratch's work is for the kernel, with unspecified
// contents before and after; the rest of it is the caller's.
type routines interface {
	// form is the form of reduction that the kernel uses.
	form() Reduction
	// mul sets z[0:2s] = x·y.
	mul(z, x, y Ints, sc *Scratch)
	// sqr sets z[0:2s] = x².
	sqr(z, x Ints, sc *Scratch)
	// mulPieces sets z = x·y for a y of s digits, s ≥ leastPiece, and an x of a whole
	// number of times as many, at most mostPieces times.
	mulPieces(z, x, y Ints, sc *Scratch)
	// mulMont sets z = (x·y + Q·N)/R with Q = −x·y/N mod R, and so
	// z ≡ x·y/R modulo N. If x·y < c·R·N then z < (c+1)·N: for x, y < 2N and
	// 4N ≤ R, z < 2N; for x < R and y < N, z < 2N.
	mulMont(z, x, y Ints, m *Moduli, sc *Scratch)
	// sqrMont is mulMont with y = x.
	sqrMont(z, x Ints, m *Moduli, sc *Scratch)
	// redc sets z = (t + Q·N)/R with Q = −t/N mod R, for t[0:2s] < R·(R−N).
	redc(z, t Ints, m *Moduli, sc *Scratch)
	// gather sets lane l of z to lane l of table[e·s : (e+1)·s] for e =
	// index[l], for the first lanes lanes, reading all of them. The table has
	// entries·s vectors, and every index is below entries.
	gather(z, table Ints, index *Vector, entries, lanes int)
	// sqrMontTimes is sqrMont with z = x, and then with z = z, times times in all,
	// times ≥ 1. It also gathers what g asks for, for the lanes in use.
	sqrMontTimes(z, x Ints, times int, m *Moduli, sc *Scratch, g *gathering)
}

// Kernels returns the kernels that this build can run on this CPU, fastest
// first.
func Kernels() []*Kernel {
	var ks []*Kernel
	for _, name := range cpu.Runnable() {
		if k, ok := kernelNamed[name]; ok {
			ks = append(ks, k)
		}
	}
	return ks
}

// Default returns the kernel in use: the one that RESIDUE_KERNEL names, or else
// the fastest. A name that this build or CPU cannot run is an error. A family
// that this package has no kernel of stands for the portable one.
func Default() (*Kernel, error) {
	name, err := cpu.Chosen()
	if err != nil {
		return nil, fmt.Errorf("batch: %w", err)
	}
	if k, ok := kernelNamed[name]; ok {
		return k, nil
	}
	return kernelNamed[cpu.Generic], nil
}
