//go:build amd64 && !purego

package pmns

import (
	"slices"

	"residue/internal/cpu"
)

func init() { kernelNamed[cpu.IFMA512].routines = slices.Concat(ifma512, ifma512Toeplitz) }

// ifma512 are the routines for AVX512-IFMA. The sets are those of residue/asm/pmns.
var ifma512 = []vectorRoutines{
	{shape{7, 3}, Truncated, ifma512Mul7x3, ifma512Sqr7x3, ifma512Gather7x3},
	{shape{7, 3}, Full, ifma512MulFull7x3, nil, ifma512Gather7x3},
	{shape{8, 4}, Truncated, ifma512Mul8x4, ifma512Sqr8x4, ifma512Gather8x4},
	{shape{8, 4}, Full, ifma512MulFull8x4, nil, ifma512Gather8x4},
	{shape{7, 6}, Truncated, ifma512Mul7x6, ifma512Sqr7x6, ifma512Gather7x6},
	{shape{7, 6}, Full, ifma512MulFull7x6, nil, ifma512Gather7x6},
	{shape{8, 8}, Truncated, ifma512Mul8x8, ifma512Sqr8x8, ifma512Gather8x8},
	{shape{8, 8}, Full, ifma512MulFull8x8, nil, ifma512Gather8x8},
	{shape{8, 8}, Karatsuba, ifma512MulKaratsuba8x8, ifma512Sqr8x8, ifma512Gather8x8},
	{shape{8, 10}, Truncated, ifma512Mul8x10, ifma512Sqr8x10, ifma512Gather8x10},
	{shape{8, 10}, Full, ifma512MulFull8x10, nil, ifma512Gather8x10},
	{shape{8, 10}, Karatsuba, ifma512MulKaratsuba8x10, ifma512Sqr8x10, ifma512Gather8x10},
	{shape{8, 11}, Truncated, ifma512Mul8x11, ifma512Sqr8x11, ifma512Gather8x11},
	{shape{8, 11}, Full, ifma512MulFull8x11, nil, ifma512Gather8x11},
	{shape{8, 11}, Karatsuba, ifma512MulKaratsuba8x11, ifma512Sqr8x11, ifma512Gather8x11},
	{shape{8, 15}, Truncated, ifma512Mul8x15, ifma512Sqr8x15, ifma512Gather8x15},
	{shape{8, 15}, Full, ifma512MulFull8x15, nil, ifma512Gather8x15},
	{shape{8, 15}, Karatsuba, ifma512MulKaratsuba8x15, ifma512Sqr8x15, ifma512Gather8x15},
	{shape{8, 20}, Truncated, ifma512Mul8x20, ifma512Sqr8x20, ifma512Gather8x20},
	{shape{8, 20}, Full, ifma512MulFull8x20, nil, ifma512Gather8x20},
	{shape{8, 20}, Karatsuba, ifma512MulKaratsuba8x20, ifma512Sqr8x20, ifma512Gather8x20},
	{shape{15, 6}, Truncated, ifma512Mul15x6, ifma512Sqr15x6, ifma512Gather15x6},
	{shape{15, 6}, Full, ifma512MulFull15x6, nil, ifma512Gather15x6},
	{shape{21, 8}, Truncated, ifma512Mul21x8, ifma512Sqr21x8, ifma512Gather21x8},
	{shape{21, 8}, Full, ifma512MulFull21x8, nil, ifma512Gather21x8},
}
