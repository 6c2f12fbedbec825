package chart

import (
	"fmt"

	"residue/barrett/model"
)

// method returns an operation as the choice has it.
func (c *computer) method(m model.Method) operation {
	p := c.choice.Processor
	return operation{Method: m, halvings: toLeaf, masked: p.Masked, scan: p.Scan}
}

// montgomery returns the form of Montgomery's multiplication that is chosen.
func (c *computer) montgomery() (string, operation) {
	return montgomeryName(c.choice.Montgomery), c.method(model.Method{Algorithm: c.choice.Montgomery})
}

func montgomeryName(a model.Algorithm) string {
	switch a {
	case model.CIOS:
		return "Montgomery CIOS"
	case model.FIOS:
		return "Montgomery FIOS"
	case model.FIPS:
		return "Montgomery FIPS"
	default:
		return "Karatsuba-Montgomery"
	}
}

// folded returns Barrett's method with a number of folds.
func (c *computer) folded(folds int) (string, operation) {
	return fmt.Sprintf("Barrett, %s", plural(folds, "fold")), c.method(model.Method{Algorithm: model.Barrett, Folds: folds})
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// schoolbook returns an operation without Karatsuba's method.
func schoolbook(op operation) operation {
	op.halvings = 0
	return op
}

// karatsuba is slide 8.
func karatsuba(c *computer) (*Chart, error) {
	product := c.method(model.Method{})
	product.product = true
	var lines []line
	for depth := 1; depth <= 4; depth++ {
		op := product
		op.halvings = depth
		lines = append(lines, line{name: fmt.Sprintf("depth %d", depth), operation: op})
	}
	lines = append(lines, line{name: "to the leaf", operation: product})
	return c.compare("Products: Karatsuba's method against the schoolbook's", "schoolbook", schoolbook(product), lines, "to the leaf",
		"Depth is how often factors are halved; a leaf is the longest factor that is not worth halving.",
		"A level costs three products of half the length, 9 additions for each two words, and what its carries take; the carry bits of the two sums are additions, and no factor gets a word more.")
}

// barrett is slides 4 and 10.
func barrett(c *computer) (*Chart, error) {
	name, base := c.montgomery()
	_, plain := c.folded(0)
	return c.compare("Modular multiplication: Barrett against Montgomery", name, base, []line{
		{name: "Barrett, schoolbook", operation: schoolbook(plain)},
		{name: "Barrett, Karatsuba", operation: plain},
		{name: "Karatsuba-Montgomery", operation: c.method(model.Method{Algorithm: model.KaratsubaMontgomery})},
	}, "Barrett, Karatsuba",
		"Barrett takes three products of k words, Montgomery 2k² + k multiplications: with schoolbook products Barrett does (2k² + k)/3k² as well, which approaches 2/3, where the additions for a multiplication are as many (CIOS, and FIPS with products by columns; FIOS has 2.5 where operand scanning has 2).",
		"Montgomery can have Karatsuba's products too, if product and reduction are apart: three products of k words, like Barrett.")
}

// folding is slide 11.
func folding(c *computer) (*Chart, error) {
	name, base := c.montgomery()
	zero, plain := c.folded(0)
	one, folded := c.folded(1)
	return c.compare("Modular multiplication: one fold", name, base, []line{
		{name: zero, operation: plain},
		{name: one, operation: folded},
	}, one,
		"A fold takes the product of two halves of the modulus's length with a constant of its full length away from the estimate of the quotient: 8/3 products of k words instead of 3 with Karatsuba's method.")
}

// iterated is slides 12 and 13.
func iterated(c *computer) (*Chart, error) {
	name, base := c.folded(0)
	var lines []line
	for folds := 1; folds <= 4; folds++ {
		name, op := c.folded(folds)
		lines = append(lines, line{name: name, operation: op})
	}
	basic := schoolbook(base)
	for _, folds := range []int{1, 2} {
		name, op := c.folded(folds)
		lines = append(lines, line{name: name + ", schoolbook", operation: schoolbook(op), against: &basic})
	}
	return c.compare("Modular multiplication: folds against none", name, base, lines, lines[1].name,
		"In products of k words: 3 without folds; with 1, 2 and 3 of them 8/3, 8/3 and 2.741 by Karatsuba's method, 2.25, 2.0625 and 2.016 by the schoolbook method. With Karatsuba's the third fold loses for long numbers, as thin rectangles are cut into squares.",
		"The lines for the schoolbook method are against the schoolbook method without folds.")
}

// rsa is slide 14.
func rsa(c *computer) (*Chart, error) {
	name, base := c.montgomery()
	folds, folded := c.folded(c.choice.Folds)
	against := func(op operation) *operation { return &op }
	masked := func(op operation) operation {
		op.masked = true
		return op
	}
	columns := func(op operation) operation {
		op.scan = model.Product
		return op
	}
	lines := []line{{name: "over " + name, operation: folded}}
	for _, a := range []model.Algorithm{model.CIOS, model.FIOS} {
		if a != c.choice.Montgomery {
			lines = append(lines, line{
				name:      "over " + montgomeryName(a),
				operation: folded, against: against(c.method(model.Method{Algorithm: a})),
			})
		}
	}
	lines = append(lines,
		line{
			name:      "over FIPS, all by columns",
			operation: columns(folded), against: against(columns(c.method(model.Method{Algorithm: model.FIPS}))),
		},
		line{
			name:      "over Karatsuba-Montgomery",
			operation: folded, against: against(c.method(model.Method{Algorithm: model.KaratsubaMontgomery})),
		},
	)
	if !c.choice.Processor.Masked {
		lines = append(lines, line{
			name:      "over " + name + ", both masked",
			operation: masked(folded), against: against(masked(base)),
		})
	}
	return c.compare("RSA: speed-up of "+folds+" over Montgomery", name, base, lines, lines[0].name,
		"An exponentiation is a chain of multiplications modulo the key (or one of its primes, of half the length): its speed-up is that of one of them. Squares are counted as products, and the ways into Montgomery's domain and out of it, as well as the constants of a modulus, as nothing.",
		"The slides say 2, 2, 3 and 4 times for 512, 1024, 2048 and 4096 bits: on their processor (words of 8 bits, a multiplication of 2 cycles) that is the speed-up over FIOS, and over FIPS if all products are made by columns. It is less over CIOS, and little over Montgomery's multiplication with Karatsuba's products.",
		"Masked: constant time. What would be skipped is masked and added, carries run to the end, and all three corrections are made.")
}

// avr is the example of slide 14.
func avr(c *computer) (*Chart, error) {
	name, base := c.montgomery()
	folds, folded := c.folded(c.choice.Folds)
	chart := &Chart{
		Title: fmt.Sprintf("RSA with the private key on a processor of %v MHz", c.choice.MHz), Unit: Minutes, scale: Minutes, headline: 1,
		Notes: []string{
			"With the two primes of the key (CRT), and square and multiply bit by bit: for n bits that is 3n/2 multiplications of n/2 bits. Nothing else is counted.",
			"The slides say almost 4 minutes for 4096 bits with Montgomery on an AVR of 16 MHz, and 1 with folds; on their processor FIOS takes 3.8 and two folds 1.2.",
		},
	}
	for _, memory := range []bool{false, true} {
		all := []Series{{Name: name, Unit: Minutes}, {Name: folds, Unit: Minutes}}
		for i, op := range []operation{base, folded} {
			for _, nbits := range c.choice.Bits {
				p, err := c.point(op, (nbits+1)/2, memory)
				if err != nil {
					return nil, err
				}
				if p == nil {
					continue
				}
				p.Bits = nbits
				p.Value = 1.5 * float64(nbits) * float64(p.Cycles) / (c.choice.MHz * 1e6 * 60)
				all[i].Points = append(all[i].Points, *p)
			}
		}
		chart.set(memory, all)
	}
	return chart, nil
}
