package batch

import "sync"

// Scratch is working memory for arithmetic on numbers of one number of limbs.
// It may be used for one call at a time. Methods that take a *Scratch take one
// from a pool when it is nil, and wipe it before they give it back.
type Scratch struct {
	limbs int
	work  Ints // for the kernels: columns, quotient digits, operands
	wide  Ints // for the callers of the kernels: 2·limbs digits
}

// workVectors is how much work space kernels may use, in vectors: 2s columns,
// 2s columns of cross products, s quotient digits, and room for operands; or 6s for a
// square in halves, and s quotient digits.
func workVectors(limbs int) int { return 8 * limbs }

// NewScratch returns scratch for numbers of the given number of limbs, a number
// that [Limbs] returns; it panics for others.
func NewScratch(limbs int) *Scratch {
	tiling(limbs)
	return &Scratch{limbs: limbs, work: NewInts(workVectors(limbs)), wide: NewInts(2 * limbs)}
}

// Limbs returns the number of limbs that the scratch is for.
func (s *Scratch) Limbs() int { return s.limbs }

// Wipe zeroes the scratch, which may hold secrets of earlier calls.
func (s *Scratch) Wipe() {
	wipe(s.work)
	wipe(s.wide)
}

var scratchPools [maxLimbs + 1]sync.Pool

func borrowScratch(limbs int) *Scratch {
	if s, ok := scratchPools[limbs].Get().(*Scratch); ok {
		return s
	}
	return NewScratch(limbs)
}

func returnScratch(s *Scratch) {
	s.Wipe()
	scratchPools[s.limbs].Put(s)
}

// use returns sc if it is not nil, and else pooled scratch that done gives back.
func use(sc *Scratch, limbs int) *Scratch {
	if sc == nil {
		return borrowScratch(limbs)
	}
	if sc.limbs != limbs {
		panic("batch: scratch for another number of limbs")
	}
	return sc
}

// done gives back what use(sc, limbs) returned as used.
func done(sc, used *Scratch) {
	if sc == nil {
		returnScratch(used)
	}
}
