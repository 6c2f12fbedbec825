package kerneltest

// toom16 returns what executes an operation by Toom-Cook as residue/negacyclic does.
func (c *ringCount) toom16(operation string) func() error {
	const values, bytes = 2 * toom16Values, 2 * toom16Words
	t := NewToom16(c.Lab, c.kernel())
	x, y, z := c.zeros("x", bytes), c.zeros("y", bytes), c.zeros("z", bytes)
	e, other := c.zeros("values", values), c.zeros("others", values)
	switch operation {
	case "mul":
		return steps{
			func() error { return t.Evaluate(e, x) },
			func() error { return t.Evaluate(other, y) },
			func() error { return t.Leaves(e, e, other) },
			func() error { return t.Interpolate(z, e) },
		}.run
	case "evaluate":
		return func() error { return t.Evaluate(e, x) }
	case "base":
		sum := c.zeros("sum", values)
		return steps{
			func() error { return t.Leaves(t.products, e, other) },
			func() error { return t.Add(sum, t.products) },
		}.run
	case "interpolate":
		return func() error { return t.Interpolate(z, e) }
	}
	s := c.several("s", c.columns, values)
	var all steps
	if operation != "matvec-ready" {
		for _, to := range s {
			all.add(func() error { return t.Evaluate(to, x) })
		}
	}
	for range c.rows {
		for j, values := range s {
			if operation == "matvec-poly" {
				all.add(func() error { return t.Evaluate(e, y) })
			}
			all.add(func() error { return t.Product(e, values, j > 0) })
		}
		all.add(func() error { return t.Join(t.products) })
		all.add(func() error { return t.Interpolate(z, t.products) })
	}
	return all.run
}
