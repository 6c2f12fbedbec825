package main

import (
	"time"

	"residue/cmd/residue/internal/bench"
	"residue/pmns"
)

// pmnsBenchCmd is `residue pmns bench`.
type pmnsBenchCmd struct {
	Sets    []string      `arg:"" optional:"" name:"set" help:"Names of embedded parameters, or files; - is standard input (default: modp2048)."`
	Op      []string      `placeholder:"NAME" help:"Operations: mul, sqr, exp (default: all)."`
	Kernel  []string      `placeholder:"NAME" help:"Kernels (default: all that this CPU can run, or the one that the environment names)."`
	Variant []string      `placeholder:"NAME" help:"Forms of products: truncated, full, karatsuba, toeplitz (default: all)."`
	Time    time.Duration `default:"300ms" placeholder:"TIME" help:"Time for a measurement (default: ${default}); five times that for exp."`

	JSON       bool `name:"json" help:"One JSON object a measurement."`
	NoProgress bool `help:"No progress on a terminal."`
}

// Help is the long help.
func (*pmnsBenchCmd) Help() string {
	return `Measures products and squares, each of the result of the last, and exponentiations in turns with math/big's, as residue bench does for embedded parameters: see residue bench --help for what the columns are.

Exit status: 0; 2 could not run; 130 interrupted.

Examples:

    residue pmns bench
    residue pmns bench modp4096 modp4096_15x6 --op mul
    residue pmns bench mine.json --json | jq '[.variant, .cycles]'`
}

// Run runs the command.
func (c *pmnsBenchCmd) Run(e *env) error {
	names := c.Sets
	if len(names) == 0 {
		names = []string{"modp2048"}
	}
	var sets []*pmns.Params
	for _, name := range names {
		set, err := readSet(name, e.stdin)
		if err != nil {
			return err
		}
		if set.Name == "" {
			set.Name = name
		}
		sets = append(sets, set)
	}
	plan, err := bench.NewSetsPlan(bench.Choice{Ops: c.Op, Kernels: c.Kernel, Variants: c.Variant, Time: c.Time}, sets)
	return runPlan(e, plan, err, c.JSON, c.NoProgress)
}
