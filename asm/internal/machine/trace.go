package machine

import (
	"fmt"
	"math/bits"
)

// Trace is what an observer of a core could see at most: the instructions that
// are executed and the addresses that are read and written, in their order. It is
// kept as a hash, and in full if asked for.
type Trace struct {
	hash   uint64
	events int
	full   bool
	kept   []event
}

// event is one entry of a trace: an instruction, or an access of memory by it.
type event struct {
	program *Program
	step    int
	access  access
	addr    uint64
	bytes   int
}

type access uint8

const (
	none access = iota
	reads
	writes
)

// Keep makes the trace keep all events, for Difference and Each.
func (t *Trace) Keep() { t.full = true }

// Events is the number of instructions and accesses so far.
func (t *Trace) Events() int { return t.events }

// Equal reports whether two traces are the same, save for collisions of a 64-bit
// hash that nobody has aimed at.
func (t *Trace) Equal(u *Trace) bool { return t.hash == u.hash && t.events == u.events }

func (t *Trace) add(e event) {
	t.events++
	word := e.program.seed + uint64(e.step)
	if e.access != none {
		word = e.addr<<8 | uint64(e.bytes)<<1 ^ uint64(e.access)<<62
	}
	// A bijection for every word, and for every state one for the words.
	t.hash = bits.RotateLeft64((t.hash^word)*0x9e3779b97f4a7c15, 31) + 0x632be59bd9b4e019
	if t.full {
		t.kept = append(t.kept, e)
	}
}

// MemoryAccess is an access of memory by an instruction.
type MemoryAccess struct {
	Addr  uint64
	Bytes int
	Write bool
}

// Each calls f with every instruction of a trace that was kept in full, in their
// order: its program, its number there, and its accesses of memory.
func (t *Trace) Each(f func(p *Program, step int, accesses []MemoryAccess)) {
	var accesses []MemoryAccess
	for i := 0; i < len(t.kept); {
		e := t.kept[i]
		accesses = accesses[:0]
		for i++; i < len(t.kept) && t.kept[i].access != none; i++ {
			a := t.kept[i]
			accesses = append(accesses, MemoryAccess{a.addr, a.bytes, a.access == writes})
		}
		f(e.program, e.step, accesses)
	}
}

// Difference describes where two traces that were kept in full part.
func (t *Trace) Difference(u *Trace, mem *Memory) string {
	for i := range min(len(t.kept), len(u.kept)) {
		a, b := t.kept[i], u.kept[i]
		if a == b {
			continue
		}
		return fmt.Sprintf("event %d: %s; and with the other secrets %s", i, a.describe(mem), b.describe(mem))
	}
	if len(t.kept) != len(u.kept) {
		return fmt.Sprintf("one ends after %d events, the other after %d", len(t.kept), len(u.kept))
	}
	return "none"
}

func (e event) describe(mem *Memory) string {
	at := e.program.at(e.step)
	switch e.access {
	case reads:
		return fmt.Sprintf("%s reads %s", at, mem.Describe(e.addr))
	case writes:
		return fmt.Sprintf("%s writes %s", at, mem.Describe(e.addr))
	}
	return at + " is executed"
}
