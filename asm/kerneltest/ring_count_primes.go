package kerneltest

import "residue/asm/internal/machine"

// exact16 returns what executes an operation by two primes as residue/negacyclic does.
func (c *ringCount) exact16(operation string) func() error {
	const values, factor = 2 * ntt16Bytes, 4 * ntt16Bytes // bytes modulo both primes
	primes := []*NTT16{NewNTT16(c.Lab, c.kernel(), exactP), NewNTT16(c.Lab, c.kernel(), exactQ)}
	table := primes[1].CombineTable()
	x, y := c.zeros("x", ntt16Bytes), c.zeros("y", ntt16Bytes)
	e := parts(c.zeros("values", values), 2)
	z, residues := c.several("z", c.rows, ntt16Bytes), c.zeros("residues", c.rows*values)
	var all steps
	// combine adds rows modulo both primes.
	combine := func(z []machine.Span) {
		from := parts(residues.Slice(0, len(z)*values), 2*len(z))
		for i, to := range z {
			all.add(func() error { return primes[0].Combine(to, from[i], from[len(z)+i], table) })
		}
	}
	product := parts(residues.Slice(0, values), 2)
	for prime, n := range primes {
		switch operation {
		case "mul":
			all.add(func() error { return n.ExactMul(product[prime], x, y) })
		case "evaluate":
			all.add(func() error { return n.Transform("Exact16", e[prime], x) })
		case "base":
			f := parts(c.zeros("f", factor), 2)
			all.add(func() error { return n.Sum(product[prime], e[prime:prime+1], f[prime:prime+1], true) })
		case "interpolate":
			all.add(func() error { return n.Transform("ExactInverse16", product[prime], e[prime]) })
		}
	}
	switch operation {
	case "mul", "interpolate":
		combine(z[:1])
		return all.run
	case "evaluate", "base":
		return all.run
	}
	s, f := c.several("s", c.columns, ntt16Bytes), c.several("f", c.columns, factor)
	three := residues.Slice(0, c.columns*ntt16Bytes)
	for prime, n := range primes {
		if operation == "matvec-ready" {
			break
		}
		all.add(func() error { return n.Three("ThreeExact16", three, s) })
		for j, x := range parts(three, c.columns) {
			all.add(func() error { return n.ExactFactor(parts(f[j], 2)[prime], x) })
		}
	}
	ready, coefficients := c.matrix(values), c.matrix(ntt16Bytes)
	evaluated := c.zeros("evaluated", c.rows*c.columns*ntt16Bytes)
	for prime, n := range primes {
		from, at := ready, prime*ntt16Bytes
		if operation == "matvec-poly" {
			from, at = parts(evaluated, c.rows*c.columns), 0
			for i, to := range parts(evaluated, c.rows) {
				all.add(func() error { return n.Three("ThreeExact16", to, c.row(coefficients, i)) })
			}
		}
		rows := parts(parts(residues, 2)[prime], c.rows)
		all.add(func() error { return n.ExactRows(rows, from, f, at, prime*factor/2) })
	}
	combine(z)
	return all.run
}
