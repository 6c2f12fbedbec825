//go:build valgrind && linux && amd64

// Package leaky leaks secrets in more and less visible ways, and must be caught.
package leaky

import (
	"math/big"
	"strings"
	"testing"

	"residue/internal/ct"
	"residue/internal/words"
)

func TestSecretLeaks(t *testing.T) { ct.Leak() }

var sink int

//go:noinline
func earlyExit(x []uint64) bool {
	for _, w := range x {
		if w != 7 {
			return false
		}
	}
	return true
}

//go:noinline
func lookUp(x []uint64, table *[16]int) int {
	return table[words.SelectWord(words.MaskZero(x[0]), 1, 2)%16]
}

//go:noinline
func cut(x []uint64) []uint64 { return x[:x[0]] }

//go:noinline
func throughMemory(x []uint64) {
	var buf [4]uint64
	copy(buf[:], x)
	words.Add(buf[:], buf[:], buf[:])
	if buf[3]>>60 == 5 {
		sink++
	}
}

//go:noinline
func inStandardLibrary(x []uint64) string {
	return strings.Repeat("x", int(x[0]&3))
}

//go:noinline
func inGoroutine(x []uint64) {
	done := make(chan bool)
	go func() {
		done <- new(big.Int).SetUint64(x[1]).Sign() > 0
	}()
	<-done
}

//go:noinline
func clean(x []uint64) {
	words.Mod(x, x, x)
	if ct.Public(words.IsZero(x) != 0) {
		sink++
	}
}

func TestSecretLeaky(t *testing.T) {
	x := []uint64{1, 2, 3, 4}
	ct.Secret(x)
	earlyExit(x)
	lookUp(x, new([16]int))
	cut(x)
	throughMemory(x)
	inStandardLibrary(x)
	inGoroutine(x)
	clean(x)
}
