//go:build amd64 && !purego

package cpu

import "golang.org/x/sys/cpu"

// has tells what the CPU and the operating system have instructions and registers for.
var has = map[string]bool{
	IFMA512: ifma,
	AVX512: cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
		cpu.X86.HasAVX512VNNI,
	IFMA256: ifma,
	ADX:     cpu.X86.HasADX && cpu.X86.HasBMI2 && cpu.X86.HasAVX2,
	AVX2:    cpu.X86.HasAVX2,
}

var ifma = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
	cpu.X86.HasAVX512IFMA && cpu.X86.HasAVX512VBMI2
