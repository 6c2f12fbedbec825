//go:build amd64 && !purego

package mont

import "residue/internal/cpu"

func init() {
	kernelNamed[cpu.IFMA512].vectors = &vectorEngine{routines: ifma512, leastBits: 321}
}

// ifma512 are the routines for AVX512-IFMA. The shapes are those of residue/asm/mont.
var ifma512 = []vectorRoutines{
	{vectorShape{1, slackBits, 8}, ifma512Mul1, ifma512Sqr1, ifma512Gather1},
	{vectorShape{2, slackBits, 16}, ifma512Mul2, ifma512Sqr2, ifma512Gather2},
	{vectorShape{3, slackBits, 21}, ifma512Mul3, ifma512Sqr3, ifma512Gather3},
	{vectorShape{4, slackBits, 32}, ifma512Mul4, ifma512Sqr4, ifma512Gather4},
	{vectorShape{5, exactBits, 40}, ifma512Mul5, ifma512Sqr5, ifma512Gather5},
	{vectorShape{6, slackBits, 48}, ifma512Mul6, ifma512Sqr6, ifma512Gather6},
	{vectorShape{7, slackBits, 56}, ifma512Mul7, ifma512Sqr7, ifma512Gather7},
	{vectorShape{8, slackBits, 64}, ifma512Mul8, ifma512Sqr8, ifma512Gather8},
	{vectorShape{9, exactBits, 72}, ifma512Mul9, ifma512Sqr9, ifma512Gather9},
	{vectorShape{10, exactBits, 80}, ifma512Mul10, ifma512Sqr10, ifma512Gather10},
	{vectorShape{12, exactBits, 96}, ifma512Mul12, ifma512Sqr12, ifma512Gather12},
	{vectorShape{15, exactBits, 120}, ifma512Mul15, ifma512Sqr15, ifma512Gather15},
	{vectorShape{18, exactBits, 144}, ifma512Mul18, ifma512Sqr18, ifma512Gather18},
	{vectorShape{20, exactBits, 160}, ifma512Mul20, ifma512Sqr20, ifma512Gather20},
}
