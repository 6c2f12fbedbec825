package kerneltest

import "residue/asm/internal/machine"

// exactBytes and exactFactorBytes are those of values and of factors modulo both primes.
const (
	exactBytes       = 2 * ntt16Bytes
	exactFactorBytes = 2 * exactBytes
)

// exact16 returns what executes an operation by two primes as residue/negacyclic does.
func (c *ringCount) exact16(operation string) func() error {
	if !c.wide() {
		return c.exact16ByRings(operation)
	}
	const values, factor = exactBytes, exactFactorBytes
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

// exact16ByRings is exact16 for a kernel that has the routines of rings, and two more.
func (c *ringCount) exact16ByRings(operation string) func() error {
	const values, factor = exactBytes, exactFactorBytes
	rings := []*NTT16{NewNTT16(c.Lab, c.kernel(), exactP), NewNTT16(c.Lab, c.kernel(), exactQ)}
	table := rings[1].CombineTable()
	x, y, z := c.zeros("x", ntt16Bytes), c.zeros("y", ntt16Bytes), c.zeros("z", ntt16Bytes)
	e, scratch := c.zeros("values", values), c.zeros("scratch", values)
	residues := parts(scratch, 2)
	var all steps
	centre := func(z, x machine.Span) { all.add(func() error { return rings[1].Centre(z, x, table) }) }
	combine := func() {
		all.add(func() error { return rings[1].Combine(z, residues[0], residues[1], table) })
	}
	evaluate := func(e, x machine.Span) {
		to := parts(e, 2)
		centre(to[1], x)
		for i, n := range rings {
			all.add(func() error { return n.Transform("Residues16", to[i], to[1]) })
		}
	}
	row := func(a, s []machine.Span) {
		for i, n := range rings {
			var x, f []machine.Span
			for j, e := range a {
				x, f = append(x, parts(e, 2)[i]), append(f, parts(s[j], 2)[i])
			}
			all.add(func() error { return n.Row(residues[i], x, f) })
		}
		combine()
	}
	switch operation {
	case "mul":
		cx, cy := c.zeros("centred x", ntt16Bytes), c.zeros("centred y", ntt16Bytes)
		centre(cx, x)
		centre(cy, y)
		for i, n := range rings {
			all.add(func() error { return n.Mul(residues[i], cx, cy) })
		}
		combine()
		return all.run
	case "evaluate":
		evaluate(e, x)
		return all.run
	case "base":
		f := parts(c.zeros("f", factor), 2)
		for i, n := range rings {
			all.add(func() error { return n.Sum(residues[i], parts(e, 2)[i:i+1], f[i:i+1], true) })
		}
		return all.run
	case "interpolate":
		for i, n := range rings {
			all.add(func() error { return n.Transform("Inverse16", residues[i], parts(e, 2)[i]) })
		}
		combine()
		return all.run
	}
	f := c.several("f", c.columns, factor)
	if operation != "matvec-ready" {
		for _, g := range f {
			centre(residues[0], y)
			for i, n := range rings {
				all.add(func() error { return n.Transform("Forward16", residues[1], residues[0]) })
				all.add(func() error { return n.Prepare(parts(g, 2)[i], residues[1]) })
			}
		}
	}
	a, some := c.matrix(values), c.several("values", c.columns, values)
	for i := range c.rows {
		from := c.row(a, i)
		if operation == "matvec-poly" {
			from = some
			for _, to := range from {
				evaluate(to, x)
			}
		}
		row(from, f)
	}
	return all.run
}
