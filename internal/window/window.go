// Package window is about the windows of a fixed width in which exponents are read, when
// nothing but their length may decide what is done.
package window

// Widest bounds the table of an exponentiation: 64 entries.
const Widest = 6

// Bits returns bits from to from + n − 1 of the big-endian e, n ≤ 9, and zeros where e has
// none. Its time depends on the length of e alone.
func Bits(e []byte, from, n int) uint64 {
	var v uint64
	for i := range 2 { // they lie in two bytes
		if at := len(e) - 1 - from/8 - i; at >= 0 {
			v |= uint64(e[at]) << (8 * i)
		}
	}
	return v >> (from % 8) & (1<<n - 1)
}

// Cost is the time of what an exponentiation is made of, in any unit.
type Cost struct {
	Mul, Sqr float64
	Entry    float64 // of the table, in a look-up
}

// Best returns the width of the windows for exponents of the given length: the one with
// the least cost. That is what depends on the width: to make the table, one look-up and
// one product a window, less the squarings that the first one saves.
func Best(ebits int, c Cost) int {
	best := 1
	for w := 2; w <= Widest; w++ {
		if c.of(w, ebits) < c.of(best, ebits) {
			best = w
		}
	}
	return best
}

func (c *Cost) of(width, ebits int) float64 {
	entries := float64(int(1) << width)
	n := max(1, (ebits+width-1)/width)
	first := ebits - (n-1)*width
	table := entries * (c.Mul + c.Sqr) / 2
	return table + float64(n)*entries*c.Entry + float64(n-1)*c.Mul - float64(first)*c.Sqr
}
