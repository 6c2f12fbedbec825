package schedule

import (
	"cmp"
	"slices"

	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
	"residue/asm/internal/ports"
)

// piece is straight-line code that is being scheduled.
type piece struct {
	opt   *Options
	mem   *memory
	insts []*node
	live  []*pressure
	cycle *ports.Cycle
}

// node is an instruction of a piece.
type node struct {
	*effect.Effect
	index   int
	next    []edge // instructions that must come later
	waits   int    // for how many that have no place yet
	ready   int    // the cycle in which what it waits for is there
	path    int    // the longest path of latencies from its start to the end
	latency int
	placed  bool
}

// edge says that an instruction starts so many cycles after another, at least.
type edge struct {
	to     *node
	cycles int
}

func newPiece(effects []*effect.Effect, liveIn, liveOut effect.Set, opt *Options, mem *memory, wide bool) *piece {
	p := &piece{opt: opt, mem: mem, live: newPressures(effects, liveIn, liveOut, opt.Live), cycle: ports.NewCycle(opt.Model, wide)}
	for i, e := range effects {
		n := &node{Effect: e, index: i, latency: opt.Model.Latency(&e.Inst)}
		if opt.Load > 0 && ports.OnlyLoads(&e.Inst) {
			n.latency = opt.Load
		}
		p.insts = append(p.insts, n)
	}
	p.connect()
	for _, n := range slices.Backward(p.insts) {
		n.path = n.latency
		for _, e := range n.next {
			n.path = max(n.path, e.cycles+e.to.path)
		}
	}
	return p
}

// connect finds what must stay in order.
func (p *piece) connect() {
	wrote := map[reg.ID]*node{}  // the last to write a register
	read := map[reg.ID][]*node{} // those that have read it since
	var accesses []*node
	join := func(from, to *node, cycles int) {
		if from != to {
			from.next = append(from.next, edge{to, cycles})
			to.waits++
		}
	}
	for _, n := range p.insts {
		for _, r := range n.Reads {
			if w := wrote[r]; w != nil {
				join(w, n, w.latency+p.opt.Model.Bypass(&w.Inst, &n.Inst))
			}
			read[r] = append(read[r], n)
		}
		for _, r := range n.Writes {
			for _, m := range read[r] {
				join(m, n, 0)
			}
			if w := wrote[r]; w != nil {
				join(w, n, 0)
			}
			wrote[r], read[r] = n, nil
		}
		if n.Memory == nil {
			continue
		}
		for _, m := range accesses {
			if p.mem.conflict(m.Memory, n.Memory) {
				cycles := 0
				if m.Memory.Stores && n.Memory.Loads {
					cycles = max(0, p.opt.Model.Forward-n.latency)
				}
				join(m, n, cycles)
			}
		}
		accesses = append(accesses, n)
	}
}

// schedule returns the instructions' numbers in their new order.
func (p *piece) schedule() (order []int) {
	var ready []*node // whose predecessors all have their places
	for _, n := range p.insts {
		if n.waits == 0 {
			ready = append(ready, n)
		}
	}
	oldest, end := 0, p.opt.Window
	if end <= 0 {
		end = len(p.insts)
	}
	for now := 0; len(order) < len(p.insts); {
		slices.SortFunc(ready, func(a, b *node) int {
			return cmp.Or(cmp.Compare(b.path, a.path), cmp.Compare(a.index, b.index))
		})
		i := slices.IndexFunc(ready, func(n *node) bool {
			return n.ready <= now && n.index < end && (n.index == oldest || p.allows(n.index)) && p.cycle.Take(&n.Inst)
		})
		if i < 0 {
			now++
			p.cycle.Clear()
			continue
		}
		n := ready[i]
		ready = slices.Delete(ready, i, i+1)
		order = append(order, n.index)
		for _, l := range p.live {
			l.place(n.index)
		}
		n.placed = true
		for oldest < len(p.insts) && p.insts[oldest].placed {
			oldest++
		}
		end++
		for _, e := range n.next {
			e.to.ready = max(e.to.ready, now+e.cycles)
			e.to.waits--
			if e.to.waits == 0 {
				ready = append(ready, e.to)
			}
		}
	}
	return order
}

// allows reports whether there are registers for an instruction to go ahead.
func (p *piece) allows(i int) bool {
	return !slices.ContainsFunc(p.live, func(l *pressure) bool { return !l.allows(i) })
}
