// Package memory has words where vectors want them, and cuts them into pieces.
package memory

import "unsafe"

// Alignment is that of numbers, in bytes: a vector and a line of the cache.
const Alignment = 64

// Aligned returns n zeroed words.
func Aligned(n int) []uint64 {
	const most = Alignment / 8
	mem := make([]uint64, n+most-1)
	skip := 0
	if r := uintptr(unsafe.Pointer(unsafe.SliceData(mem))) % Alignment; r != 0 {
		skip = int(Alignment-r) / 8
	}
	return mem[skip : skip+n : skip+n]
}

// Carve is memory that pieces are cut off.
type Carve []uint64

// Take cuts off n words.
func (c *Carve) Take(n int) (x []uint64) {
	x, *c = (*c)[:n:n], (*c)[n:]
	return x
}
