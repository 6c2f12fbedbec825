package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"residue/cmd/residue/internal/rowio"
	"residue/pmns"
)

// pmnsCmd is `residue pmns`.
type pmnsCmd struct {
	New    pmnsNewCmd    `cmd:"" help:"Find parameters for a prime."`
	Show   pmnsShowCmd   `cmd:"" help:"Show parameters, or the names of those that are there."`
	Verify pmnsVerifyCmd `cmd:"" help:"Check all conditions of parameters in files."`
	Bench  pmnsBenchCmd  `cmd:"" help:"Measure products, squares and powers with parameters."`
}

// Help is the long help.
func (*pmnsCmd) Help() string {
	return `In a polynomial modular number system (PMNS) a number modulo a prime is a polynomial with small coefficients. It needs parameters for the prime, which are JSON documents. Those for the primes of RFC 2409, 3526 and 7919 are part of this command, and have names.

Examples:

    residue pmns show
    residue pmns new modp2048 -o group14.json
    residue pmns verify group14.json
    residue pmns bench group14.json`
}

// pmnsNewCmd is `residue pmns new`.
type pmnsNewCmd struct {
	Prime string `arg:"" help:"The prime, in hexadecimal, or the name of embedded parameters for it."`

	N         int    `name:"n" placeholder:"N" help:"Coefficients of an element (default: the cheapest choice)."`
	Words     int    `short:"s" placeholder:"N" help:"Words of a coefficient (default: the cheapest choice)."`
	Width     int    `short:"w" placeholder:"BITS" help:"Bits of a word, 16 to 52 (default: 52)."`
	Lambda    int    `placeholder:"N" help:"λ in E = Xⁿ − λ (default: the least that has an n-th root)."`
	Additions int    `placeholder:"N" help:"Additions that each factor of a product has room for (default: 0)."`
	Measure   bool   `help:"Choose by the time of products on this machine."`
	Name      string `help:"Name to write into the document."`

	Output     string `short:"o" placeholder:"FILE" help:"Write the document here (default: standard output)."`
	NoProgress bool   `help:"No progress on a terminal."`
}

// Help is the long help.
func (*pmnsNewCmd) Help() string {
	return `Finds parameters for a prime, and writes them as a JSON document: a root γ of E = Xⁿ − λ modulo the prime, a short polynomial M with the value 0 at γ, by lattice reduction, and what follows from them. The same arguments always give the same document, but for --measure.

What is the cheapest choice is decided by the number of multiply-adds of vectors of eight words that a product takes. If there are no parameters the error says which condition they fail, with both sides of it.

Exit status: 0; 2 there are no parameters, or the command could not run; 130 interrupted.

Examples:

    residue pmns new ffffffff00000001000000000000000000000000ffffffffffffffffffffffff
    residue pmns new modp4096 --n 15 -s 6 --name seed -o seed.json
    residue pmns new modp8192 --additions 3 -o group18.json`
}

// Run runs the command.
func (c *pmnsNewCmd) Run(e *env) error {
	p, err := primeOf(c.Prime)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	o := &pmns.Options{
		N: c.N, Words: c.Words, Width: c.Width, Lambda: c.Lambda, Additions: c.Additions, Measure: c.Measure,
	}
	bar := (*pmnsProgress)(nil)
	if !c.NoProgress && isTerminal(e.stderr) {
		bar = newPMNSProgress(e.stderr)
		o.Progress = bar.set
	}
	set, err := pmns.New(ctx, p, o)
	bar.end()
	if errors.Is(err, context.Canceled) {
		return &statusError{exitInterrupted, errors.New("interrupted")}
	}
	if err != nil {
		return err
	}
	set.Name = c.Name
	out, err := openOutput(c.Output, e.stdout)
	if err != nil {
		return err
	}
	if err := set.Write(out); err != nil {
		_, abandoned := out.abandon()
		return errors.Join(err, abandoned)
	}
	return out.commit()
}

// primeOf returns the prime that an argument is.
func primeOf(text string) (*big.Int, error) {
	if set, err := pmns.Embedded(text); err == nil {
		return set.P, nil
	}
	p, err := rowio.ParseHex([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the prime %q is neither in hexadecimal nor one of %s", text, strings.Join(pmns.EmbeddedNames(), ", "))
	}
	return p, nil
}

// pmnsProgress is a bar on a terminal. A nil *pmnsProgress shows nothing.
type pmnsProgress struct {
	container *mpb.Progress
	bar       *mpb.Bar
	shape     atomic.Pointer[string]
}

// progressSteps is the length of the bar.
const progressSteps = 1000

func newPMNSProgress(w io.Writer) *pmnsProgress {
	p := &pmnsProgress{}
	p.shape.Store(new("looking for roots"))
	p.container = mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(100*time.Millisecond))
	p.bar = p.container.New(progressSteps, mpb.BarStyle(), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Percentage(), decor.Any(func(decor.Statistics) string { return " " + *p.shape.Load() })))
	return p
}

func (p *pmnsProgress) set(now pmns.Progress) {
	p.shape.Store(new(fmt.Sprintf("n = %d, s = %d", now.N, now.Words)))
	p.bar.SetCurrent(int64(now.Done * (progressSteps - 1)))
}

// end takes the bar away.
func (p *pmnsProgress) end() {
	if p == nil {
		return
	}
	p.bar.Abort(true)
	p.container.Wait()
}

// readSet returns the parameters that an argument names: embedded ones, those of a file,
// or, for "-", those on standard input. They are verified.
func readSet(name string, stdin io.Reader) (*pmns.Params, error) {
	if set, err := pmns.Embedded(name); err == nil {
		return set, nil
	}
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, "./") {
			return nil, fmt.Errorf("there are no parameters with the name %q, and no such file; names are %s", name, strings.Join(pmns.EmbeddedNames(), ", "))
		}
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	set, err := pmns.Read(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return set, nil
}

// pmnsShowCmd is `residue pmns show`.
type pmnsShowCmd struct {
	Sets []string `arg:"" optional:"" name:"set" help:"Names of embedded parameters, or files; - is standard input (default: all embedded ones)."`
	JSON bool     `name:"json" help:"The documents themselves."`
}

// Help is the long help.
func (*pmnsShowCmd) Help() string {
	return `Shows what parameters are: n coefficients of s words of w bits, λ, how many bits an element has, the multiply-adds of vectors of eight words of a product and a square with truncated reduction, the bits by which φ = 2^(w·s) exceeds what the bound of coefficients asks for, and the kernel that computes with them here.

Examples:

    residue pmns show
    residue pmns show modp2048 mine.json
    residue pmns show modp2048 --json | jq .rho`
}

// Run runs the command.
func (c *pmnsShowCmd) Run(e *env) error {
	names := c.Sets
	if len(names) == 0 {
		names = pmns.EmbeddedNames()
	}
	kernel, err := pmns.Default()
	if err != nil {
		return err
	}
	documents := json.NewEncoder(e.stdout)
	t := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	if !c.JSON {
		fmt.Fprintln(t, "name\tbits\tn\ts\tw\tλ\telement\tmul\tsqr\tslack\tkernel\t")
	}
	for _, name := range names {
		set, err := readSet(name, e.stdin)
		if err != nil {
			return err
		}
		if c.JSON {
			if err := documents.Encode(set); err != nil {
				return err
			}
			continue
		}
		uses := "generic"
		if kernel.Has(set, pmns.Truncated) {
			uses = kernel.Name()
		}
		if set.Name != "" {
			name = set.Name
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%s\t\n", name, set.P.BitLen(), set.N, set.Words, set.Width, set.Lambda,
			set.N*set.Words*set.Width, set.Cost(pmns.Truncated), set.SquareCost(pmns.Truncated), set.SlackBits(), uses)
	}
	return t.Flush()
}

// pmnsVerifyCmd is `residue pmns verify`.
type pmnsVerifyCmd struct {
	Sets []string `arg:"" name:"set" help:"Files, or names of embedded parameters; - is standard input."`
}

// Help is the long help.
func (*pmnsVerifyCmd) Help() string {
	return `Checks every condition that arithmetic with the parameters relies on, in exact integers. For a condition that does not hold it says which, and both sides of it.

Exit status: 0 all parameters are good; 1 some are not.

Examples:

    residue pmns verify mine.json
    residue pmns new modp2048 | residue pmns verify -`
}

// Run runs the command.
func (c *pmnsVerifyCmd) Run(e *env) error {
	bad := false
	for _, name := range c.Sets {
		set, err := readSet(name, e.stdin)
		if err == nil {
			err = set.Verify() // embedded ones have not been
		}
		text := "good"
		if err != nil {
			bad = true
			text = reason(err)
		}
		if _, err := fmt.Fprintf(e.stdout, "%s: %s\n", name, strings.TrimPrefix(text, name+": ")); err != nil {
			return err
		}
	}
	if bad {
		return &statusError{status: exitBad}
	}
	return nil
}
