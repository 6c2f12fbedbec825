package kerneltest

import "residue/asm/internal/machine"

// ntt16 returns what executes an operation in words of 16 bits as residue/negacyclic does.
func (c *ringCount) ntt16(operation string) func() error {
	n := NewNTT16(c.Lab, c.kernel(), 3329)
	x, y, f := c.zeros("x", ntt16Bytes), c.zeros("y", ntt16Bytes), c.zeros("f", 2*ntt16Bytes)
	z := c.several("z", c.rows, ntt16Bytes)
	switch operation {
	case "mul":
		return func() error { return n.Mul(z[0], x, y) }
	case "forward":
		return func() error { return n.Transform("Forward16", z[0], x) }
	case "inverse":
		return func() error { return n.Transform("Inverse16", z[0], x) }
	case "base":
		return func() error { return n.Sum(z[0], []machine.Span{x}, []machine.Span{f}, false) }
	case "matvec-ready":
		a, s := c.matrix(ntt16Bytes), c.several("s", c.columns, 2*ntt16Bytes)
		if c.wide() {
			return func() error { return n.ThreeRows(z, a, s) }
		}
		var all steps
		for i, to := range z {
			all.add(func() error { return n.Row(to, c.row(a, i), s) })
		}
		return all.run
	}
	a, s := c.matrix(2*ntt16Bytes), c.several("s", c.columns, ntt16Bytes)
	transforms := c.zeros("transforms", c.columns*ntt16Bytes)
	hat := parts(transforms, c.columns)
	var all steps
	if c.wide() {
		all.add(func() error { return n.Three("ThreeResidues16", transforms, s) })
		all.add(func() error { return n.ThreeRows(z, hat, a) })
		return all.run
	}
	for j, x := range s {
		all.add(func() error { return n.Transform("Residues16", hat[j], x) })
	}
	for i, to := range z {
		all.add(func() error { return n.Row(to, hat, c.row(a, i)) })
	}
	return all.run
}

// ntt32 is ntt16 in words of 32 bits.
func (c *ringCount) ntt32(operation string) func() error {
	const bytes = 4 * ringLength
	n := NewNTT32(c.Lab, c.kernel(), 8380417)
	x, y, z, terms := c.zeros("x", bytes), c.zeros("y", bytes), c.zeros("z", bytes), c.zeros("terms", 2*8*ntt32Terms)
	sum := func(x, f []machine.Span) func() error {
		return func() error { return n.Sum32(z, terms, x, f, 0) }
	}
	switch operation {
	case "mul":
		return func() error { return n.Mul32(z, x, y) }
	case "forward":
		return func() error { return n.Transform32(z, x) }
	case "inverse":
		return func() error { return n.Inverse32(z, x) }
	case "base":
		return sum([]machine.Span{x}, []machine.Span{y})
	}
	a, s, hat := c.matrix(bytes), c.several("s", c.columns, bytes), c.several("transform", c.columns, bytes)
	var all steps
	if operation == "matvec" {
		for j, x := range s {
			all.add(func() error { return n.Transform32(hat[j], x) })
		}
	}
	for i := range c.rows {
		all.add(sum(hat, c.row(a, i)))
		all.add(func() error { return n.Inverse32(z, z) })
	}
	return all.run
}
