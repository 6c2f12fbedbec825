package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"residue/barrett/model"
	"residue/cmd/residue/internal/chart"
)

// modelCmd is `residue model`.
type modelCmd struct {
	Charts []string `arg:"" optional:"" name:"chart" help:"Charts: karatsuba, barrett, folding, iterated, rsa, avr (default: all)."`

	Word   int  `default:"8" placeholder:"BITS" help:"Bits of a word, 4 to 64 (default: ${default})."`
	Mul    int  `default:"2" placeholder:"CYCLES" help:"Cycles of a multiplication (default: ${default})."`
	Carry  int  `default:"0" placeholder:"CYCLES" help:"Cycles of a carry into the higher of two words, when a third is added to them (default: ${default})."`
	Load   int  `default:"2" placeholder:"CYCLES" help:"Cycles of a load where memory is not free (default: ${default})."`
	Store  int  `default:"2" placeholder:"CYCLES" help:"Cycles of a store where memory is not free (default: ${default})."`
	Masked bool `help:"Mask instead of branching: constant time."`

	Bits       []int   `default:"512,1024,2048,4096,8192,16384" placeholder:"N" help:"Lengths of the moduli, ascending (default: ${default})."`
	Montgomery string  `enum:"cios,fios,fips,karatsuba-montgomery" default:"fios" placeholder:"FORM" help:"Form of Montgomery's multiplication: ${enum} (default: ${default})."`
	Scan       string  `enum:"auto,operand,product" default:"auto" placeholder:"ORDER" help:"Schoolbook products by operands or by columns: operand, product (default: product with fips, operand otherwise)."`
	Folds      int     `default:"2" placeholder:"N" help:"Folds in the charts rsa and avr (default: ${default})."`
	Leaf       int     `placeholder:"WORDS" help:"Length from which on Karatsuba's method halves no more (default: the best)."`
	MHz        float64 `name:"mhz" default:"16" placeholder:"MHZ" help:"Clock in the chart avr (default: ${default})."`

	Plot   string   `type:"path" placeholder:"DIR" help:"Write a plot of each chart into this directory, which is made if it is missing."`
	Format []string `enum:"svg,png" default:"svg,png" placeholder:"FORMAT" help:"Formats of plots: svg, png (default: both)."`
	JSON   bool     `name:"json" xor:"output" help:"One JSON object a point."`
	CSV    bool     `name:"csv" xor:"output" help:"One line of CSV a point."`
}

// Help is the long help.
func (*modelCmd) Help() string {
	return `Compares methods of modular multiplication on an abstract processor, which computes and counts: the charts of "Fast modular reduction" (Hasenplaugh, Gaubatz, Gopal; slides, 2007). Its words have 8 bits if nothing else is said, an addition costs 1 cycle, a multiplication 2. Every chart is shown twice, with memory that is free and with loads and stores that cost something, and says what it assumes.

Charts: karatsuba (products against the schoolbook method), barrett (Barrett against Montgomery, with and without Karatsuba), folding (one fold), iterated (more folds), rsa (the speed-up over several forms of Montgomery's multiplication), avr (minutes for RSA with a private key).

JSON fields, and CSV columns: chart, series, unit (cycles, times, minutes), bits, word, mul_cycles, carry_cycles, load_cycles, store_cycles, value, leaf (words; where Karatsuba's method ended, 0 if there is none), cycles, muls, adds, loads, stores. Cycles and what follows are of one operation of the series: a product, a multiplication modulo a number of that length; for minutes, of half of it.

Exit status: 0; 2 could not run.

Examples:

    residue model rsa
    residue model rsa --montgomery fips --folds 1
    residue model --plot plots
    residue model avr --bits 2048,4096 --mhz 20 --load 2 --store 2
    residue model karatsuba --word 32 --mul 1 --leaf 8
    residue model rsa --masked --json | jq -c '[.series, .bits, .load_cycles, .value]'`
}

// Run runs the command.
func (c *modelCmd) Run(e *env) error {
	choice := c.choice()
	charts, err := chart.Make(choice, c.Charts)
	if err != nil {
		return fmt.Errorf("model: %s", strings.TrimPrefix(err.Error(), "model: "))
	}
	if c.Plot != "" {
		if err := c.plot(choice, charts); err != nil {
			return fmt.Errorf("model: %w", err)
		}
	}
	switch {
	case c.JSON:
		return chart.WriteJSON(e.stdout, choice, charts)
	case c.CSV:
		return chart.WriteCSV(e.stdout, choice, charts)
	default:
		return chart.Write(e.stdout, choice, charts)
	}
}

// choice returns what the flags say.
func (c *modelCmd) choice() *chart.Choice {
	forms := map[string]model.Algorithm{}
	for a := model.CIOS; a <= model.KaratsubaMontgomery; a++ {
		forms[a.String()] = a
	}
	scan := model.Operand
	if c.Scan == "product" || c.Scan == "auto" && c.Montgomery == model.FIPS.String() {
		scan = model.Product
	}
	return &chart.Choice{
		Processor: model.Processor{
			Word: c.Word, Mul: c.Mul, Carry: c.Carry, Load: c.Load, Store: c.Store,
			Masked: c.Masked, Scan: scan,
		},
		Montgomery: forms[c.Montgomery],
		Folds:      c.Folds, Leaf: c.Leaf, Bits: c.Bits, MHz: c.MHz,
	}
}

// plot writes a file for every chart and format.
func (c *modelCmd) plot(choice *chart.Choice, charts []*chart.Chart) error {
	if err := os.MkdirAll(c.Plot, 0o777); err != nil {
		return err
	}
	for _, one := range charts {
		for _, format := range c.Format {
			name := filepath.Join(c.Plot, one.Name+"."+format)
			write := func(w io.Writer) error { return one.WritePlot(w, choice, format) }
			if err := writeFile(name, write); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeFile writes a file that has its name only when it is whole.
func writeFile(name string, write func(w io.Writer) error) error {
	out, err := openOutput(name, nil)
	if err != nil {
		return err
	}
	if err := write(out); err != nil {
		_, abandoned := out.abandon()
		return fmt.Errorf("%s: %w", name, errors.Join(err, abandoned))
	}
	return out.commit()
}
