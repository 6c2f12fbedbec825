//go:build amd64 && !purego

package cpu

import "golang.org/x/sys/cpu"

var (
	hasIFMA512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
		cpu.X86.HasAVX512IFMA && cpu.X86.HasAVX512VBMI2
	hasADX = cpu.X86.HasADX && cpu.X86.HasBMI2 && cpu.X86.HasAVX2
)
