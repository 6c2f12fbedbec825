// Package native executes machine code on the CPU itself, for comparison with
// what an interpreter makes of the same bytes.
package native

// MaxArgs is the number of words that a call can have.
const MaxArgs = 16

// Area is memory at an address that does not change.
type Area struct {
	Base  uint64
	Bytes []byte
}
