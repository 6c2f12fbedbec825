package barrett

import "residue/internal/cpu"

// choice is what is measured to be quickest for single numbers on a kernel:
//
//	go test ./barrett -run xxx -bench 'Leaf|Folds'
type choice struct {
	// The numbers of words up to which products and squares are not halved.
	leaf, leafSqr int
	// The least numbers of words for which there are one, two … folds.
	least []int
}

var choices = map[string]choice{
	cpu.ADX:     {leaf: 36, leafSqr: 64, least: []int{17, 45, 112}},
	cpu.Generic: {leaf: 36, leafSqr: 72, least: []int{16, 45, 112}},
}

// folds returns the number of folds for a modulus of k words.
func (c *choice) folds(k int) int {
	n := 0
	for n < len(c.least) && k >= c.least[n] {
		n++
	}
	return n
}
