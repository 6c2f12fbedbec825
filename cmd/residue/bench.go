package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"residue/cmd/residue/internal/bench"
	"residue/internal/cpu"
	"residue/internal/measure"
)

// benchCmd is `residue bench`.
type benchCmd struct {
	System  []string      `placeholder:"NAME" help:"Systems: batch, mont, barrett, pmns, negacyclic (default: all)."`
	Op      []string      `placeholder:"NAME" help:"Operations: mul, sqr, redc, reduce, mulmont, sqrmont, exp (default: these), expbatch; of negacyclic mul, forward, evaluate, base, inverse, interpolate, matvec, matvec-poly, matvec-ready (default: all)."`
	Bits    []int         `placeholder:"N" help:"Lengths of the moduli (default: 1024,2048,3072,4096)."`
	Kernel  []string      `placeholder:"NAME" help:"Kernels (default: all that this CPU can run, or the one that the environment names)."`
	Variant []string      `placeholder:"NAME" help:"Forms of reduction: truncated, full (default: both); of products of pmns also karatsuba, toeplitz; of barrett folds0 to folds3."`
	Block   []string      `placeholder:"N" help:"Blocks of reduction, in digits, or all (default: 1 and the number of limbs)."`
	Ring    []string      `placeholder:"NAME" help:"Rings: ml-kem, ml-dsa, saber (default: all)."`
	Method  []string      `placeholder:"NAME" help:"Methods of rings: ntt, toom4, karatsuba, primes, toom4-classic, karatsuba-classic (default: all)."`
	Time    time.Duration `default:"300ms" placeholder:"TIME" help:"Time for a measurement (default: ${default}); five times that for exp."`
	Rows    int           `default:"4096" placeholder:"N" help:"Rows of expbatch (default: ${default})."`

	JSON       bool `name:"json" help:"One JSON object a measurement."`
	NoProgress bool `help:"No progress on a terminal."`
}

// Help is the long help.
func (*benchCmd) Help() string {
	return `Measures the operations of every kernel on one thread, in core cycles. The core's clock and its port limit (the multiply-adds that it can execute in a cycle) are calibrated in the same run. After a warm-up every operation is repeated many times between calibrations; the figures are the quick end of those repetitions during which nobody else used the core. Where there were none, though the measurement took four times as long, they are marked with * (in JSON, "quiet" is false).

The operations of the system batch take eight numbers at a time: mul and sqr are products, redc is Montgomery's reduction, mulmont and sqrmont are products with reduction, exp is an exponentiation with an exponent of the modulus's length, in turns with math/big's for the same numbers. Those of the system mont take one number: mul and sqr are modulo it, each of the result of the last, and exp is as above. So they are for pmns, with all parameters that there are for the primes of RFC 2409 and 3526; limbs are coefficients times words. Those of the system barrett are modulo any numbers, of eight and of one; reduce takes numbers of twice the length modulo them, with every number of folds, in turns with math/big. Those of the system negacyclic are of polynomials modulo X^256 + 1, in the rings of ML-KEM, ML-DSA and Saber, by every method and every kernel that has routines for it: mul is a product from coefficients to coefficients; forward, evaluate, inverse and interpolate are its steps; base is a product of transforms or of values; matvec is A·s for a matrix of the scheme's size that was transformed before, in matvec-poly it was not, and in matvec-ready s was as well. scratch is the memory that an operation needs beside operands and result; the classic forms of Toom-Cook and Karatsuba are there to be compared with. Where --bits, --variant or --block is given, rings are left out, which have none; where --ring or --method is, all else.

expbatch, only if asked for, is the rate of residue's ExpBatch on one core and on all.

share is the part of the cycles that the executed multiply-adds need at the port limit, schoolbook the part that those of the schoolbook method would need; "over full" is how much faster a truncated reduction is than the full one. Block 1 is the form in use.

JSON fields: system, op, bits, limbs, lanes (the numbers of a call), set, n and s (of pmns), kernel, variant, block, cycles, ns (of one call), madds, madds_per_cycle, share, schoolbook_share, quiet, samples; of exp and reduce ns_per_op (a number), mathbig_ns, speedup, speedup_median; of expbatch rows, cores, ns_per_op (a row), rows_per_second, scaling; of rings ring, q, n, method, word_bits, matrix, scratch_bytes, and bits are those of q. What does not apply or cannot be measured is left out.

Kernels of numbers are ` + strings.Join(cpu.Known, ", ") + `, those of rings ` + strings.Join(cpu.KnownForRings, ", ") + `. Where the environment variable ` + cpu.EnvKernel + ` names one, only that is measured, and of the others the fastest that asks no more of the machine.

Exit status: 0; 2 could not run; 130 interrupted.

Examples:

    residue bench
    residue bench --op mulmont,sqrmont --bits 2048 --variant truncated
    residue bench --system mont --op mul,sqr,exp
    residue bench --op exp --kernel ` + cpu.Generic + ` --time 100ms
    residue bench --op mulmont --bits 2048 --block all --json | jq '[.block, .variant, .share]'
    residue bench --system barrett --op reduce --bits 2048,8192
    residue bench --op expbatch --bits 2048
    residue bench --system negacyclic
    residue bench --ring saber --op mul,matvec --json | jq '[.method, .kernel, .cycles, .scratch_bytes]'`
}

// Run runs the command.
func (c *benchCmd) Run(e *env) error {
	plan, err := bench.NewPlan(bench.Choice{
		Systems: c.System, Ops: c.Op, Kernels: c.Kernel, Variants: c.Variant,
		Bits: c.Bits, Blocks: c.Block, Rings: c.Ring, Methods: c.Method, Time: c.Time, Rows: c.Rows,
	})
	return runPlan(e, plan, err, c.JSON, c.NoProgress)
}

// runPlan makes the measurements of a plan, which was made with the given error.
func runPlan(e *env, plan *bench.Plan, err error, inJSON, noProgress bool) error {
	if err != nil {
		return fmt.Errorf("bench: %s", reason(err))
	}
	ctx, stop := interruptible(context.Background())
	defer stop()

	var p *benchProgress
	if !noProgress && isTerminal(e.stderr) && !(inJSON && isTerminal(e.stdout)) {
		p = newBenchProgress(e.stderr, plan.Len())
	}
	meter := measure.NewMeter()
	var records []bench.Record
	report := func(r bench.Record) error {
		records = append(records, r)
		return nil
	}
	if inJSON {
		lines := json.NewEncoder(e.stdout)
		report = func(r bench.Record) error { return lines.Encode(r) }
	}
	err = plan.Run(ctx, meter, p.next, report)
	p.end()
	if len(records) > 0 {
		err = errors.Join(bench.WriteTables(e.stdout, meter, records), err)
	}
	if errors.Is(err, context.Canceled) {
		return &statusError{exitInterrupted, errors.New("interrupted")}
	}
	return err
}

// benchProgress is a bar on a terminal: the measurements that are done, and the
// one that is being made. A nil *benchProgress shows nothing.
type benchProgress struct {
	container *mpb.Progress
	bar       *mpb.Bar
	now       atomic.Pointer[string]
	begun     bool
}

func newBenchProgress(w io.Writer, measurements int) *benchProgress {
	p := &benchProgress{}
	p.now.Store(new("calibrating"))
	p.container = mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(100*time.Millisecond))
	p.bar = p.container.New(int64(measurements), mpb.BarStyle(), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + *p.now.Load() })))
	return p
}

// next says that r is being measured, and that what was measured before is done.
func (p *benchProgress) next(r bench.Record) {
	if p == nil {
		return
	}
	if p.begun {
		p.bar.Increment()
	}
	p.begun = true
	words := []string{r.Op, strconv.Itoa(r.Bits), r.Kernel}
	if r.Ring != "" {
		words = []string{r.Op, r.Ring, r.Method, r.Kernel}
	}
	if r.Variant != "" {
		words = append(words, r.Variant, "block", strconv.Itoa(r.Block))
	}
	p.now.Store(new(strings.Join(words, " ")))
}

// end takes the bar away.
func (p *benchProgress) end() {
	if p == nil {
		return
	}
	p.bar.Abort(true)
	p.container.Wait()
}
