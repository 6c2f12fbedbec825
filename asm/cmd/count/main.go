// Command count executes an operation of a kernel in a machine of its own and prints
// the instructions that were executed, with an estimate of the cycles they take: the
// form of table 2 of the paper on truncated Montgomery in PMNS. It needs no CPU with
// the instructions.
//
// Usage, from the root of the repository:
//
//	go run ./asm/cmd/count --kernel mulmont --bits 2048
//	go run ./asm/cmd/count --kernel sqrmont --bits 4096 --set ifma256
//	go run ./asm/cmd/count --kernel mulmont --bits 2048 --full --block 40
package main

import (
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"

	"residue/asm/internal/ports"
	"residue/asm/kerneltest"
)

// options are what the command line says.
type options struct {
	root, set, operation string
	bits, block, entries int
	full                 bool
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "root `directory` of the repository")
	flag.StringVar(&o.operation, "kernel", "mulmont", "`operation`: "+strings.Join(kerneltest.Operations, ", "))
	flag.StringVar(&o.set, "set", "ifma512", "`instructions`: ifma512 or ifma256")
	flag.IntVar(&o.bits, "bits", 2048, "length of the moduli")
	flag.BoolVar(&o.full, "full", false, "compute all of the quotient's product with the modulus")
	flag.IntVar(&o.block, "block", 1, "`digits` of the quotient that are found at once")
	flag.IntVar(&o.entries, "entries", 32, "entries of a gather's table")
	flag.Parse()
	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "count:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, o options) error {
	const most = 16384
	lanes := kerneltest.LanesOf[o.set]
	switch {
	case lanes == 0:
		return fmt.Errorf("no instructions %q: ifma512 or ifma256", o.set)
	case !slices.Contains(kerneltest.Operations, o.operation):
		return fmt.Errorf("no operation %q: %s", o.operation, strings.Join(kerneltest.Operations, ", "))
	case o.bits < 1 || o.bits > most:
		return fmt.Errorf("%d bits: 1 to %d", o.bits, most)
	case o.entries < 2 || o.entries > 64:
		return fmt.Errorf("%d entries: 2 to 64", o.entries)
	}
	width, tiles := kerneltest.Tiling(o.bits)
	limbs := width * tiles
	if o.block != 1 && (o.block < 10 || o.block%10 != 0 || limbs%o.block != 0) {
		return fmt.Errorf("a block of %d digits: 1, or a multiple of 10 that divides %d", o.block, limbs)
	}
	routines, err := kerneltest.LoadKernel(o.root, o.set)
	if err != nil {
		return err
	}
	lab := kerneltest.NewLab(kerneltest.BatchBytes(limbs, 8+o.entries), routines)
	one := make([]*big.Int, lanes)
	for i := range one {
		one[i] = big.NewInt(1)
	}
	batch := kerneltest.NewBatch(lab, o.set, width, tiles, 0, one)
	form := ""
	if o.full {
		form = "Full"
	}
	operation, err := batch.Operation(o.operation, form, o.block, o.entries)
	if err != nil {
		return err
	}
	tally, err := lab.Tally(operation)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s, %s, %d bits: %d numbers of %d digits, %d tiles of %d\n\n", o.operation, o.set, o.bits, lanes, limbs, tiles, width)
	return print(w, tally)
}

// print writes the table. L is the latency and T the reciprocal throughput of an
// instruction among others of its kind.
func print(w io.Writer, t *ports.Tally) error {
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
	row("multiply-adds, two a cycle", fmt.Sprint(t.Madds()), total(func(*ports.Model) float64 { return float64(t.Madds()) / 2 }))
	b.WriteString("\n")
	for _, m := range ports.Models {
		_, by := t.Bound(m)
		fmt.Fprintf(&b, "%s: no faster because of %s\n", m.Name, by)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
