// Package cpu says which kernel families this machine can run and which one
// to use. The choice is made once, when the program starts; every system
// package asks here, so that RESIDUE_KERNEL means the same everywhere.
package cpu

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// EnvKernel is the environment variable that forces a kernel family.
const EnvKernel = "RESIDUE_KERNEL"

// The kernel families.
const (
	// IFMA512 needs AVX-512 F, DQ, VL, IFMA and VBMI2 and an operating system
	// that saves the 512-bit registers.
	IFMA512 = "ifma512"
	// IFMA256 needs the same instructions, and uses them on 256-bit registers.
	IFMA256 = "ifma256"
	// ADX needs ADX and BMI2, for MULX, ADCX and ADOX, and AVX2, which all CPUs with
	// ADX have.
	ADX = "adx"
	// Generic is portable Go; it runs on every machine.
	Generic = "generic"
)

// Known lists every kernel family, fastest first.
var Known = []string{IFMA512, IFMA256, ADX, Generic}

// Runnable lists the kernel families that this build can run on this CPU,
// fastest first. It always ends with [Generic].
func Runnable() []string {
	var names []string
	if hasIFMA512 {
		names = append(names, IFMA512, IFMA256)
	}
	if hasADX {
		names = append(names, ADX)
	}
	return append(names, Generic)
}

// Chosen returns the kernel family to use: the one that RESIDUE_KERNEL names,
// or else the fastest that is runnable. A name that is unknown or not runnable
// here is an error; the family returned with it is the fastest runnable one.
var Chosen = sync.OnceValues(func() (string, error) {
	return choose(os.Getenv(EnvKernel), Runnable())
})

func choose(forced string, runnable []string) (string, error) {
	switch {
	case forced == "":
		return runnable[0], nil
	case slices.Contains(runnable, forced):
		return forced, nil
	case slices.Contains(Known, forced):
		return runnable[0], fmt.Errorf("residue: %s=%s: this CPU or build cannot run that kernel (it can run: %s)",
			EnvKernel, forced, strings.Join(runnable, ", "))
	default:
		return runnable[0], fmt.Errorf("residue: %s=%s: unknown kernel (known: %s)",
			EnvKernel, forced, strings.Join(Known, ", "))
	}
}
