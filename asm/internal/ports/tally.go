package ports

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"residue/asm/internal/x86"
)

// Row is instructions of one mnemonic and form.
type Row struct {
	Name  string // with the kind of access, if one has a form with and one without
	Count int

	classes []Class
	slots   int
	first   *x86.Inst // of those that it counts
}

// Tally is executed instructions.
type Tally struct {
	Rows []Row
	wide bool
}

// Count tallies programs, given with how often each instruction was executed.
func Count(programs []Counted) *Tally {
	t := &Tally{}
	at := map[string]int{}
	for _, p := range programs {
		for i := range p.Insts {
			in := &p.Insts[i]
			if p.Runs[i] == 0 {
				continue
			}
			if in.Size == 64 && in.Args[0].Kind != x86.Immediate {
				t.wide = true
			}
			fused := i+1 < len(p.Insts) && Fuses(in, &p.Insts[i+1])
			name := rowName(in, fused)
			n, ok := at[name]
			if !ok {
				n = len(t.Rows)
				at[name] = n
				t.Rows = append(t.Rows, Row{Name: name, classes: Classes(in, fused), slots: slots(in, fused), first: in})
			}
			t.Rows[n].Count += p.Runs[i]
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return cmp.Compare(b.Count, a.Count) })
	return t
}

// Counted is a program with the number of times each instruction was executed.
type Counted struct {
	Insts []x86.Inst
	Runs  []int
}

// Madds is the number of vector multiply-adds.
func (t *Tally) Madds() (n int) {
	for _, r := range t.Rows {
		if strings.HasPrefix(r.Name, "VPMADD52") {
			n += r.Count
		}
	}
	return n
}

// rowName is the mnemonic and what tells forms of it apart.
func rowName(in *x86.Inst, fused bool) string {
	name := in.Name()
	mem := in.Mem()
	switch {
	case fused:
		name += " (fused)"
	case mem == nil || in.Op == x86.LEA || in.Op == x86.NOP:
		if in.Reads&^in.Addr == 0 && len(in.Args) > 0 && in.NArgs > 1 && in.Args[0].Kind == x86.Register && in.Op != x86.LEA && in.Op != x86.MOV {
			name += " (constant)"
		}
	case in.Args[0].Kind == x86.Memory && in.Op != x86.CMP && in.Op != x86.TEST:
		name += " (store)"
	default:
		name += " (load)"
	}
	if in.Mask != x86.K0 {
		name += " under a mask"
	}
	return name
}

// slots is the number of places that the instruction takes at rename: operations and
// their accesses of memory share one.
func slots(in *x86.Inst, fused bool) int {
	switch {
	case fused:
		return 0
	case in.Op == x86.MUL || in.Op == x86.MULX:
		return 2
	}
	return 1
}

// Throughput is the least number of cycles for one of many instructions of the row,
// and Latency the number until its result is there.
func (r Row) Throughput(m *Model, wide bool) float64 {
	u := use{}
	for _, c := range r.classes {
		u.add(m, c, 1, wide)
	}
	cycles, _ := u.bound()
	return max(cycles, float64(r.slots)/float64(m.Width))
}

// Latency is the sum of the latencies of what the instruction consists of.
func (r Row) Latency(m *Model) (cycles int) {
	for _, c := range r.classes {
		cycles += m.latency[c]
	}
	return cycles + m.merging(r.first)
}

// Sum adds up counts times throughputs, as if one kind of instruction came after the
// other.
func (t *Tally) Sum(m *Model) (cycles float64) {
	for _, r := range t.Rows {
		cycles += float64(r.Count) * r.Throughput(m, t.wide)
	}
	return cycles
}

// Kind is instructions of one class.
type Kind struct {
	Name  string
	Count int
}

// Kinds counts what is executed by class, the most frequent first: loads that come with an
// operation are counted beside it.
func (t *Tally) Kinds() (kinds []Kind) {
	var counts [numClasses]int
	for _, r := range t.Rows {
		for _, c := range r.classes {
			counts[c] += r.Count
		}
	}
	for c, n := range counts {
		if n > 0 {
			kinds = append(kinds, Kind{Class(c).String(), n})
		}
	}
	slices.SortStableFunc(kinds, func(a, b Kind) int { return cmp.Compare(b.Count, a.Count) })
	return kinds
}

// Limit is what some ports of a core need for all that only they execute, or rename for all
// that there is.
type Limit struct {
	Name   string
	Cycles float64
}

// Limits are the limits of a core from half of the bound on, the highest first: what to have
// less of, and how far that helps. Ports that have no class in common are not taken together.
func (t *Tally) Limits(m *Model) (limits []Limit) {
	u, slots := t.use(m)
	bound, _ := t.Bound(m)
	add := func(name string, cycles float64) {
		if cycles >= bound/2 {
			limits = append(limits, Limit{name, cycles})
		}
	}
	add("rename", float64(slots)/float64(m.Width))
	for s := range u.unions() {
		if u.connected(s) {
			add(portNames(s), u.cycles(s))
		}
	}
	slices.SortFunc(limits, func(a, b Limit) int {
		return cmp.Or(cmp.Compare(b.Cycles, a.Cycles), cmp.Compare(a.Name, b.Name))
	})
	return limits
}

// use returns what the ports do, and the places at rename.
func (t *Tally) use(m *Model) (u use, places int) {
	u = use{}
	for _, r := range t.Rows {
		for _, c := range r.classes {
			u.add(m, c, r.Count, t.wide)
		}
		places += r.Count * r.slots
	}
	return u, places
}

func portNames(ports Set) string {
	var names []string
	for s := ports; s != 0; s &= s - 1 {
		names = append(names, fmt.Sprint(bits.TrailingZeros32(uint32(s))))
	}
	return "ports " + strings.Join(names, ", ")
}

// Wide reports whether 512-bit vectors are in use.
func (t *Tally) Wide() bool { return t.wide }

// Bound is the least number of cycles in which the core's ports can execute all of
// it, and rename takes it in, if no instruction ever waits for another; and what it
// is that cannot be quicker.
func (t *Tally) Bound(m *Model) (cycles float64, by string) {
	u, slots := t.use(m)
	cycles, busy := u.bound()
	if c := float64(slots) / float64(m.Width); c > cycles {
		return c, "rename"
	}
	return cycles, portNames(busy)
}
