package mont

import (
	"fmt"

	"residue/internal/cpu"
	"residue/internal/window"
	"residue/internal/wordmont"
)

// Kernel is one implementation of the arithmetic, by what CPU it needs. The zero
// value is not usable: see [Default] and [Kernels].
type Kernel struct {
	name string
	// For lengths that have no vectors: the kernel in words, and its own name.
	words     wordmont.Routines
	wordsName string
	vectors   *vectorEngine // nil if there are none
}

// kernelNamed has the kernels of this build by the names of package cpu. Those for
// vectors get their routines where the assembly is bound.
var kernelNamed = func() map[string]*Kernel {
	ks := map[string]*Kernel{}
	words := ""
	for _, name := range cpu.Runnable() {
		if _, ok := wordmont.Named(name); ok && words == "" {
			words = name
		}
	}
	for _, name := range cpu.Known {
		k := &Kernel{name: name, wordsName: name}
		var ok bool
		if k.words, ok = wordmont.Named(name); !ok {
			k.words, _ = wordmont.Named(words)
			k.wordsName = words
		}
		ks[name] = k
	}
	return ks
}()

// Name returns the kernel's name, as RESIDUE_KERNEL takes it.
func (k *Kernel) Name() string { return k.name }

// Engine returns the name of the kernel that does the arithmetic modulo a modulus of
// the given length: k's own, or that of the one in 64-bit words that k leaves the
// length to.
func (k *Kernel) Engine(bits int) string {
	if _, ok := k.vectors.fit(bits); ok {
		return k.name
	}
	return k.wordsName
}

// Kernels returns the kernels that this build can run on this CPU, fastest first.
func Kernels() []*Kernel {
	var ks []*Kernel
	for _, name := range cpu.Runnable() {
		ks = append(ks, kernelNamed[name])
	}
	return ks
}

// Default returns the kernel in use: the one that RESIDUE_KERNEL names, or else the
// fastest. A name that this build or CPU cannot run is an error.
func Default() (*Kernel, error) {
	name, err := cpu.Chosen()
	if err != nil {
		return nil, fmt.Errorf("mont: %w", err)
	}
	return kernelNamed[name], nil
}

// arithmetic is Montgomery arithmetic modulo one odd N < R in the form of an engine.
// A number is so many words, of which bounds and meaning are the engine's; results
// are as good as operands. z may be x or y. What work holds does not matter, before
// and after.
type arithmetic interface {
	// size returns the words of a number and of work. Numbers that lie one behind the
	// other, from an address that 64 divides, are where the engine wants them.
	size() (number, work int)
	// log2R returns the binary logarithm of R.
	log2R() int
	// quickSquarings returns how many squarings are quicker than to divide twice, four
	// times … as many bits by N.
	quickSquarings() int
	// loadBits returns how long numbers may be that are loaded: no shorter than N.
	loadBits() int
	// load sets z to the number w of at most loadBits bits, which may only be the
	// first operand of mul then, or be reduced.
	load(z, w []uint64)
	// store sets w to the number x, in as many 64-bit words as it needs or more.
	store(w, x []uint64)
	// mul sets z ≡ x·y/R modulo N.
	mul(z, x, y, work []uint64)
	// sqr sets z ≡ x²/R modulo N, and then z ≡ z²/R, times times in all, times ≥ 1.
	sqr(z, x []uint64, times int, work []uint64)
	// redc sets z ≡ x/R modulo N, below 2N.
	redc(z, x, work []uint64)
	// gather sets z to entry index of the table, reading all of it.
	gather(z, table []uint64, index uint64)
	// cost returns the time of the operations, in a unit of the engine's.
	cost() window.Cost
	// wipe zeroes what was prepared.
	wipe()
}
