package negacyclic

// schoolNegacyclic writes x·y mod Y^m + 1 to z, all of m words and z apart from the others,
// by the schoolbook method modulo 2 to the bits of a word.
func schoolNegacyclic[W Word](z, x, y []W) {
	m := len(x)
	z, y = z[:m], y[:m]
	clear(z)
	for i, v := range x {
		// Y^i·y: its last i coefficients come round with the other sign.
		up, down := z[i:], z[:i]
		for j, w := range y[:m-i] {
			up[j] += v * w
		}
		for j, w := range y[m-i:] {
			down[j] -= v * w
		}
	}
}

// schoolLinear writes x·y to z, of twice the words of x and of y, apart from them.
func schoolLinear[W Word](z, x, y []W) {
	clear(z)
	for i, v := range x {
		up := z[i:]
		for j, w := range y {
			up[j] += v * w
		}
	}
}
