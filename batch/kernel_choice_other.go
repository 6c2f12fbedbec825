//go:build !amd64 || purego

package batch

import "residue/internal/cpu"

var kernelNamed = map[string]*Kernel{
	cpu.Generic: {cpu.Generic, wordwise{goWords{}}},
}
