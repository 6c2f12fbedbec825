//go:build amd64 && !purego

package measure

import "golang.org/x/sys/cpu"

// HasCycles reports whether cycles can be counted here: a core with 512-bit
// VPMADD52, for which the calibration is written.
func HasCycles() bool { return cpu.X86.HasAVX512IFMA }
