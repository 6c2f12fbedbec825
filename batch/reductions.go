package batch

// Reduction names one form of Montgomery reduction, and of the product or square
// before it. All forms give the same integers, (T + Q·N)/R with Q = −T/N mod R, and
// are constant time; they differ in what part of Q·N they compute and in the order
// of the work. The zero value stands for the form that the kernel uses: truncated, in
// blocks of one digit, for the ifma kernels, and with products in halves where these
// are quicker. The other forms are there to be compared with it (docs/algorithms.md,
// "Blocks" and "Halves").
type Reduction struct {
	// Schoolbook says that the form is the one in use but for products in halves, by
	// Karatsuba: all products of two digits are computed. Other forms that are not in
	// use compute them all anyway.
	Schoolbook bool
	// Full says that all of Q·N is computed. A truncated reduction leaves out
	// what only reaches columns that are known to cancel.
	Full bool
	// Block is the number of digits of the quotient that are found at once. 0
	// and 1 stand for one digit, in the register window; the largest block, all
	// limbs, is the truncated Montgomery product of the paper on batch
	// exponentiation that this package follows.
	Block int
}

// Variant returns "truncated", "full" or "schoolbook".
func (r Reduction) Variant() string {
	switch {
	case r.Full:
		return "full"
	case r.Schoolbook:
		return "schoolbook"
	}
	return "truncated"
}

// reductionForms is what a kernel with more than one form of reduction adds to
// the contract. r has a block of at least 1 and is one that reductions returns.
// The bounds are those of mulMont, sqrMont and redc.
type reductionForms interface {
	reductions(limbs int) []Reduction
	mulMontBy(r Reduction, z, x, y Ints, m *Moduli, sc *Scratch)
	sqrMontBy(r Reduction, z, x Ints, m *Moduli, sc *Scratch)
	redcBy(r Reduction, z, t Ints, m *Moduli, sc *Scratch)
}

// Reductions returns the forms that this kernel has for a number of limbs, a
// number that [Limbs] returns, beginning with the one in use. Only ifma512 has more
// than one. Kernels that work in 64-bit words find a word of the quotient at a time
// and add its whole product with the modulus: without separate high and low
// products there is nothing to be saved.
func (k *Kernel) Reductions(limbs int) []Reduction {
	tiling(limbs)
	if forms, ok := k.impl.(reductionForms); ok {
		return forms.reductions(limbs)
	}
	return []Reduction{k.impl.form()}
}

// MulMontBy is [Moduli.MulMont] with a given form of reduction. It panics as that
// does, and if r is not the zero value nor one that [Kernel.Reductions] returns.
func (m *Moduli) MulMontBy(r Reduction, z, x, y Ints, sc *Scratch) {
	m.check(z, x, y)
	forms, r := m.forms(r)
	u := use(sc, m.limbs)
	if forms == nil {
		m.kernel.impl.mulMont(z, x, y, m, u)
	} else {
		forms.mulMontBy(r, z, x, y, m, u)
	}
	done(sc, u)
}

// SqrMontBy is [Moduli.SqrMont] with a given form of reduction, as
// [Moduli.MulMontBy].
func (m *Moduli) SqrMontBy(r Reduction, z, x Ints, sc *Scratch) {
	m.check(z, x, x)
	forms, r := m.forms(r)
	u := use(sc, m.limbs)
	if forms == nil {
		m.kernel.impl.sqrMont(z, x, m, u)
	} else {
		forms.sqrMontBy(r, z, x, m, u)
	}
	done(sc, u)
}

// RedcBy is [Moduli.Redc] with a given form of reduction, as [Moduli.MulMontBy].
func (m *Moduli) RedcBy(r Reduction, z, t Ints, sc *Scratch) {
	checkLen(z, m.limbs)
	checkLen(t, 2*m.limbs)
	forms, r := m.forms(r)
	u := use(sc, m.limbs)
	if forms == nil {
		m.kernel.impl.redc(z, t, m, u)
	} else {
		forms.redcBy(r, z, t, m, u)
	}
	done(sc, u)
}

// wholeWords is the form of the kernels that work in 64-bit words.
var wholeWords = Reduction{Full: true, Block: 1}

// forms returns r with a block of at least 1 and the kernel's routines for it,
// or nil if r stands for the form in use.
func (m *Moduli) forms(r Reduction) (reductionForms, Reduction) {
	if r == (Reduction{}) {
		return nil, r
	}
	if r.Block == 0 {
		r.Block = 1
	}
	if r == m.kernel.impl.form() {
		return nil, r
	}
	forms, ok := m.kernel.impl.(reductionForms)
	if !ok || !r.fits(m.limbs) {
		panic("batch: a form of reduction that the kernel does not have for that many limbs")
	}
	return forms, r
}

// fits reports whether there is the form r, which is not the one in use, for numbers
// of so many limbs, where there are forms.
func (r Reduction) fits(limbs int) bool {
	if r.Schoolbook {
		return !r.Full && r.Block == 1 && halvedWidths[limbs].product != 0
	}
	return r.Block == 1 || blockFits(r.Block, limbs)
}

// blockUnit is the number of digits that blocks are made of.
const blockUnit = 10

// blockFits reports whether numbers of so many limbs can be reduced in blocks of
// so many digits: blocks are whole tiles, and the number is whole blocks.
func blockFits(block, limbs int) bool {
	return block > 0 && block%blockUnit == 0 && limbs%block == 0
}

// Madds returns the number of vector multiply-adds (VPMADD52) that the ifma512
// kernel executes for one operation on eight numbers with this form of
// reduction: op is "mul", "sqr", "mulmont", "sqrmont" or "redc". Products and squares
// alone are those of the form in use. It panics if op is another.
func (r Reduction) Madds(op string, limbs int) int {
	product := 2 * limbs * limbs
	if w := int(halvedWidths[limbs].product); w != 0 && r.inUse() {
		product = mulMadds(w, limbs/w)
	}
	square := limbs*limbs + limbs
	montgomerySquare := square
	if w, m, ok := squareTiling(limbs); ok && r.inUse() {
		montgomerySquare = karatsubaMadds(w, m)
	}
	switch op {
	case "mul":
		return product
	case "sqr":
		return square
	case "mulmont":
		return product + r.reductionMadds(limbs)
	case "sqrmont":
		return montgomerySquare + r.reductionMadds(limbs)
	case "redc":
		return r.reductionMadds(limbs)
	}
	panic("batch: madds of an unknown operation " + op)
}

// inUse reports whether r is the form that the ifma kernels use.
func (r Reduction) inUse() bool { return !r.Full && !r.Schoolbook && r.Block <= 1 }

func (r Reduction) reductionMadds(limbs int) int {
	if w := int(halvedWidths[limbs].reduction); w != 0 && r.inUse() {
		return reduceMadds(w, limbs/w)
	}
	s, k := limbs, max(r.Block, 1)
	// For each of the s/k blocks: the quotient, a low product of k by k digits,
	// and its product with the modulus, 2ks.
	reduction := s / k * (k*k + 2*k*s)
	switch {
	case r.Full:
	case k == 1:
		reduction -= s // the low product of the quotient digit with digit 0
	default:
		reduction -= s / k * (k - 1) * (k - 1) // what ends below column k − 1
	}
	return reduction
}
