//go:build amd64 && !purego

package pmns

// ifma512Toeplitz are the routines for AVX512-IFMA that split products. The sets are those of
// residue/asm/pmns.
var ifma512Toeplitz = []vectorRoutines{
	{shape{16, 3}, Toeplitz, ifma512MulToeplitz16x3, nil, ifma512Gather16x3},
	{shape{24, 2}, Toeplitz, ifma512MulToeplitz24x2, nil, ifma512Gather24x2},
	{shape{24, 4}, Toeplitz, ifma512MulToeplitz24x4, nil, ifma512Gather24x4},
	{shape{32, 3}, Toeplitz, ifma512MulToeplitz32x3, nil, ifma512Gather32x3},
	{shape{48, 2}, Toeplitz, ifma512MulToeplitz48x2, nil, ifma512Gather48x2},
	{shape{48, 4}, Toeplitz, ifma512MulToeplitz48x4, nil, ifma512Gather48x4},
	{shape{64, 3}, Toeplitz, ifma512MulToeplitz64x3, nil, ifma512Gather64x3},
}
