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

// The kernel families. Those for big numbers work on digits of 52 bits or words of
// 64, and those for polynomial rings on coefficients of 16 and 32 bits.
const (
	// IFMA512, for numbers, needs AVX-512 F, DQ, VL, IFMA and VBMI2 and an operating
	// system that saves the 512-bit registers.
	IFMA512 = "ifma512"
	// AVX512, for rings, needs AVX-512 F, BW, DQ, VL and VNNI.
	AVX512 = "avx512"
	// IFMA256, for numbers, needs the same instructions as IFMA512, and uses them on
	// 256-bit registers.
	IFMA256 = "ifma256"
	// ADX, for numbers, needs ADX and BMI2, for MULX, ADCX and ADOX, and AVX2, which
	// all CPUs with ADX have.
	ADX = "adx"
	// AVX2, for rings, needs AVX2.
	AVX2 = "avx2"
	// Generic is portable Go; it runs on every machine.
	Generic = "generic"
)

// All has all families, those first that ask the most of a machine.
var All = []string{IFMA512, AVX512, IFMA256, ADX, AVX2, Generic}

// Known lists the kernel families for numbers, fastest first.
var Known = []string{IFMA512, IFMA256, ADX, Generic}

// KnownForRings lists the kernel families for polynomial rings, fastest first.
var KnownForRings = []string{AVX512, AVX2, Generic}

// Runnable lists the kernel families for numbers that this build can run on this CPU,
// fastest first. It always ends with [Generic].
func Runnable() []string { return runnable(Known) }

// RunnableForRings is Runnable for the families for polynomial rings.
func RunnableForRings() []string { return runnable(KnownForRings) }

func runnable(families []string) (names []string) {
	for _, name := range families {
		if has[name] || name == Generic {
			names = append(names, name)
		}
	}
	return names
}

// Chosen returns the kernel family for numbers to use: the one that RESIDUE_KERNEL
// names, or else the fastest that is runnable. Where it names a family for rings, it is
// the fastest that asks no more of a machine. A name that is unknown or not runnable here
// is an error; the family returned with it is the fastest runnable one.
var Chosen = sync.OnceValues(func() (string, error) {
	return choose(os.Getenv(EnvKernel), Runnable(), runnable(All))
})

// ChosenForRings is Chosen for the families for polynomial rings.
var ChosenForRings = sync.OnceValues(func() (string, error) {
	return choose(os.Getenv(EnvKernel), RunnableForRings(), runnable(All))
})

// choose returns the first of own that asks no more than the forced family. all has what
// is runnable, of own and of others, in the order of All.
func choose(forced string, own, all []string) (string, error) {
	switch {
	case forced == "":
		return own[0], nil
	case slices.Contains(all, forced):
		most := slices.Index(All, forced)
		for _, name := range own {
			if slices.Index(All, name) >= most {
				return name, nil
			}
		}
		return Generic, nil
	case slices.Contains(All, forced):
		return own[0], fmt.Errorf("residue: %s=%s: this CPU or build cannot run that kernel (it can run: %s)",
			EnvKernel, forced, strings.Join(all, ", "))
	default:
		return own[0], fmt.Errorf("residue: %s=%s: unknown kernel (known: %s)",
			EnvKernel, forced, strings.Join(All, ", "))
	}
}
