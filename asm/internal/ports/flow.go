package ports

import (
	"container/heap"
	"math/bits"
	"slices"

	"residue/asm/internal/x86"
)

// Access is an access of memory by an executed instruction.
type Access struct {
	Addr  uint64
	Bytes int
	Store bool
}

// Flow follows values through executed instructions, in their order, and so finds
// when each result is there. Jumps are taken for foreseen.
type Flow struct {
	model  *Model
	wide   bool
	core   *core // nil: nothing but latencies counts
	regs   [64]value
	memory map[uint64]int // when what is stored is there, by address of eight bytes
	end    int
}

// value is when a register's value is there, and what made it.
type value struct {
	at int
	by *x86.Inst
}

// NewFlow returns a flow in which only latencies count, or, if limited, the core's
// ports and the room it has for instructions as well. wide says that 512-bit vectors
// are in use.
func NewFlow(m *Model, wide, limited bool) *Flow {
	f := &Flow{model: m, wide: wide, memory: map[uint64]int{}}
	if limited {
		f.core = &core{model: m}
	}
	return f
}

// Cycles is when the last result is there, and ports have taken all that is stored: the
// longest path of latencies if the flow is not limited.
func (f *Flow) Cycles() int { return f.end }

// Step follows an instruction. fused says that it is one with the jump behind it.
func (f *Flow) Step(in *x86.Inst, fused bool, accesses []Access) {
	issued := f.core.issue(slots(in, fused))
	ready := max(issued, f.operands(in))
	for _, a := range accesses {
		if !a.Store {
			ready = max(ready, f.load(in, a, issued))
		}
	}
	done := ready
	for _, c := range operation(in) {
		if c == Free || fused {
			continue
		}
		for _, s := range f.model.ports(c, f.wide) {
			done = max(done, f.core.start(s, ready, true)+f.model.latency[c]+f.model.merging(in))
		}
	}
	for s := in.Writes | in.Spoils; s != 0; s &= s - 1 {
		f.regs[s.First()] = value{done, in}
	}
	for _, a := range accesses {
		if a.Store {
			done = max(done, f.store(a, done))
		}
	}
	f.core.retire(done)
	f.end = max(f.end, done)
}

// load returns when what an instruction loads is there.
func (f *Flow) load(in *x86.Inst, a Access, from int) (at int) {
	for s := in.Addr; s != 0; s &= s - 1 {
		from = max(from, f.regs[s.First()].at)
	}
	class, latency := Load, f.model.latency[Load]
	if a.Bytes > 8 {
		class = VectorLoad
	}
	if in.Size > 8 {
		latency = f.model.latency[VectorLoad]
	}
	for _, s := range f.model.ports(class, f.wide) {
		from = f.core.start(s, from, false)
	}
	at = from + latency
	for w := a.Addr &^ 7; w < a.Addr+uint64(a.Bytes); w += 8 {
		if stored, ok := f.memory[w]; ok {
			at = max(at, stored+f.model.Forward)
		}
	}
	return at
}

// store returns when the ports have taken what is there to be stored.
func (f *Flow) store(a Access, at int) (taken int) {
	class := Store
	if a.Bytes > 8 {
		class = VectorStore
	}
	for _, s := range f.model.ports(class, f.wide) {
		taken = max(taken, f.core.start(s, at, false))
	}
	for w := a.Addr &^ 7; w < a.Addr+uint64(a.Bytes); w += 8 {
		f.memory[w] = at
	}
	return taken
}

// operands returns when the registers that an instruction reads are there, but for
// those of its address.
func (f *Flow) operands(in *x86.Inst) (at int) {
	for s := in.Reads; s != 0; s &= s - 1 {
		r := s.First()
		if in.Addr.Has(r) && in.Op != x86.LEA {
			continue
		}
		v := f.regs[r]
		if v.by != nil {
			v.at += f.model.Bypass(v.by, in)
		}
		at = max(at, v.at)
	}
	return at
}

// core is a core that takes instructions in their order, and starts what is ready on
// ports that are free. Its methods do nothing if there is none.
type core struct {
	model   *Model
	now     int      // the cycle in which the last instruction was taken
	slots   int      // of that cycle, in use
	busy    []Set    // ports, by cycle
	used    [32]int  // how often, by port
	retired []int    // by instruction, in their order
	waiting latestOf // when those started that waited longest
}

// issue returns the cycle in which the next instruction is taken.
func (c *core) issue(slots int) int {
	if c == nil {
		return 0
	}
	at := c.now
	if n := len(c.retired) - c.model.window; n >= 0 {
		at = max(at, c.retired[n])
	}
	if len(c.waiting) == c.model.waiting {
		at = max(at, c.waiting[0])
	}
	if at > c.now {
		c.now, c.slots = at, 0
	}
	if c.slots > 0 && c.slots+slots > c.model.Width {
		c.now, c.slots = c.now+1, 0
	}
	c.slots += slots
	return c.now
}

// start returns the first cycle, from the given one on, in which one of the ports is
// free, and uses it. waits says that until then it is among what waits for ports.
func (c *core) start(ports Set, from int, waits bool) int {
	if c == nil || ports == 0 {
		return from
	}
	for {
		for from >= len(c.busy) {
			c.busy = append(c.busy, 0)
		}
		if free := ports &^ c.busy[from]; free != 0 {
			c.use(free, from)
			break
		}
		from++
	}
	if waits {
		heap.Push(&c.waiting, from)
		if len(c.waiting) > c.model.waiting {
			heap.Pop(&c.waiting)
		}
	}
	return from
}

// use takes one of the ports in a cycle: that which has been used least.
func (c *core) use(free Set, cycle int) {
	best := -1
	for ; free != 0; free &= free - 1 {
		if p := bits.TrailingZeros32(uint32(free)); best < 0 || c.used[p] < c.used[best] {
			best = p
		}
	}
	c.used[best]++
	c.busy[cycle] |= on(best)
}

// retire says when an instruction is done.
func (c *core) retire(done int) {
	if c == nil {
		return
	}
	if n := len(c.retired); n > 0 {
		done = max(done, c.retired[n-1])
	}
	c.retired = append(c.retired, done)
}

// latestOf is a heap with the least on top.
type latestOf []int

func (h latestOf) Len() int           { return len(h) }
func (h latestOf) Less(i, j int) bool { return h[i] < h[j] }
func (h latestOf) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *latestOf) Push(x any)        { *h = append(*h, x.(int)) }
func (h *latestOf) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = slices.Delete(*h, last, last+1)
	return x
}
