// Package chart makes the charts of W. Hasenplaugh, G. Gaubatz, V. Gopal, Fast
// modular reduction (slides, ARITH 18, 2007) with the abstract processor of
// residue/barrett/model: as tables, as plots and as records for programs.
//
// Every chart is made twice: with memory that is free, as in the slides, and with
// loads and stores that cost something.
package chart

import (
	"fmt"
	"math/bits"

	"residue/barrett/model"
)

// The lengths that charts can have, in bits.
const (
	MinBits = 64
	MaxBits = 16384
)

// Choice says what to make charts of.
type Choice struct {
	// Processor has the costs of loads and stores where they are not free.
	Processor model.Processor
	// Montgomery is the form that Barrett's method is compared with.
	Montgomery model.Algorithm
	// Folds is the number of folds where a chart has only one.
	Folds int
	// Leaf is the number of words up to which products are made by the schoolbook
	// method. 0 is the best number.
	Leaf int
	// Bits are the lengths of the moduli, ascending.
	Bits []int
	// MHz is the clock of the processor in the chart that has times.
	MHz float64
}

// Validate returns an error for a choice of which no charts can be made.
func (c *Choice) Validate() error {
	if err := c.Processor.Validate(); err != nil {
		return err
	}
	for i, n := range c.Bits {
		if n < MinBits || n > MaxBits {
			return fmt.Errorf("moduli of %d bits (only %d to %d)", n, MinBits, MaxBits)
		}
		if i > 0 && n <= c.Bits[i-1] {
			return fmt.Errorf("lengths of %d and %d bits are not in ascending order", c.Bits[i-1], n)
		}
	}
	most := bits.Len(uint(c.Processor.Words(MaxBits) - 1))
	switch {
	case len(c.Bits) == 0:
		return fmt.Errorf("no lengths")
	case c.Montgomery < model.CIOS || c.Montgomery > model.KaratsubaMontgomery:
		return fmt.Errorf("%v is not a form of Montgomery's multiplication", c.Montgomery)
	case c.Folds < 0 || c.Folds > most:
		return fmt.Errorf("%d folds (0 to %d)", c.Folds, most)
	case c.Leaf < 0:
		return fmt.Errorf("a leaf of %d words", c.Leaf)
	case !(c.MHz > 0):
		return fmt.Errorf("a clock of %v MHz", c.MHz)
	}
	return nil
}
