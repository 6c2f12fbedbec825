package kerneltest

import "residue/asm/internal/machine"

// toom16 returns what executes an operation by Toom-Cook as residue/negacyclic does. The constants
// are zeros as well: what is executed does not depend on them.
func (c *ringCount) toom16(operation string) func() error {
	const (
		values = 2 * 64 * 16         // bytes of values, and of their products
		work   = 2 * 1024            // at most, of room for products
		sum    = 2 * 2 * 27 * 2 * 32 // of short products
	)
	x, y, z := c.zeros("x", ntt16Bytes), c.zeros("y", ntt16Bytes), c.zeros("z", ntt16Bytes)
	e, other, sums := c.zeros("values", values), c.zeros("others", values), c.zeros("sums", sum)
	table, room := c.zeros("table", 1<<12), c.zeros("work", work)
	var all steps
	add := func(what string, operands map[string]Operand) {
		operands["table"], operands["work"], operands["mask"] = In(table), Work(room), Number(1<<13-1)
		all.add(func() error { return c.Call(c.instructions+what+"16", operands) })
	}
	evaluate := func(e, x machine.Span) { add("Evaluate", map[string]Operand{"e": OutAgain(e), "x": In(x)}) }
	leaves := func() { add("Leaves", map[string]Operand{"w": InOut(e), "x": In(e), "y": In(other)}) }
	interpolate := func() { add("Interpolate", map[string]Operand{"z": OutAgain(z), "w": In(e)}) }
	switch operation {
	case "mul":
		evaluate(e, x)
		evaluate(other, y)
		leaves()
		interpolate()
		return all.run
	case "evaluate":
		evaluate(e, x)
		return all.run
	case "base":
		leaves()
		add("Add", map[string]Operand{"sum": InOut(other), "w": In(e)})
		return all.run
	case "interpolate":
		interpolate()
		return all.run
	}
	s := c.several("s", c.columns, values)
	if operation != "matvec-ready" {
		for _, to := range s {
			evaluate(to, x)
		}
	}
	for range c.rows {
		for j, values := range s {
			if operation == "matvec-poly" {
				evaluate(e, y)
			}
			name, to := "AddProducts", InOut(sums)
			if j == 0 {
				name, to = "SetProducts", OutAgain(sums)
			}
			add(name, map[string]Operand{"sum": to, "x": In(e), "y": In(values)})
		}
		add("JoinProducts", map[string]Operand{"w": OutAgain(e), "sum": In(sums)})
		interpolate()
	}
	return all.run
}
