package kerneltest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"residue/asm/internal/x86"
)

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
func everything() bool {
	for _, name := range []string{"run", "skip", "list"} {
		if flag.Lookup("test."+name).Value.String() != "" {
			return false
		}
	}
	return true
}

func uncovered() (status int) {
	all, err := loaded()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	for _, kernel := range slices.Sorted(maps.Keys(all)) {
		for _, name := range slices.Sorted(maps.Keys(all[kernel])) {
			r := all[kernel][name]
			var first *x86.Inst
			missing := 0
			for i := range r.Insts {
				if r.Runs[i] == 0 {
					missing++
					if first == nil {
						first = &r.Insts[i]
					}
				}
			}
			if missing > 0 {
				fmt.Printf("%s has %d instructions that no test executes; the first is %s at offset %d\n", name, missing, first.String(), first.Offset)
				status = 1
			}
		}
	}
	return status
}
