package kerneltest

import (
	"fmt"

	"residue/asm/internal/machine"
)

// SameTraces runs what run(i) does for i below n, each with secrets of its own, and
// returns an error that shows the first difference if the sequences of executed
// instructions and accessed addresses are not the same. Runs must begin in the same
// state, but for secrets.
func (l *Lab) SameTraces(n int, run func(i int) error) error {
	defer func() { l.Trace = nil }()
	trace := func(i int, keep bool) (*machine.Trace, error) {
		t := &machine.Trace{}
		if keep {
			t.Keep()
		}
		l.Trace = t
		return t, run(i)
	}
	first, err := trace(0, false)
	if err != nil {
		return err
	}
	for i := 1; i < n; i++ {
		t, err := trace(i, false)
		if err != nil {
			return err
		}
		if t.Equal(first) {
			continue
		}
		a, errA := trace(0, true)
		b, errB := trace(i, true)
		if errA != nil || errB != nil {
			return fmt.Errorf("kerneltest: traces differ, and then fail: %v, %v", errA, errB)
		}
		return fmt.Errorf("kerneltest: traces of runs 0 and %d differ: %s", i, a.Difference(b, l.Mem))
	}
	if first.Events() == 0 {
		return fmt.Errorf("kerneltest: nothing was executed")
	}
	return nil
}
