//go:build valgrind && linux && amd64

package ct

import (
	"bytes"
	"math/big"
	"math/bits"
)

// Leak does with secrets what must not be done with them, once in each of the
// functions below. A check that does not report every one of them sees nothing.
func Leak() {
	x := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	Secret(x)
	seen := leakBranch(x) + leakIndex(x) + leakLength(x) + leakInline(x) + leakCall(x) + leakBig(x)
	leaked = Public(seen)
	Declassify(x)
}

var (
	leaked int
	table  [256]int
)

//go:noinline
func leakBranch(x []byte) int {
	if x[0] == 9 {
		return leaked
	}
	return 1
}

//go:noinline
func leakIndex(x []byte) int { return table[x[1]] }

//go:noinline
func leakLength(x []byte) int {
	n := 0
	for range x[2] {
		n++
	}
	return n
}

// leakInline leaks in code of the standard library that is inlined here.
//
//go:noinline
func leakInline(x []byte) int {
	_, r := bits.Div64(0, uint64(x[3]), uint64(x[4])) // panics for a zero
	return int(r)
}

// leakCall leaks in code of the standard library that is called from here.
//
//go:noinline
func leakCall(x []byte) int {
	if bytes.Equal(x[:4], x[4:]) {
		return 1
	}
	return 0
}

//go:noinline
func leakBig(x []byte) int { return new(big.Int).SetBytes(x).Sign() }
