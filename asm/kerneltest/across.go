package kerneltest

import "residue/asm/internal/machine"

// Across is the routines for one number across the lanes of vectors, of one size, as
// residue/mont and residue/pmns have them: products and squares with constants and a work
// space, and look-ups. Of the words of a number only the lowest 52 bits count.
type Across struct {
	*Lab
	// Form is that of products, as the names of their routines have it.
	Form            string
	size            string // in the names of all
	words           int    // of a number
	constants, work machine.Span
}

// litterFrom is the lowest bit of a word that does not count.
const litterFrom = 52

// acrossBytes is enough memory for an Across with so many vectors of constants, of work
// space and of a number, and for others of its numbers.
func acrossBytes(constants, work, vectors, others int) int {
	return 1<<14 + vectorBytes*(constants+work) + others*(vectorBytes*vectors+512)
}

func newAcross(l *Lab, size string, constants, work, vectors int) Across {
	return Across{
		Lab: l, size: size, words: vectorLanes * vectors,
		constants: l.Alloc("constants", vectorLanes*constants),
		work:      l.Alloc("work", vectorLanes*work),
	}
}

// Words is the number of words of a number.
func (a *Across) Words() int { return a.words }

// Number returns room for a number.
func (a *Across) Number(name string) machine.Span { return a.Alloc(name, a.words) }

// SetDigits sets a number, which is a secret, with litter above its digits.
func (a *Across) SetDigits(x machine.Span, ds []uint64, litter func() uint64) {
	words := make([]uint64, len(ds))
	for i, d := range ds {
		words[i] = d | litter()<<litterFrom
	}
	a.Set(x, words, false)
}

// DigitsAt returns the digits of a number in memory.
func (a *Across) DigitsAt(x machine.Span) []uint64 {
	ds := make([]uint64, x.Len/8)
	for i := range ds {
		ds[i] = x.Word(i) & (1<<litterFrom - 1)
	}
	return ds
}

func (a *Across) routine(what string) string { return "ifma512" + what + a.size }

// Mul sets z to the product of x and y.
func (a *Across) Mul(z, x, y machine.Span) error {
	return a.Call(a.routine("Mul"+a.Form), map[string]Operand{
		"z": Out(z), "x": In(x), "y": In(y), "constants": In(a.constants), "work": Work(a.work),
	})
}

// Sqr sets z to the square of x, and then squares z, times times in all.
func (a *Across) Sqr(z, x machine.Span, times int) error {
	out := Out
	if times > 1 {
		out = OutAgain
	}
	return a.Call(a.routine("Sqr"), map[string]Operand{
		"z": out(z), "x": In(x), "constants": In(a.constants), "work": Work(a.work), "times": Number(times),
	})
}

// Gather sets z to entry index of the table.
func (a *Across) Gather(z, table machine.Span, index int) error {
	return a.Call(a.routine("Gather"), map[string]Operand{
		"z": Out(z), "table": In(table), "entries": Number(table.Len / z.Len), "index": a.Word(uint64(index), true),
	})
}

// acrossOperations are the names that Operation takes.
var acrossOperations = []string{"mulmont", "sqrmont", "gather"}

// Operation returns what executes an operation once, on zeros, or nil if there is no
// such operation; entries is the length of the table of a gather.
func (a *Across) Operation(name string, entries int) func() error {
	zeros := func(what string, numbers int) machine.Span {
		s := a.Alloc(what, numbers*a.words)
		a.Set(s, make([]uint64, numbers*a.words), false)
		return s
	}
	x, z := zeros("x", 1), a.Number("z")
	switch name {
	case "mulmont":
		return func() error { return a.Mul(z, x, x) }
	case "sqrmont":
		return func() error { return a.Sqr(z, x, 1) }
	case "gather":
		table := zeros("table", entries)
		return func() error { return a.Gather(z, table, 0) }
	}
	return nil
}
