package kerneltest

import (
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"residue/asm/internal/x86"
)

// covered are the instructions that have been executed, by their address in a
// program.
var covered = struct {
	sync.Mutex
	insts map[*x86.Inst]bool
}{insts: map[*x86.Inst]bool{}}

// cover returns a function that notes what is executed.
func cover(string) func(in *x86.Inst) {
	return func(in *x86.Inst) { covered.insts[in] = true }
}

// TestMain looks, when all tests have passed, for instructions of kernels that no
// test has executed.
func TestMain(m *testing.M) {
	status := m.Run()
	if status == 0 && everything() {
		status = uncovered()
	}
	os.Exit(status)
}

// everything reports whether all tests are asked for.
func everything() bool { return testing.Short() == false && runPattern() == "" }

func uncovered() (status int) {
	all, err := loaded()
	if err != nil {
		return 1
	}
	for _, kernel := range slices.Sorted(maps.Keys(all)) {
		for _, name := range slices.Sorted(maps.Keys(all[kernel])) {
			r := all[kernel][name]
			var first *x86.Inst
			missing := 0
			for i := range r.Insts {
				if !covered.insts[&r.Insts[i]] {
					missing++
					if first == nil {
						first = &r.Insts[i]
					}
				}
			}
			if missing > 0 {
				println(name, "has", missing, "instructions that no test executes; the first:", first.String(), "at offset", first.Offset)
				status = 1
			}
		}
	}
	return status
}
