// Rings measures products of polynomials of package negacyclic against those of other Go
// libraries, in turns on the same core: circl's of Kyber and ML-DSA, lattigo's in the ring
// of ML-DSA.
//
//	go run ./bench/rings
//	go run ./bench/rings -kernel avx2 -time 1s
//
// Every operation begins and ends as the library's own code uses it; what is not the same
// is said beside it in circl.go and lattigo.go.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"residue/internal/measure"
	"residue/negacyclic"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("rings: ")
	kernel := flag.String("kernel", "", "measure this kernel of negacyclic only (default: all that this CPU can run)")
	length := flag.Duration("time", 500*time.Millisecond, "time for a measurement")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("unexpected argument %q", flag.Arg(0))
	}
	var kernels []*negacyclic.Kernel
	var names []string
	for _, k := range negacyclic.Kernels() {
		names = append(names, k.Name())
		if *kernel == "" || *kernel == k.Name() {
			kernels = append(kernels, k)
		}
	}
	if len(kernels) == 0 {
		log.Fatalf("no kernel %q (this CPU can run: %s)", *kernel, strings.Join(names, ", "))
	}
	if err := run(os.Stdout, kernels, *length); err != nil {
		log.Fatal(err)
	}
}

// The operations that are measured.
const (
	opForward = "forward" // transform
	opBase    = "base"    // product of transforms
	opInverse = "inverse" // transform back
	opMul     = "mul"     // product, from coefficients to coefficients
	opMatVec  = "matvec"  // A·s, with a matrix A that was transformed before
)

var ops = []string{opMul, opForward, opBase, opInverse, opMatVec}

// rings are those that are measured.
var rings = []ring{{"ml-kem", 3329, 3, 3}, {"ml-dsa", 8380417, 6, 5}}

// peers returns who else multiplies in a ring.
func peers(in *operands) ([]multiplier, error) {
	if in.q == 3329 {
		return []multiplier{newCirclKyber(in)}, nil
	}
	l, err := newLattigo(in)
	return []multiplier{newCirclDilithium(in), l}, err
}

// run prints a table of all comparisons.
func run(w io.Writer, kernels []*negacyclic.Kernel, length time.Duration) error {
	meter := measure.NewMeter()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "ring\top\tkernel\tcycles\tns\tpeer\tcycles\tns\tratio\t")
	for _, r := range rings {
		in := r.random()
		others, err := peers(in)
		if err != nil {
			return err
		}
		for _, k := range kernels {
			ours, err := newOurs(k, in)
			if err != nil {
				return err
			}
			if ours.name() != k.Name() {
				continue // it has nothing of its own for this ring
			}
			for _, theirs := range others {
				for _, op := range ops {
					f, g := ours.op(op), theirs.op(op)
					if f == nil || g == nil {
						continue
					}
					a, b, ratio := meter.Compare(measure.Effort{Time: length, Most: 4 * length}, f, g)
					fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%.0f\t%s\t%s\t%.0f\t%.2f\t\n", r.name, op,
						ours.name(), cycles(a), a.Nanoseconds, theirs.name(), cycles(b), b.Nanoseconds, ratio)
				}
			}
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nratio: the median of the peer's time over ours, sample by sample. * a neighbour used the core all the time")
	return err
}

func cycles(r measure.Result) string {
	if r.Cycles == 0 {
		return "–"
	}
	mark := ""
	if !r.Quiet {
		mark = "*"
	}
	return fmt.Sprintf("%.0f%s", r.Cycles, mark)
}

// multiplier is a library that multiplies in a ring, with its own form of the operands.
type multiplier interface {
	name() string
	// op returns what computes an operation, or nil if the library has no such.
	op(name string) func()
	// product and matVec return what their operations computed, with coefficients in [0, q).
	product() []int64
	matVec() [][]int64
}

// words converts coefficients.
func words[T, U int16 | int32 | uint32 | int64 | uint64](x []U) []T {
	z := make([]T, len(x))
	for i, v := range x {
		z[i] = T(v)
	}
	return z
}

// vector converts a vector of polynomials.
func vector[T any](xs [][]int64, convert func([]int64) T) (z []T) {
	for _, x := range xs {
		z = append(z, convert(x))
	}
	return z
}
