// Command count executes an operation of a kernel in a machine of its own and prints
// the instructions that were executed, with an estimate of the cycles they take: the
// form of table 2 of the paper on truncated Montgomery in PMNS. It needs no CPU with
// the instructions. A set of instructions is named for the kernel that has it, in
// package batch or, with mont- or pmns- before it, in that.
//
// Usage, from the root of the repository:
//
//	go run ./asm/cmd/count --kernel mulmont --bits 2048
//	go run ./asm/cmd/count --kernel sqrmont --bits 4096 --set ifma256
//	go run ./asm/cmd/count --kernel mulmont --bits 2048 --full --block 40
//	go run ./asm/cmd/count --kernel mul --bits 2048 --set adx
//	go run ./asm/cmd/count --kernel sqrmont --bits 2048 --set mont-ifma512
//	go run ./asm/cmd/count --kernel mulmont --bits 4096 --set pmns-ifma512 --karatsuba
//	go run ./asm/cmd/count --kernel mulmont --set pmns-ifma512 --n 15 --s 6 --full
//	go run ./asm/cmd/count --kernel mulmont --set pmns-ifma512 --n 64 --s 3
//	go run ./asm/cmd/count --kernel mul --set negacyclic-avx512 --ring ml-kem
//	go run ./asm/cmd/count --kernel forward --set negacyclic-avx2 --ring ml-dsa
//	go run ./asm/cmd/count --kernel matvec-poly --set negacyclic-avx512 --ring saber --method primes
//
// Cycles are given as a bound by the ports; as a bound by the longest path of
// latencies; and for the instructions in their order, with ports, latencies and the
// room that a core has for instructions that wait: once, and once more behind it, which
// is what a benchmark measures that does nothing else in between. At the end are the
// instructions by kind, and what each set of ports needs for all that only they execute.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"residue/asm/internal/ports"
	"residue/asm/kerneltest"
)

func main() {
	var q kerneltest.Request
	root := flag.String("root", ".", "root `directory` of the repository")
	flag.StringVar(&q.Operation, "kernel", "mulmont", "`operation`: "+strings.Join(kerneltest.Operations, ", ")+"; of rings "+strings.Join(kerneltest.RingOperations, ", "))
	flag.StringVar(&q.Kernel, "set", "ifma512", "`instructions`: "+strings.Join(kerneltest.Kernels(), ", "))
	flag.IntVar(&q.Bits, "bits", 2048, "length of the moduli")
	flag.StringVar(&q.Ring, "ring", "ml-kem", "`ring` of package negacyclic: "+strings.Join(kerneltest.Rings(), ", "))
	flag.StringVar(&q.Method, "method", "", "`method` of the ring")
	flag.BoolVar(&q.Full, "full", false, "compute all of the quotient's product with the modulus")
	flag.BoolVar(&q.Schoolbook, "schoolbook", false, "square by the schoolbook's method where the product does by Karatsuba's")
	flag.IntVar(&q.Set.Coefficients, "n", 0, "`coefficients` of polynomials, instead of bits")
	flag.IntVar(&q.Set.Words, "s", 0, "`words` of a coefficient")
	flag.BoolVar(&q.Karatsuba, "karatsuba", false, "multiply the words of polynomials by Karatsuba's method")
	flag.IntVar(&q.Block, "block", 1, "`digits` of the quotient that are found at once")
	flag.IntVar(&q.Entries, "entries", 32, "entries of a gather's table")
	flag.Parse()
	if err := run(os.Stdout, *root, q); err != nil {
		fmt.Fprintln(os.Stderr, "count:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, root string, q kerneltest.Request) error {
	work, err := kerneltest.NewWorkload(root, q)
	if err != nil {
		return err
	}
	tally, err := work.Tally(work.Run)
	if err != nil {
		return err
	}
	timings, err := work.Timings(tally.Wide(), work.Run)
	if err != nil {
		return err
	}
	name := q.Operation + ", " + q.Kernel
	if size := q.Size(); size != "" {
		name += ", " + size
	}
	fmt.Fprintf(w, "%s: %s\n\n", name, work.Shape)
	return print(w, tally, timings)
}

// print writes the table. L is the latency and T the reciprocal throughput of an
// instruction among others of its kind.
func print(w io.Writer, t *ports.Tally, timings []kerneltest.Timing) error {
	var b strings.Builder
	row := func(name, count string, cells func(m *ports.Model) (string, string)) {
		line := fmt.Sprintf("%-28s%8s", name, count)
		for _, m := range ports.Models {
			l, t := cells(m)
			line += fmt.Sprintf("%6s%8s", l, t)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	total := func(f func(m *ports.Model) float64) func(m *ports.Model) (string, string) {
		return func(m *ports.Model) (string, string) { return "", fmt.Sprintf("%.0f", f(m)) }
	}
	fmt.Fprintf(&b, "%36s", "")
	for _, m := range ports.Models {
		fmt.Fprintf(&b, "%14s", m.Name)
	}
	b.WriteString("\n")
	row("instruction", "count", func(*ports.Model) (string, string) { return "L", "T" })
	for _, r := range t.Rows {
		row(r.Name, fmt.Sprint(r.Count), func(m *ports.Model) (string, string) {
			return fmt.Sprint(r.Latency(m)), fmt.Sprintf("%.2f", r.Throughput(m, t.Wide()))
		})
	}
	row("sum of count x T", "", total(t.Sum))
	row("all ports at once", "", total(func(m *ports.Model) float64 {
		cycles, _ := t.Bound(m)
		return cycles
	}))
	timing := func(f func(t kerneltest.Timing) int) func(m *ports.Model) (string, string) {
		return total(func(m *ports.Model) float64 { return float64(f(timings[slices.Index(ports.Models, m)])) })
	}
	row("longest path of latencies", "", timing(func(t kerneltest.Timing) int { return t.Path }))
	row("in order of the program", "", timing(func(t kerneltest.Timing) int { return t.Core }))
	row("again right behind it", "", timing(func(t kerneltest.Timing) int { return t.Again }))
	if t.Madds() > 0 {
		row("multiply-adds, two a cycle", fmt.Sprint(t.Madds()), total(func(*ports.Model) float64 { return float64(t.Madds()) / 2 }))
	}
	b.WriteString("\n")
	for _, m := range ports.Models {
		_, by := t.Bound(m)
		fmt.Fprintf(&b, "%s: no faster because of %s\n", m.Name, by)
	}
	b.WriteString("\n")
	for _, k := range t.Kinds() {
		fmt.Fprintf(&b, "%-28s%8d\n", k.Name, k.Count)
	}
	for _, m := range ports.Models {
		b.WriteString("\n" + m.Name + ", cycles of each of these alone:\n")
		for _, l := range t.Limits(m) {
			fmt.Fprintf(&b, "%-28s%8.0f\n", l.Name, l.Cycles)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
