package chart

import "residue/barrett/model"

// operation is something that the processor can be asked to do.
type operation struct {
	model.Method // Leaf is not used
	// product says that it is only a product, not a multiplication modulo something.
	product bool
	// halvings is how often Karatsuba's method halves factors of full length: that many
	// times, or down to the leaf of the choice.
	halvings int
	masked   bool
	scan     model.Scan
}

// toLeaf is the number of halvings of Karatsuba's method as it should be.
const toLeaf = -1

// computer counts operations, each only once.
type computer struct {
	choice *Choice
	counts map[countKey]model.Count
	leaves map[model.Processor]int
}

// countKey is what a count depends on: not on costs.
type countKey struct {
	operation
	bits int
}

func newComputer(c *Choice) *computer {
	return &computer{c, map[countKey]model.Count{}, map[model.Processor]int{}}
}

// processor returns the processor of an operation, with free memory or not.
func (c *computer) processor(op operation, memory bool) model.Processor {
	p := c.choice.Processor
	p.Masked, p.Scan = op.masked, op.scan
	if !memory {
		p.Load, p.Store = 0, 0
	}
	return p
}

// leaf returns the number of words up to which factors are not halved.
func (c *computer) leaf(op operation, p model.Processor, words int) (int, error) {
	switch {
	case op.halvings != toLeaf:
		return max(1, (words+1<<op.halvings-1)>>op.halvings), nil
	case c.choice.Leaf > 0:
		return c.choice.Leaf, nil
	case c.leaves[p] > 0:
		return c.leaves[p], nil
	}
	leaf, err := p.BestLeaf()
	c.leaves[p] = leaf
	return leaf, err
}

// point counts an operation on numbers of so many bits. It returns nil if there is no
// such operation, because there are too few words to halve or to fold so often.
func (c *computer) point(op operation, nbits int, memory bool) (*Point, error) {
	p := c.processor(op, memory)
	words := p.Words(nbits)
	if words < 1<<max(op.halvings, 0) || op.Folds > p.MaxFolds(nbits) {
		return nil, nil
	}
	if op.product || op.Algorithm == model.KaratsubaMontgomery || op.Algorithm == model.Barrett {
		leaf, err := c.leaf(op, p, words)
		if err != nil {
			return nil, err
		}
		op.Leaf = min(leaf, words)
	}
	key := countKey{op, nbits}
	count, known := c.counts[key]
	if !known {
		var err error
		if op.product {
			count, err = p.ProductCount(nbits, op.Leaf)
		} else {
			count, err = p.MultiplicationCount(op.Method, nbits)
		}
		if err != nil {
			return nil, err
		}
		c.counts[key] = count
	}
	return &Point{Bits: nbits, Leaf: op.Leaf, Cycles: p.Cycles(count), Count: count}, nil
}
