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

// The systems: eight numbers at a time, one, both without a domain of Montgomery's, and
// one modulo a prime that has parameters.
const (
	SystemBatch   = "batch"
	SystemMont    = "mont"
	SystemBarrett = "barrett"
	SystemPMNS    = "pmns"
)

// What can be chosen, and what is when nothing is said.
var (
	Systems     = []string{SystemBatch, SystemMont, SystemBarrett, SystemPMNS}
	Ops         = []string{OpMul, OpSqr, OpRedc, OpReduce, OpMulMont, OpSqrMont, OpExp, OpExpBatch}
	Variants    = append([]string{batch.Reduction{}.Variant(), batch.Reduction{Full: true}.Variant(), batch.Reduction{Schoolbook: true}.Variant(), pmns.Karatsuba.String(), pmns.Toeplitz.String()}, foldsVariants...)
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
	// Blocks are numbers of digits or BlockAll. The default is 1, the form in use,
	// and the largest block, which is all digits.
	Blocks []string
	Time   time.Duration // a measurement takes about this long
	Rows   int           // of OpExpBatch
}

// check finds out what is wrong with a choice, and fills in the defaults.
func (c *Choice) check() error {
	runnable, err := kernels()
	if err != nil {
		return err
	}
	for _, list := range []struct {
		what           string
		chosen         *[]string
		known, without []string
	}{
		{"system", &c.Systems, Systems, Systems},
		{"op", &c.Ops, Ops, defaultOps},
		{"kernel", &c.Kernels, cpu.Known, runnable},
		{"variant", &c.Variants, Variants, nil},
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
	for _, name := range c.Kernels {
		if all := cpu.Runnable(); !slices.Contains(all, name) {
			return fmt.Errorf("this CPU or build cannot run the kernel %s (it can run: %s)", name, strings.Join(all, ", "))
		}
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

// kernels returns the kernels that are measured where none is named: all that can
// run, or the one that the environment names.
func kernels() ([]string, error) {
	inUse, err := cpu.Chosen()
	if err != nil {
		return nil, err
	}
	if os.Getenv(cpu.EnvKernel) != "" {
		return []string{inUse}, nil
	}
	return cpu.Runnable(), nil
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
