package negacyclic

// leaf is the length below which the schoolbook method takes over.
const leaf = 16

// The products below work in place: both operands are scratch of the caller, x becomes the
// product and y is lost. So they need few words beside.

// strideScratch returns the words of scratch of [strideProduct] for m coefficients: m for
// the sums at each level and a leaf's product, less than 2m together. For m ≤ leaf it is m.
func strideScratch(m int) int {
	words := 0
	for ; m > leaf; m /= 2 {
		words += m
	}
	return words + m
}

// strideProduct sets x to x·y mod Y^m + 1, modulo 2 to the bits of a word; y is lost.
//
// It is Karatsuba's method on even and odd coefficients: with V = Y², x = xe(V) + Y·xo(V) and
//
//	x·y = xe·ye + V·xo·yo + Y·((xe+xo)(ye+yo) − xe·ye − xo·yo)
//
// where V^(m/2) = −1, so the three products are of the same kind as the first and do not
// grow. Nothing is divided, so no bit is lost.
func strideProduct[W Word](x, y, scratch []W) {
	m := len(x)
	if m <= leaf {
		schoolNegacyclic(scratch[:m], x, y)
		copy(x, scratch[:m])
		return
	}
	h := m / 2
	sums, rest := scratch[:m], scratch[m:]
	unzip(x, sums)
	unzip(y, sums)
	for i := range h {
		sums[i] = x[i] + x[h+i]
		sums[h+i] = y[i] + y[h+i]
	}
	strideProduct(x[:h], y[:h], rest)
	strideProduct(x[h:], y[h:], rest)
	strideProduct(sums[:h], sums[h:], rest)
	copy(y, x)
	even, odd := y[:h], y[h:m]
	last := -odd[h-1] // V·V^(h-1) = −1
	for i, s := range sums[:h] {
		e, o := even[i], odd[i]
		x[2*i] = e + last
		x[2*i+1] = s - e - o
		last = o
	}
}

// unzip brings the even coefficients of x to its first half and the odd ones to its second.
func unzip[W Word](x, scratch []W) {
	h := len(x) / 2
	odd := scratch[:h]
	for i := range odd {
		e, o := x[2*i], x[2*i+1]
		x[i], odd[i] = e, o
	}
	copy(x[h:], odd)
}

// classicScratch returns the words of scratch of [classicProduct] for m coefficients: 3m/2
// for the sums at each level and a leaf's product of twice its length, less than 3m together
// when m > leaf.
func classicScratch(m int) int {
	words := 0
	for ; m > leaf; m /= 2 {
		words += m + m/2
	}
	return words + 2*m
}

// classicProduct sets x, of 2m words of which the first m are the operand, to x·y without
// reduction; y, of m words, is lost. It is Karatsuba's method on lower and upper halves.
func classicProduct[W Word](x, y, scratch []W) {
	m := len(y)
	if m <= leaf {
		z := scratch[:2*m]
		schoolLinear(z, x[:m], y)
		copy(x, z)
		return
	}
	h := m / 2
	sx, sy, rest := scratch[:m], scratch[m:m+h], scratch[m+h:]
	for i := range h {
		sx[i] = x[i] + x[h+i]
		sy[i] = y[i] + y[h+i]
	}
	copy(x[m:], x[h:m])
	classicProduct(x[:m], y[:h], rest)
	classicProduct(x[m:], y[h:], rest)
	classicProduct(sx, sy, rest)
	for i := range sx {
		sx[i] -= x[i] + x[m+i]
	}
	for i, s := range sx {
		x[h+i] += s
	}
}
