package kerneltest

import (
	"fmt"
	"slices"
	"strings"

	"residue/asm/internal/machine"
)

// A ring is one that there are kernels for, by a method: the names are those of
// residue bench, and so are those of the operations.
type ring struct {
	name, method  string
	words         string // what the kernels of it are called, before their instructions
	modulus       string
	rows, columns int // of the matrix of matvec
	operations    []string
	operation     func(c *ringCount, name string) func() error
}

var primeOperations = []string{"mul", "forward", "base", "inverse", "matvec", "matvec-ready"}

// exactOperations are those of rings with moduli of two's powers.
var exactOperations = []string{"mul", "evaluate", "base", "interpolate", "matvec", "matvec-ready", "matvec-poly"}

// RingOperations are those of any ring.
var RingOperations = []string{
	"mul", "forward", "evaluate", "base", "inverse", "interpolate", "matvec", "matvec-ready", "matvec-poly",
}

// The sets of kernels of package negacyclic.
const (
	ringsAVX2   = "negacyclic-avx2"
	ringsAVX512 = "negacyclic-avx512"
)

// ringSets are the instructions of the sets, as files and routines are called.
var ringSets = map[string]string{ringsAVX2: "avx2", ringsAVX512: "avx512"}

// countedRings have the method first that is meant if none is named.
var countedRings = []ring{
	{"ml-kem", "ntt", "ntt16", "3329", 3, 3, primeOperations, (*ringCount).ntt16},
	{"ml-dsa", "ntt", "ntt32", "8380417", 6, 5, primeOperations, (*ringCount).ntt32},
	{"saber", "toom4", "toom16", "2^13", 3, 3, exactOperations, (*ringCount).toom16},
	{"saber", "primes", "ntt16", "2^13, by 3329 and 7681", 3, 3, exactOperations, (*ringCount).exact16},
}

func (r ring) String() string { return r.name + " by " + r.method }

// Rings are the names that a Request may have, and those of their methods.
func Rings() (names []string) {
	for _, r := range countedRings {
		names = append(names, r.String())
	}
	return names
}

// RingRequests are all operations of rings on a set of kernels.
func RingRequests(kernel string) (qs []Request) {
	for _, r := range countedRings {
		for _, operation := range r.operations {
			qs = append(qs, Request{Kernel: kernel, Operation: operation, Ring: r.name, Method: r.method})
		}
	}
	return qs
}

// ring returns the one that is requested.
func (q Request) ring() (ring, error) {
	for _, r := range countedRings {
		switch {
		case r.name != q.Ring || q.Method != "" && q.Method != r.method:
			continue
		case !slices.Contains(r.operations, q.Operation):
			return r, fmt.Errorf("no operation %q of %v: %s", q.Operation, r, strings.Join(r.operations, ", "))
		}
		return r, nil
	}
	by := ""
	if q.Method != "" {
		by = " by " + q.Method
	}
	return ring{}, fmt.Errorf("no ring %q%s: %s", q.Ring, by, strings.Join(Rings(), ", "))
}

// kernelName is the name of the kernel that has the routines.
func (q Request) kernelName() (string, error) {
	instructions := ringSets[q.Kernel]
	if instructions == "" {
		return q.Kernel, nil
	}
	r, err := q.ring()
	return r.words + "-" + instructions, err
}

// ringBytes is enough memory for any operation.
const ringBytes = 1 << 18

func ringWorkload(lab func(bytes int) *Lab, q Request) (*Workload, error) {
	r, err := q.ring()
	if err != nil {
		return nil, err
	}
	shape := fmt.Sprintf("polynomials of %d coefficients modulo %s", ringLength, r.modulus)
	if strings.HasPrefix(q.Operation, "matvec") {
		shape += fmt.Sprintf(", a matrix of %d×%d", r.rows, r.columns)
	}
	c := &ringCount{lab(ringBytes), r, ringSets[q.Kernel]}
	return &Workload{c.Lab, shape, r.operation(c, q.Operation)}, nil
}

// ringLength is the number of coefficients.
const ringLength = 256

// ringCount is where operations of a ring are executed, on zeros.
type ringCount struct {
	*Lab
	ring
	instructions string
}

// kernel is the name of the kernel of the ring.
func (c *ringCount) kernel() string { return c.words + "-" + c.instructions }

// wide says that vectors have 512 bits.
func (c *ringCount) wide() bool { return c.instructions == "avx512" }

// zeros returns so many bytes.
func (c *ringCount) zeros(name string, bytes int) machine.Span {
	s := c.Alloc(name, bytes/8)
	c.Set(s, make([]uint64, bytes/8), false)
	return s
}

// several returns n times so many.
func (c *ringCount) several(name string, n, bytes int) (all []machine.Span) {
	for range n {
		all = append(all, c.zeros(name, bytes))
	}
	return all
}

// matrix returns as many as the matrix has entries, row by row.
func (c *ringCount) matrix(bytes int) []machine.Span { return c.several("a", c.rows*c.columns, bytes) }

// row is row i of a matrix.
func (c *ringCount) row(a []machine.Span, i int) []machine.Span {
	return a[i*c.columns : (i+1)*c.columns]
}

// parts are n parts of a span.
func parts(s machine.Span, n int) (all []machine.Span) {
	bytes := s.Len / n
	for i := range n {
		all = append(all, s.Slice(i*bytes, (i+1)*bytes))
	}
	return all
}

// steps are done one after the other.
type steps []func() error

func (s *steps) add(step func() error) { *s = append(*s, step) }

func (s steps) run() error {
	for _, step := range s {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
