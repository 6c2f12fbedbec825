// Package bench measures what this machine does: the operations of every system
// and kernel in core cycles, against the vector ports' limit and against math/big.
package bench

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"residue/batch"
	"residue/internal/cpu"
	"residue/mont"
	"residue/pmns"
)

// The operations.
const (
	OpMul      = "mul"      // product; of mont, modulo a number
	OpSqr      = "sqr"      // square; the same
	OpRedc     = "redc"     // Montgomery reduction
	OpReduce   = "reduce"   // of barrett: a number of twice the length modulo a number
	OpMulMont  = "mulmont"  // Montgomery product
	OpSqrMont  = "sqrmont"  // Montgomery square
	OpExp      = "exp"      // exponentiation, full-length exponent, constant time
	OpExpBatch = "expbatch" // residue.ExpBatch on one core and on all
)

// The operations of rings, beside products.
const (
	OpForward     = "forward"      // transform
	OpInverse     = "inverse"      // transform back
	OpEvaluate    = "evaluate"     // values at the points of a method
	OpInterpolate = "interpolate"  // coefficients from values
	OpBase        = "base"         // product of transforms, or of values, added to a sum
	OpMatVec      = "matvec"       // A·s with a matrix A that was transformed before
	OpMatVecPoly  = "matvec-poly"  // with A in coefficients
	OpMatVecReady = "matvec-ready" // with s transformed before as well
)

// The systems: eight numbers at a time, one, both without a domain of Montgomery's,
// one modulo a prime that has parameters, and polynomials.
const (
	SystemBatch      = "batch"
	SystemMont       = "mont"
	SystemBarrett    = "barrett"
	SystemPMNS       = "pmns"
	SystemNegacyclic = "negacyclic"
)

// What can be chosen, and what is when nothing is said.
var (
	Systems     = []string{SystemBatch, SystemMont, SystemBarrett, SystemPMNS, SystemNegacyclic}
	Ops         = []string{OpMul, OpSqr, OpRedc, OpReduce, OpMulMont, OpSqrMont, OpExp, OpExpBatch}
	Variants    = append([]string{batch.Reduction{}.Variant(), batch.Reduction{Full: true}.Variant(), batch.Reduction{Schoolbook: true}.Variant(), pmns.Karatsuba.String(), pmns.Toeplitz.String()}, foldsVariants...)
	RingOps     = []string{OpMul, OpForward, OpEvaluate, OpBase, OpInverse, OpInterpolate, OpMatVecReady, OpMatVec, OpMatVecPoly}
	defaultOps  = Ops[:len(Ops)-1]
	singleOps   = []string{OpMul, OpSqr, OpExp}
	defaultBits = []int{1024, 2048, 3072, 4096}
)

// The lengths of moduli that can be measured, in bits.
const (
	minBits = 2
	maxBits = min(batch.MaxBits, mont.MaxBits)
)

// BlockAll is the choice of all blocks that a kernel has.
const BlockAll = "all"

// Choice says what to measure. Empty lists choose the default.
type Choice struct {
	Systems, Ops, Kernels, Variants []string
	Bits                            []int
	// Rings and Methods choose among those of polynomials. Where one is named, nothing else
	// is measured; and where Variants, Bits or Blocks are, which rings do not have, no ring is.
	Rings, Methods []string
	// Blocks are numbers of digits or BlockAll. The default is 1, the form in use,
	// and the largest block, which is all digits.
	Blocks []string
	Time   time.Duration // a measurement takes about this long
	Rows   int           // of OpExpBatch

	// What check finds out: the kernels of numbers and of rings, and the operations.
	numberKernels, ringKernels []string
	ringOps                    []string
	numbersOnly, ringsOnly     bool // what is chosen, only numbers have, or only rings
}

// check finds out what is wrong with a choice, and fills in the defaults.
func (c *Choice) check() error {
	c.numbersOnly = len(c.Bits) > 0 || !c.plain()
	c.ringsOnly = len(c.Rings)+len(c.Methods) > 0
	if len(c.Systems) == 0 && c.ringsOnly {
		c.Systems = []string{SystemNegacyclic}
	}
	if err := c.checkKernels(); err != nil {
		return err
	}
	for _, list := range []struct {
		what           string
		chosen         *[]string
		known, without []string
	}{
		{"system", &c.Systems, Systems, Systems},
		{"op", &c.Ops, slices.Concat(Ops, RingOps[1:]), nil},
		{"variant", &c.Variants, Variants, nil},
		{"ring", &c.Rings, ringNames(), nil},
		{"method", &c.Methods, ringMethods(), nil},
	} {
		if len(*list.chosen) == 0 {
			*list.chosen = list.without
		}
		for _, name := range *list.chosen {
			if !slices.Contains(list.known, name) {
				return fmt.Errorf("unknown %s %q (known: %s)", list.what, name, strings.Join(list.known, ", "))
			}
		}
	}
	c.ringOps = c.Ops
	if len(c.Ops) == 0 {
		c.Ops, c.ringOps = defaultOps, RingOps
	}
	if len(c.Bits) == 0 {
		c.Bits = defaultBits
	}
	for _, bits := range c.Bits {
		if bits < minBits || bits > maxBits {
			return fmt.Errorf("moduli of %d bits cannot be measured (only %d to %d bits, for example %s)",
				bits, minBits, maxBits, numbers(defaultBits))
		}
	}
	for _, b := range c.Blocks {
		if n, err := strconv.Atoi(b); b != BlockAll && (err != nil || n < 1) {
			return fmt.Errorf("block %q is neither a number of digits nor %q", b, BlockAll)
		}
	}
	if c.Time <= 0 {
		return fmt.Errorf("a time of %v is too short to measure anything", c.Time)
	}
	if c.Rows < 1 {
		return fmt.Errorf("%d rows are too few to measure anything", c.Rows)
	}
	return nil
}

// checkKernels finds out which kernels are measured: the named ones, or where none is
// named all that can run, or those that the environment chooses.
func (c *Choice) checkKernels() error {
	inUse, err := cpu.Chosen()
	if err != nil {
		return err
	}
	inUseForRings, err := cpu.ChosenForRings()
	if err != nil {
		return err
	}
	c.numberKernels, c.ringKernels = cpu.Runnable(), cpu.RunnableForRings()
	all := func(name string) bool {
		return slices.Contains(c.numberKernels, name) || slices.Contains(c.ringKernels, name)
	}
	for _, name := range c.Kernels {
		if !slices.Contains(cpu.All, name) {
			return fmt.Errorf("unknown kernel %q (known: %s)", name, strings.Join(cpu.All, ", "))
		}
		if !all(name) {
			return fmt.Errorf("this CPU or build cannot run the kernel %s (it can run: %s)",
				name, strings.Join(slices.DeleteFunc(slices.Clone(cpu.All), func(name string) bool { return !all(name) }), ", "))
		}
	}
	switch {
	case len(c.Kernels) > 0:
		c.numberKernels, c.ringKernels = c.Kernels, c.Kernels
	case os.Getenv(cpu.EnvKernel) != "":
		c.numberKernels, c.ringKernels = []string{inUse}, []string{inUseForRings}
	}
	return nil
}

// measures reports whether a system is measured.
func (c *Choice) measures(system string) bool {
	never := c.ringsOnly
	if system == SystemNegacyclic {
		never = c.numbersOnly
	}
	return slices.Contains(c.Systems, system) && !never
}

// wants reports whether a form of reduction is chosen, among those that a kernel
// has for the number of limbs.
func (c *Choice) wants(r batch.Reduction, limbs int) bool {
	if len(c.Variants) > 0 && !slices.Contains(c.Variants, r.Variant()) {
		return false
	}
	if len(c.Blocks) == 0 {
		return r.Block <= 1 || r.Block == limbs
	}
	return slices.Contains(c.Blocks, BlockAll) || slices.Contains(c.Blocks, strconv.Itoa(max(1, r.Block)))
}

// plain reports whether operations without forms of a reduction are chosen.
func (c *Choice) plain() bool { return len(c.Variants) == 0 && len(c.Blocks) == 0 }

func numbers(ns []int) string {
	var texts []string
	for _, n := range ns {
		texts = append(texts, strconv.Itoa(n))
	}
	return strings.Join(texts, ", ")
}
