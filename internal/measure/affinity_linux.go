package measure

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// affinity is the set of processors that the thread may run on, while it is bound
// to one of them.
type affinity struct {
	bound bool
	free  unix.CPUSet
	at    int // the processor that it was last bound to
}

// move binds the thread to the next processor that it may run on. Where the
// system does not allow that, the thread stays.
func (a *affinity) move() {
	if !a.bound && unix.SchedGetaffinity(0, &a.free) != nil {
		return
	}
	const processors = 8 * int(unsafe.Sizeof(a.free))
	for i := 1; i <= processors; i++ {
		next := (a.at + i) % processors
		if !a.free.IsSet(next) {
			continue
		}
		var one unix.CPUSet
		one.Set(next)
		if unix.SchedSetaffinity(0, &one) == nil {
			a.at, a.bound = next, true
		}
		return
	}
}

// restore lets the thread run where it could at first.
func (a *affinity) restore() {
	if a.bound && unix.SchedSetaffinity(0, &a.free) == nil {
		a.bound = false
	}
}
