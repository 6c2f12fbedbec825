package barrett

import (
	"residue/barrett/internal/folding"
	"residue/batch"
)

// laneMachine runs the text of package folding on eight numbers in the lanes of package
// batch, a word of the text being a digit of all of them. It has memory of its own, and
// may be used for one call at a time.
type laneMachine struct {
	kernel *batch.Kernel
	linear linear
	// For products of numbers of a modulus' length, half of it, a quarter …
	scratch []*batch.Scratch
}

var _ folding.Machine[batch.Vector] = &laneMachine{}

// noLeaf is a number of digits above that of all numbers: package batch halves the
// factors of products itself where that is quicker.
const noLeaf = 1 << 20

func newLaneMachine(k *batch.Kernel, f laneForm) *laneMachine {
	m := &laneMachine{kernel: k, linear: linearOf(k)}
	for i := range f.folds + 1 {
		m.scratch = append(m.scratch, batch.NewScratch(f.limbs>>i))
	}
	return m
}

// scratchFor returns the scratch for factors of n digits.
func (m *laneMachine) scratchFor(n int) *batch.Scratch {
	for _, s := range m.scratch {
		if s.Limbs() == n {
			return s
		}
	}
	panic("barrett: a product of other lengths than those of a reduction")
}

func (m *laneMachine) Mul(z, x, y []batch.Vector) {
	if len(x) < len(y) {
		x, y = y, x
	}
	if len(x) == len(y) {
		m.kernel.Mul(z, x, y, m.scratchFor(len(y)))
	} else {
		m.kernel.MulPieces(z, x, y, m.scratchFor(len(y)))
	}
}

func (m *laneMachine) Add(z, x, y []batch.Vector) folding.Bits {
	return m.linear.add(z, x, y, everywhere)
}

func (m *laneMachine) Sub(z, x, y []batch.Vector) folding.Bits {
	return m.linear.sub(z, x, y, everywhere)
}

func (m *laneMachine) AddIf(z, x []batch.Vector, where folding.Bits) folding.Bits {
	return m.linear.add(z, z, x, where)
}

// Correct subtracts x until the difference is below zero, and then nothing; what was
// too much is added at the end.
func (m *laneMachine) Correct(z, x []batch.Vector, most int) {
	var below folding.Bits // the lanes in which z has become negative
	for range most {
		below |= m.linear.sub(z, z, x, everywhere&^below)
	}
	m.linear.add(z, z, x, below)
}

func (m *laneMachine) Copy(z, x []batch.Vector) { copy(z, x) }

func (m *laneMachine) Both(x, y folding.Bits) batch.Vector { return lanesOf(x&y, 1) }

func (m *laneMachine) wipe() {
	for _, s := range m.scratch {
		s.Wipe()
	}
}

// laneForm is how eight numbers are reduced: the digits of the modulus, and the folds.
type laneForm struct{ limbs, folds int }

const (
	// maxLaneLimbs is batch.Limbs(batch.MaxBits).
	maxLaneLimbs = 320
	maxLaneFolds = 3
	// leastFolded is the least number of digits that is left above the modulus after
	// the last fold: package batch has no products of different lengths for fewer.
	leastFolded = 10
)

// leastLimbs are the least numbers of digits for which there are one, two … folds, as
// measured on a Sapphire Rapids:
//
//	go run ./cmd/residue bench --system barrett --op reduce --kernel ifma512
var leastLimbs = []int{36, 100}

// formOf returns the form for moduli of at most bits bits, with so many folds or the
// number of them that is quickest, and whether there is one.
func formOf(bits, folds int) (f laneForm, ok bool) {
	if folds != Auto {
		return leastForm(bits, folds)
	}
	f, ok = leastForm(bits, 0)
	for n, least := range leastLimbs {
		// A fold is not worth a twentieth more digits.
		if g, has := leastForm(bits, n+1); has && g.limbs >= least && 20*g.limbs <= 21*f.limbs {
			f = g
		}
	}
	return f, ok
}

// leastForm returns the form with the fewest digits that so many folds can halve. There
// is none if that takes a quarter more than the moduli do.
func leastForm(bits, folds int) (laneForm, bool) {
	step := 1 << folds
	least := (bits + batch.DigitBits - 1) / batch.DigitBits
	most := maxLaneLimbs
	if folds > 0 {
		plain, _ := leastForm(bits, 0)
		most = min(most, plain.limbs*5/4)
	}
	for s := (least + step - 1) / step * step; s <= most; s += step {
		f := laneForm{s, folds}
		if f.valid() {
			return f, true
		}
	}
	return laneForm{}, false
}

// valid reports whether package batch has products for all parts that there are.
func (f laneForm) valid() bool {
	for i := range f.folds + 1 {
		n := f.limbs >> i
		if batch.Limbs(min(n*batch.DigitBits-headroomBits, MaxBits)) != n || i > 0 && n < leastFolded {
			return false
		}
	}
	return true
}

// headroomBits is what batch.Limbs asks for above the length of a modulus.
const headroomBits = 3
