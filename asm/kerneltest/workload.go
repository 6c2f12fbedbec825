package kerneltest

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"residue/asm/internal/machine"
	"residue/asm/internal/ports"
	"residue/asm/mont"
	"residue/asm/pmns"
)

// Request names an operation of a kernel, on numbers of so many bits. What only
// other operations have is ignored.
type Request struct {
	Kernel, Operation string
	Bits              int
	Ring, Method      string   // of package negacyclic, instead of bits
	Set               pmns.Set // of polynomials, instead of one for so many bits
	Full              bool     // compute all of the quotient's product with the modulus
	Karatsuba         bool     // multiply by Karatsuba's method
	Schoolbook        bool     // square without Karatsuba's method
	Block             int      // digits of the quotient that are found at once
	Entries           int      // of a gather's table
}

// Workload is an operation that is ready to be executed once.
type Workload struct {
	*Lab
	Shape string // of its numbers
	Run   func() error
}

// workloads are the kernels that there are workloads for, with the operations that
// they have.
var workloads = map[string]struct {
	operations []string
	prepare    func(lab func(bytes int) *Lab, q Request) (*Workload, error)
}{
	"ifma512":           {Operations, batchWorkload},
	"ifma256":           {Operations, batchWorkload},
	"adx":               {Operations, wordsWorkload},
	"mont-ifma512":      {acrossOperations, montWorkload},
	"pmns-ifma512":      {acrossOperations, pmnsWorkload},
	"negacyclic-avx2":   {RingOperations, ringWorkload},
	"negacyclic-avx512": {RingOperations, ringWorkload},
}

// Kernels are the names that a Request may have.
func Kernels() []string { return slices.Sorted(maps.Keys(workloads)) }

// OperationsOf are those of a kernel.
func OperationsOf(kernel string) []string { return workloads[kernel].operations }

// Size says what the numbers are: bits, or a ring; or nothing, if it is a set.
func (q Request) Size() string {
	switch {
	case ringSets[q.Kernel] != "":
		r, _ := q.ring()
		return r.String()
	case q.Set != (pmns.Set{}):
		return ""
	}
	return fmt.Sprintf("%d bits", q.Bits)
}

// NewWorkload prepares what is requested; root is the root of the repository.
func NewWorkload(root string, q Request) (*Workload, error) {
	const most = 16384
	w, ok := workloads[q.Kernel]
	switch {
	case !ok:
		return nil, fmt.Errorf("no kernel %q: %s", q.Kernel, strings.Join(Kernels(), ", "))
	case !slices.Contains(w.operations, q.Operation):
		return nil, fmt.Errorf("no operation %q of %s: %s", q.Operation, q.Kernel, strings.Join(w.operations, ", "))
	case ringSets[q.Kernel] != "":
	case q.Bits < 1 || q.Bits > most:
		return nil, fmt.Errorf("%d bits: 1 to %d", q.Bits, most)
	case q.Entries < 2 || q.Entries > 64:
		return nil, fmt.Errorf("%d entries: 2 to 64", q.Entries)
	}
	kernel, err := q.kernelName()
	if err != nil {
		return nil, err
	}
	routines, err := LoadKernel(root, kernel)
	if err != nil {
		return nil, err
	}
	return q.prepare(routines)
}

// prepare prepares what is requested, with the routines of the kernel.
func (q Request) prepare(routines map[string]*Routine) (*Workload, error) {
	return workloads[q.Kernel].prepare(func(bytes int) *Lab { return NewLab(bytes, routines) }, q)
}

func batchWorkload(lab func(bytes int) *Lab, q Request) (*Workload, error) {
	width, tiles := Tiling(q.Bits)
	limbs := width * tiles
	if q.Block != 1 && (q.Block < 10 || q.Block%10 != 0 || limbs%q.Block != 0) {
		return nil, fmt.Errorf("a block of %d digits: 1, or a multiple of 10 that divides %d", q.Block, limbs)
	}
	lanes := LanesOf[q.Kernel]
	one := each(lanes, func(int) *big.Int { return big.NewInt(1) })
	b := NewBatch(lab(BatchBytes(limbs, 8+q.Entries)), q.Kernel, width, tiles, 0, one)
	b.Schoolbook = q.Schoolbook
	form := ""
	if q.Full {
		form = "Full"
	}
	run, err := b.Operation(q.Operation, form, q.Block, q.Entries)
	shape := fmt.Sprintf("%d numbers of %d digits, %d tiles of %d", lanes, limbs, tiles, width)
	return &Workload{b.Lab, shape, run}, err
}

func wordsWorkload(lab func(bytes int) *Lab, q Request) (*Workload, error) {
	words := (q.Bits + wordBits - 1) / wordBits
	w := NewWords(lab(WordsBytes(words, 8+q.Entries)), words, big.NewInt(1))
	return &Workload{w.Lab, fmt.Sprintf("one number of %d words", words), w.Operation(q.Operation, q.Bits, q.Entries)}, nil
}

// Operation returns what executes an operation of the kernel once, on zeros, or nil
// if there is no such operation. bits is the length of the modulus.
func (w *Words) Operation(name string, bits, entries int) func() error {
	zeros := func(what string, words int) machine.Span {
		s := w.Alloc(what, words)
		w.Set(s, new(big.Int))
		return s
	}
	x, z, wide := zeros("x", w.Words), w.Alloc("z", w.Words), zeros("wide", 2*w.Words)
	reduce := func() error { return w.Reduce(z, wide, bits) }
	first := func(product func() error) func() error {
		return func() error {
			if err := product(); err != nil {
				return err
			}
			return reduce()
		}
	}
	mul := func() error { return w.Mul(wide, x, x) }
	sqr := func() error { return w.Sqr(wide, x) }
	switch name {
	case "mulmont":
		return first(mul)
	case "sqrmont":
		return first(sqr)
	case "redc":
		return reduce
	case "mul":
		return mul
	case "sqr":
		return sqr
	case "gather":
		table := zeros("table", entries*w.Words)
		return func() error { return w.Gather(z, table, 0) }
	}
	return nil
}

func montWorkload(lab func(bytes int) *Lab, q Request) (*Workload, error) {
	s, ok := MontShape(q.Bits)
	if !ok {
		return nil, fmt.Errorf("%d bits: more than there are vectors for", q.Bits)
	}
	m := NewMont(lab(MontBytes(s.Vectors, 2+q.Entries)), s)
	shape := fmt.Sprintf("one number of %d digits of %d bits, %d vectors", s.Digits, s.Bits, s.Vectors)
	return &Workload{m.Lab, shape, m.Operation(q.Operation, q.Entries)}, nil
}

// MontShape returns the shape that the product takes for moduli of so many bits, the
// one of the fewest vectors; ok says whether there is any.
func MontShape(bits int) (s mont.Shape, ok bool) {
	for _, s := range mont.Shapes {
		if bits <= (&Mont{Shape: s}).ModulusBits() {
			return s, true
		}
	}
	return s, false
}

func pmnsWorkload(lab func(bytes int) *Lab, q Request) (*Workload, error) {
	s := q.Set
	if s == (pmns.Set{}) {
		var ok bool
		if s, ok = PMNSSet(q.Bits); !ok {
			return nil, fmt.Errorf("%d bits: more than there are kernels for", q.Bits)
		}
	}
	if slices.Contains(pmns.ToeplitzSets, s) {
		return toeplitzWorkload(lab, s, q)
	}
	form := ""
	switch {
	case !slices.Contains(pmns.Sets, s):
		return nil, fmt.Errorf("no kernel for %d coefficients of %d words: %v", s.Coefficients, s.Words, slices.Concat(pmns.Sets, pmns.ToeplitzSets))
	case q.Full && q.Karatsuba:
		return nil, fmt.Errorf("no kernel multiplies by Karatsuba's method and computes all of the quotient's product")
	case q.Full:
		form = "Full"
	case q.Karatsuba:
		form = "Karatsuba"
	}
	p := NewPMNS(lab(PMNSBytes(s, 2+q.Entries)), s, form)
	if !p.Has() {
		return nil, fmt.Errorf("no kernel multiplies %d coefficients of %d words by Karatsuba's method", s.Coefficients, s.Words)
	}
	shape := fmt.Sprintf("polynomials of %d coefficients of %d words, vectors of a word: %d", s.Coefficients, s.Words, vectorsOf(s.Coefficients))
	return &Workload{p.Lab, shape, p.Operation(q.Operation, q.Entries)}, nil
}

// PMNSSet returns the set with the fewest multiply-adds that has room for moduli of so
// many bits; ok says whether there is any. In a lattice of n dimensions with the
// modulus as its determinant there are polynomials M with coefficients of about 1/n of
// its bits, and 2^52s must be about 2.8·n² times that: docs/pmns.md.
func PMNSSet(bits int) (set pmns.Set, ok bool) {
	cost := func(s pmns.Set) int { return s.Coefficients * vectorsOf(s.Coefficients) * s.Words * s.Words }
	for _, s := range pmns.Sets {
		n := float64(s.Coefficients)
		room := n * (digitBits*float64(s.Words) - math.Log2(2.8*n*n))
		if float64(bits) <= room && (!ok || cost(s) < cost(set)) {
			set, ok = s, true
		}
	}
	return set, ok
}

// Timing is how long something takes on a core.
type Timing struct {
	Path  int // of latencies, the longest
	Core  int // with the core's ports and room as well
	Again int // the same, if it is done right behind itself: the beginning of one and the end of another overlap
}

// Timings executes something and follows its values through each of the modelled
// cores. wide says that 512-bit vectors are in use.
func (l *Lab) Timings(wide bool, run func() error) ([]Timing, error) {
	t := &machine.Trace{}
	t.Keep()
	l.Trace = t
	err := run()
	l.Trace = nil
	if err != nil {
		return nil, err
	}
	var timings []Timing
	for _, m := range ports.Models {
		path, core := ports.NewFlow(m, wide, false), ports.NewFlow(m, wide, true)
		follow(t, path)
		follow(t, core)
		once := core.Cycles()
		follow(t, core)
		timings = append(timings, Timing{path.Cycles(), once, core.Cycles() - once})
	}
	return timings, nil
}

// follow follows what was executed.
func follow(t *machine.Trace, flow *ports.Flow) {
	t.Each(func(p *machine.Program, step int, touched []machine.MemoryAccess) {
		in := &p.Insts[step]
		fused := step+1 < len(p.Insts) && ports.Fuses(in, &p.Insts[step+1])
		var accesses []ports.Access
		for _, a := range touched {
			accesses = append(accesses, ports.Access{Addr: a.Addr, Bytes: a.Bytes, Store: a.Write})
		}
		flow.Step(in, fused, accesses)
	})
}
