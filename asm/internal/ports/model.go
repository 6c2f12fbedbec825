package ports

import (
	"math/bits"

	"residue/asm/internal/x86"
)

// Set is a set of ports.
type Set uint32

// on returns the set of the given ports.
func on(ports ...int) (s Set) {
	for _, p := range ports {
		s |= 1 << p
	}
	return s
}

// Model is a core: which of its ports execute what, in micro-operations.
type Model struct {
	Name  string
	Width int // micro-operations that are renamed in a cycle
	// wide has, for every class, the ports of each of its micro-operations, where
	// 512-bit vectors are in use, and narrow where there are none.
	wide, narrow [numClasses][]Set
	latency      [numClasses]int
	// Forward is the latency from what is stored to a load of it.
	Forward int
	bypass  int // cycles more from a multiply-add to another operation on vectors, or back
	merge   int // cycles more until a result under a mask of elements of 8 or 16 bits
	window  int // instructions between the first that is not done and the last that is taken
	waiting int // micro-operations that wait for operands and ports
}

// GoldenCove is the core of Intel's Sapphire Rapids. Port 1 does no vectors while
// 512-bit ones are in flight. Sources: uops.info for Alder Lake P and Rocket Lake,
// and measurements on a Sapphire Rapids: chains of multiply-adds and additions, one
// after the other, take 7.5 cycles a pair, not 5; a move from a mask to a general
// register and back takes 4; VPMULLQ takes 2 cycles of throughput. What there is for
// elements of 16 and 32 bits was measured alone and beside instructions whose ports
// are known, and as chains: 512-bit products of 16 bits and their sums execute on
// ports 0 and 5, minima and absolute values on port 0 only, unpacks on port 5 only,
// VPERMW on both at once. A Montgomery product with a subtraction (VPMULLW, VPMULHW,
// VPSUBW) takes 14 cycles at 512 bits, where products wait for results from the other
// port, and 11 at 256. The index of VPERMW takes a cycle longer than what it permutes.
var GoldenCove = &Model{
	Name: "Golden Cove", Width: 6, Forward: 8, bypass: 1, merge: 2, window: 512, waiting: 97,
	wide: [numClasses][]Set{
		Madd: {on(0, 5)}, Logic: {on(0, 5)}, Shift: {on(0)}, Wide: {on(0), on(0), on(0, 5)}, Order: {on(5)}, Shuffle: {on(5)}, Compare: {on(5)}, Broadcast: {on(5)},
		Product: {on(0, 5)}, ProductLow: {on(0, 5), on(0, 5)}, OrderShort: {on(0)}, Unpack: {on(5)}, Lane: {on(5)}, Align: {on(5)},
		Words: {on(0), on(5)}, WordsOfTwo: {on(0, 5), on(5), on(5)}, Truncate: {on(5), on(5)},
		MaskIn: {on(5)}, MaskOut: {on(0)}, MaskLogic: {on(0)}, MaskAdd: {on(5)},
		ALU: {on(0, 1, 5, 6, 10)}, Carry: {on(0, 6)}, Multiply: {on(1)}, MultiplyHi: {on(1), on(5)}, Branch: {on(0, 6)},
		Load: {on(2, 3, 11)}, Store: {on(4, 9), on(7, 8)},
		VectorLoad: {on(2, 3)}, VectorStore: {on(4), on(7, 8)},
	},
	narrow: [numClasses][]Set{
		Madd: {on(0, 1)}, Logic: {on(0, 1, 5)}, Shift: {on(0, 1)}, Wide: {on(0), on(0), on(0, 1)}, Order: {on(5)}, Shuffle: {on(5)}, Compare: {on(5)}, Broadcast: {on(5)},
		Product: {on(0, 1)}, ProductLow: {on(0, 1), on(0, 1)}, OrderShort: {on(0, 1)}, Unpack: {on(1, 5)}, Lane: {on(1, 5)}, Align: {on(5)},
		Words: {on(0, 1), on(5)}, WordsOfTwo: {on(0, 1, 5), on(5), on(5)}, Truncate: {on(1, 5), on(5)},
		MaskIn: {on(5)}, MaskOut: {on(0)}, MaskLogic: {on(0)}, MaskAdd: {on(5)},
		ALU: {on(0, 1, 5, 6, 10)}, Carry: {on(0, 6)}, Multiply: {on(1)}, MultiplyHi: {on(1), on(5)}, Branch: {on(0, 6)},
		Load: {on(2, 3, 11)}, Store: {on(4, 9), on(7, 8)},
		VectorLoad: {on(2, 3, 11)}, VectorStore: {on(4, 9), on(7, 8)},
	},
	latency: [numClasses]int{
		Madd: 4, Logic: 1, Shift: 1, Wide: 15, Order: 3, Shuffle: 3, Compare: 3, Broadcast: 3,
		Product: 5, ProductLow: 10, OrderShort: 1, Unpack: 1, Lane: 1, Align: 1, Words: 3, WordsOfTwo: 7, Truncate: 4,
		MaskIn: 1, MaskOut: 3, MaskLogic: 1, MaskAdd: 4, ALU: 1, Carry: 1, Multiply: 3, MultiplyHi: 4,
		Branch: 1, Load: 5, Store: 0, VectorLoad: 8, VectorStore: 0,
	},
}

// zen5 are the ports of AMD's Zen 5 with 512-bit data paths: 0 to 3 vectors, 4 to 9
// integers, 10 and 11 vector loads, 12 and 13 other loads, 14 and 15 stores. Sources:
// AMD's optimization guide for family 1Ah, and numberworld.org's teardown. What it has
// for products of 64 bits, minima, shuffles, compares and masks, and the latency from
// a store to a load, is a guess. Measured elsewhere are two a cycle of products of 16
// and 32 bits, of permutations of 16-bit elements and of those that cross 128 bits, and
// four of unpacks and duplicates; their ports are a guess.
var zen5 = [numClasses][]Set{
	Madd: {on(0, 1)}, Logic: {on(0, 1, 2, 3)}, Shift: {on(1, 2)}, Wide: {on(0, 1)}, Order: {on(0, 3)}, Shuffle: {on(1, 2)}, Compare: {on(2, 3)}, Broadcast: {on(2, 3)},
	Product: {on(0, 1)}, ProductLow: {on(0, 1)}, OrderShort: {on(0, 3)}, Unpack: {on(0, 1, 2, 3)}, Lane: {on(1, 2)}, Align: {on(1, 2)},
	Words: {on(1, 2)}, WordsOfTwo: {on(1, 2)}, Truncate: {on(1, 2)},
	MaskIn: {on(2, 3)}, MaskOut: {on(2, 3)}, MaskLogic: {on(2, 3)}, MaskAdd: {on(2, 3)},
	ALU: {on(4, 5, 6, 7, 8, 9)}, Carry: {on(4, 5, 6, 7, 8, 9)}, Multiply: {on(4, 5, 6)}, MultiplyHi: {on(4, 5, 6), on(4, 5, 6)},
	Branch: {on(7, 8, 9)}, Load: {on(10, 11, 12, 13)}, Store: {on(14, 15)},
	VectorLoad: {on(10, 11)}, VectorStore: {on(14)},
}

// Zen5 is the core of AMD's Zen 5.
var Zen5 = &Model{
	Name: "Zen 5", Width: 8, Forward: 14, window: 448, waiting: 210, wide: zen5, narrow: zen5,
	latency: [numClasses]int{
		Madd: 4, Logic: 1, Shift: 1, Wide: 3, Order: 1, Shuffle: 4, Compare: 3, Broadcast: 3,
		Product: 3, ProductLow: 4, OrderShort: 1, Unpack: 1, Lane: 1, Align: 1, Words: 4, WordsOfTwo: 4, Truncate: 4,
		MaskIn: 3, MaskOut: 3, MaskLogic: 1, MaskAdd: 3, ALU: 1, Carry: 1, Multiply: 3, MultiplyHi: 4,
		Branch: 1, Load: 4, Store: 0, VectorLoad: 7, VectorStore: 0,
	},
}

// Models are the cores that there are figures for.
var Models = []*Model{GoldenCove, Zen5}

// use is how many micro-operations need which ports.
type use map[Set]int

// bound is the least number of cycles in which the ports can execute all of it, and
// the ports that are busy all the time. For ports S it is the number of
// micro-operations that only S execute, over |S|; by Hall's theorem the largest of
// these can be reached. Only unions of the sets in use need to be looked at.
func (u use) bound() (cycles float64, busy Set) {
	for s := range u.unions() {
		c := u.cycles(s)
		if c > cycles || c == cycles && bits.OnesCount32(uint32(s)) < bits.OnesCount32(uint32(busy)) {
			cycles, busy = c, s
		}
	}
	return cycles, busy
}

// unions are those of the sets in use.
func (u use) unions() map[Set]bool {
	unions := map[Set]bool{}
	for s := range u {
		for v := range unions {
			unions[v|s] = true
		}
		unions[s] = true
	}
	return unions
}

// cycles is the least number of cycles for what only the ports of a set execute.
func (u use) cycles(ports Set) float64 {
	n := 0
	for t, count := range u {
		if t&^ports == 0 {
			n += count
		}
	}
	return float64(n) / float64(bits.OnesCount32(uint32(ports)))
}

// connected reports whether the sets in use that a union is of cannot be parted in two that
// have no port in common.
func (u use) connected(union Set) bool {
	var reached Set
	for again := true; again; {
		again = false
		for t := range u {
			if t&^union == 0 && t&^reached != 0 && (reached == 0 || t&reached != 0) {
				reached, again = reached|t, true
			}
		}
	}
	return reached == union
}

// add adds n times what a class needs.
func (u use) add(m *Model, c Class, n int, wide bool) {
	for _, s := range m.ports(c, wide) {
		u[s] += n
	}
}

// ports has the ports of each micro-operation of a class.
func (m *Model) ports(c Class, wide bool) []Set {
	if wide {
		return m.wide[c]
	}
	return m.narrow[c]
}

// Latency is the number of cycles from when the registers that an instruction reads
// are there until its result is. What it loads is taken to be there by then, unless
// loading is all that it does.
func (m *Model) Latency(in *x86.Inst) (cycles int) {
	ops := operation(in)
	if OnlyLoads(in) {
		ops = memory(in, nil)
	}
	for _, c := range ops {
		cycles = max(cycles, m.latency[c])
	}
	return cycles + m.merging(in)
}

// merging is the number of cycles that the mask adds to the latency.
func (m *Model) merging(in *x86.Inst) int {
	if in.Mask != x86.K0 && in.Elem < 4 && in.Args[0].Kind == x86.Register && in.Args[0].Reg.IsVector() {
		return m.merge
	}
	return 0
}

// Bypass is the number of cycles that a result takes longer to an instruction than
// its latency says: it has to get from one unit to another.
func (m *Model) Bypass(from, to *x86.Inst) int {
	if a, b := unit(from), unit(to); a != 0 && b != 0 && a != b {
		return m.bypass
	}
	return 0
}

// unit tells multiply-adds and products, and operations that are done where they are
// not, apart from the others. Products of 256 bits are as near to either.
func unit(in *x86.Inst) int {
	ops := operation(in)
	if len(ops) == 0 {
		return 0
	}
	switch ops[0] {
	case Madd:
		return 1
	case Product, ProductLow:
		if in.Size == 64 {
			return 1
		}
	case Logic, Shift, Compare, OrderShort:
		return 2
	}
	return 0
}

// OnlyLoads reports whether an instruction loads and does nothing else.
func OnlyLoads(in *x86.Inst) bool { return in.Loads() && len(operation(in)) == 0 }
