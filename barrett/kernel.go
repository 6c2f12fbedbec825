package barrett

import (
	"fmt"
	"slices"
	"sync"

	"residue/batch"
	"residue/internal/cpu"
	"residue/internal/wordmont"
)

// Kernel is one implementation of the products that the arithmetic is made of, by what
// CPU it needs. The zero value is not usable: see [Default] and [Kernels].
type Kernel struct {
	name string
	// For one number: the products in words, and the name of the kernel that has them.
	words     wordmont.Routines
	wordsName string
	lanes     *batch.Kernel // for eight
}

// Kernels returns the kernels that this build can run on this CPU, fastest first.
func Kernels() []*Kernel { return slices.Clone(kernels()) }

var kernels = sync.OnceValue(func() []*Kernel {
	names := cpu.Runnable()
	var ks []*Kernel
	for _, b := range batch.Kernels() {
		k := &Kernel{name: b.Name(), lanes: b}
		for _, name := range names {
			w, ok := wordmont.Named(name)
			if ok && (k.words == nil || name == k.name) {
				k.words, k.wordsName = w, name
			}
		}
		ks = append(ks, k)
	}
	return ks
})

// Default returns the kernel in use: the one that RESIDUE_KERNEL names, or else the
// fastest. A name that this build or CPU cannot run is an error.
func Default() (*Kernel, error) {
	name, err := cpu.Chosen()
	if err != nil {
		return nil, fmt.Errorf("barrett: %w", err)
	}
	ks := kernels()
	for _, k := range ks {
		if k.name == name {
			return k, nil
		}
	}
	return ks[len(ks)-1], nil
}

// Name returns the kernel's name, as RESIDUE_KERNEL takes it.
func (k *Kernel) Name() string { return k.name }

// Engine returns the name of the kernel that multiplies single numbers: k's own, or
// that of the one in 64-bit words that k leaves them to.
func (k *Kernel) Engine() string { return k.wordsName }
