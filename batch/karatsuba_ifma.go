//go:build amd64 && !purego

package batch

// ifmaSquareKaratsuba is a Montgomery square by a list of steps, times times in a
// row, or the columns of one. t is the work space of the steps, work that of the
// reduction.
type ifmaSquareKaratsuba func(z, x, t digits, steps *int, biases, n, ninv, work digits, tiles, times int, look *byte)

var ifma512KaratsubaOfWidth = [maxTile + 1]ifmaSquareKaratsuba{
	14: ifma512SquareKaratsuba14,
	15: ifma512SquareKaratsuba15,
	16: ifma512SquareKaratsuba16,
	18: ifma512SquareKaratsuba18,
	20: ifma512SquareKaratsuba20,
}

var ifma256KaratsubaOfWidth = [maxTile + 1]ifmaSquareKaratsuba{
	14: ifma256SquareKaratsuba14,
	15: ifma256SquareKaratsuba15,
	16: ifma256SquareKaratsuba16,
	18: ifma256SquareKaratsuba18,
	20: ifma256SquareKaratsuba20,
}

// squareKaratsuba sets z = x²/R and then, times − 1 times, z = z²/R, in the lanes of
// one pass, and gathers on the way. With times = 0 it sets the columns of x² alone,
// and needs no modulus.
func (k *ifma) squareKaratsuba(z, x Ints, times int, m *Moduli, sc *Scratch, l int, look *byte) {
	w, tiles, _ := squareTiling(len(x))
	t, _, q := ifmaWork(sc)
	var n, ninv digits
	if times > 0 {
		n, ninv = at(m.n, l), at(m.ninv, l)
	}
	k.squareOfWidth[w](at(z, l), at(x, l), at(t, l), &planFor(len(x))[0].kind, at(squareBiases, l),
		n, ninv, at(q, l), tiles, times, look)
}

// squareWidth is the width of the tiles of squareKaratsuba or, where there is none,
// of squareMont.
func squareWidth(limbs int) int {
	if w, _, ok := squareTiling(limbs); ok {
		return w
	}
	w, _ := tiling(limbs)
	return w
}
