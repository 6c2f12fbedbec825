package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"residue"
	"residue/batch"
	"residue/cmd/residue/internal/rowio"
)

// expCmd is `residue exp`.
type expCmd struct {
	Files []string `arg:"" optional:"" name:"file" help:"Files of rows; - or none is standard input."`

	Base *string `placeholder:"HEX" help:"Base of the rows that have none."`
	Exp  *string `placeholder:"HEX" help:"Exponent of the rows that have none."`
	Mod  *string `placeholder:"HEX" help:"Modulus of the rows that have none."`

	Format       string `enum:"auto,json,jsonl,csv" default:"auto" help:"Format of the rows: auto, json or csv."`
	OutputFormat string `enum:"auto,json,jsonl,csv" default:"auto" help:"Format of the results: auto (the first file's), json or csv."`
	Output       string `short:"o" placeholder:"FILE" help:"Write the results to FILE, which changes when all are there; - is standard output."`
	MaxRow       int    `default:"1048576" placeholder:"BYTES" help:"Longest row, in bytes (default ${default})."`

	Quiet      bool `short:"q" help:"No progress and no summary; bad rows are still reported."`
	NoProgress bool `help:"No progress on a terminal."`
}

// Help is the long help.
func (*expCmd) Help() string {
	return `Rows are JSON lines or CSV, numbers are hex, results come in the order of the rows:

    {"base":"3","exp":"10001","mod":"c5","id":"first"}

    base,exp,mod
    3,10001,c5

Numbers may start with 0x, and base and exp with a minus sign: exp -1 is the inverse. Other fields are ignored, but for id, which is repeated in the result. A CSV record is one line, under a header that names its columns, in any order. A field that is not there (in JSON also null, in CSV also empty) takes the value of --base, --exp or --mod; a row's own value comes first. A value that starts with @ is the name of a file that has the number, so that a secret need not be on the command line. Moduli have up to ` + fmt.Sprint(residue.MaxBits) + ` bits.

The format is told by the name of the file (.json, .jsonl, .ndjson, .csv) or else by its first line.

A bad row is reported on standard error as FILE:LINE: reason, and has a record with the error in place of a result; all other rows are computed. Rows are computed as they arrive, so that the command can be a coprocess.

Results are {"id":…,"result":"…"} or {"id":…,"line":…,"error":"…"} a line, without the id if the row has none; in CSV the columns are id, result and error.

The last line on standard error has the rows, the time and the kernel. With -o, an output that is not whole, because of Ctrl-C or an error, is left as FILE.partial.

Exit status: 0 all rows computed; 1 some rows were bad; 2 could not run, or not to the end; 130 interrupted.

Examples:

    residue exp rows.jsonl > results.jsonl
    residue exp --output-format csv -o results.csv rows.jsonl
    residue exp --exp 10001 --mod @modulus.hex bases.csv
    echo '{"base":"3","mod":"c5"}' | residue exp --exp=-1 -q`
}

// Run runs the command.
func (c *expCmd) Run(e *env) error {
	kernel, err := batch.Default()
	if err != nil {
		return err
	}
	shared, exp, err := c.shared()
	if err != nil {
		return err
	}
	sources, size, err := c.sources(e, shared)
	if err != nil {
		return err
	}
	out, err := openOutput(c.Output, e.stdout)
	if err != nil {
		return err
	}

	r := &results{begun: time.Now(), out: out, stderr: e.stderr, several: len(sources) > 1}
	r.format, _ = rowio.ParseFormat(c.OutputFormat)
	if !c.Quiet && !c.NoProgress && isTerminal(e.stderr) && (c.toFile() || !isTerminal(e.stdout)) {
		r.progress = newProgress(e.stderr, size)
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	p := &pipeline{sources: sources, exp: exp, sink: r, limits: batchLimits(runtime.GOMAXPROCS(0))}
	err = p.run(ctx)
	r.progress.end()
	err = r.close(err)
	if !c.Quiet {
		r.summary(kernel.Name())
	}
	return err
}

func (c *expCmd) toFile() bool { return c.Output != "" && c.Output != "-" }

// interruptible returns a context that ends with Ctrl-C. A second one ends the
// process.
func interruptible(parent context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// shared parses the values for rows that have none, and returns what computes
// rows with them: a shared modulus is prepared once.
func (c *expCmd) shared() (rowio.Shared, expBatch, error) {
	var s rowio.Shared
	for _, f := range []struct {
		name string
		text *string
		z    **big.Int
	}{{"base", c.Base, &s.Base}, {"exp", c.Exp, &s.Exp}, {"mod", c.Mod, &s.Mod}} {
		if f.text == nil {
			continue
		}
		text, err := flagText(*f.text)
		if err == nil {
			*f.z, err = rowio.ParseHex(text)
		}
		if err != nil {
			return s, nil, fmt.Errorf("--%s: %w", f.name, err)
		}
	}
	if s.Mod == nil {
		return s, residue.ExpBatchBig, nil
	}
	m, err := residue.NewModulusBig(s.Mod)
	if err != nil {
		return s, nil, fmt.Errorf("--mod: %s", reason(err))
	}
	return s, sharedModulus(m, s.Mod), nil
}

// flagText returns a flag's number, which @ says is in a file.
func flagText(text string) ([]byte, error) {
	name, ok := strings.CutPrefix(text, "@")
	if !ok {
		return []byte(text), nil
	}
	b, err := os.ReadFile(name)
	return []byte(strings.TrimSpace(string(b))), err
}

// sharedModulus computes batches in which every row's modulus is n, the one in m,
// with m, and others a modulus a row.
func sharedModulus(m *residue.Modulus, n *big.Int) expBatch {
	return func(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error) {
		for _, z := range moduli {
			if z != n {
				return residue.ExpBatchBig(ctx, moduli, xs, ys)
			}
		}
		return m.ExpBatchBig(ctx, xs, ys)
	}
}

// sources returns the files of rows and their length in bytes, or 0 if that is
// not known. Files that are not there are found out before any row is computed.
func (c *expCmd) sources(e *env, shared rowio.Shared) ([]source, int64, error) {
	if c.MaxRow < 1 {
		return nil, 0, fmt.Errorf("--max-row %d: want at least 1 byte", c.MaxRow)
	}
	format, err := rowio.ParseFormat(c.Format)
	if err != nil {
		return nil, 0, err
	}
	names := c.Files
	if len(names) == 0 {
		names = []string{"-"}
	}
	var list []source
	var size int64
	known := true
	for _, name := range names {
		src := source{name: name, opts: rowio.Options{File: name, Format: format, MaxRow: c.MaxRow, Shared: shared}}
		var info os.FileInfo
		if name == "-" {
			src.opts.File = "stdin"
			src.open = func() (io.ReadCloser, error) { return io.NopCloser(e.stdin), nil }
			if f, ok := e.stdin.(*os.File); ok {
				info, _ = f.Stat()
			}
		} else {
			if format == rowio.Auto {
				src.opts.Format = formatOfName(name)
			}
			src.open = func() (io.ReadCloser, error) { return os.Open(name) }
			if info, err = os.Stat(name); err != nil {
				return nil, 0, err
			}
			if info.IsDir() {
				return nil, 0, fmt.Errorf("%s is a directory", name)
			}
		}
		known = known && info != nil && info.Mode().IsRegular()
		if known {
			size += info.Size()
		}
		list = append(list, src)
	}
	if !known {
		size = 0
	}
	return list, size, nil
}

func formatOfName(name string) rowio.Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json", ".jsonl", ".ndjson":
		return rowio.JSON
	case ".csv":
		return rowio.CSV
	}
	return rowio.Auto
}

// results is the sink of `residue exp`: records to the output, messages and
// progress to standard error.
type results struct {
	begun    time.Time
	out      output
	format   rowio.Format
	stderr   io.Writer
	progress *progress
	several  bool // files, so that an error record has to name its file

	w         *rowio.Writer
	rows, bad int
	unflushed struct{ rows, bytes int }
}

func (r *results) start(input rowio.Format) error {
	if r.format == rowio.Auto {
		r.format = input
	}
	r.w = rowio.NewWriter(r.out, r.format)
	return r.w.Header()
}

func (r *results) row(row *rowio.Row, z *big.Int) error {
	r.rows++
	r.unflushed.rows++
	r.unflushed.bytes += row.Size
	if row.Err == nil {
		return r.w.Result(row, z)
	}
	r.bad++
	text := reason(row.Err)
	fmt.Fprintf(r.progress.messages(r.stderr), "%s:%d: %s\n", row.File, row.Line, text)
	if r.several {
		text = row.File + ": " + text
	}
	return r.w.Error(row, text)
}

func (r *results) flush() error {
	r.progress.add(r.unflushed.rows, r.unflushed.bytes)
	r.unflushed.rows, r.unflushed.bytes = 0, 0
	return r.w.Flush()
}

// close ends the output, and returns what the command ends with, for a pipeline
// that ended with err.
func (r *results) close(err error) error {
	if err == nil {
		if err := r.out.commit(); err != nil {
			return err
		}
		if r.bad > 0 {
			return &statusError{status: exitBad}
		}
		return nil
	}
	if name, keepErr := r.out.abandon(); name != "" && keepErr == nil {
		err = fmt.Errorf("%w (the results so far are in %s)", err, name)
	}
	if errors.Is(err, context.Canceled) {
		return &statusError{exitInterrupted, fmt.Errorf("interrupted%s",
			strings.TrimPrefix(err.Error(), context.Canceled.Error()))}
	}
	return err
}

// summary is the command's last line.
func (r *results) summary(kernel string) {
	bad := ""
	if r.bad > 0 {
		bad = fmt.Sprintf(" (%d bad)", r.bad)
	}
	elapsed := time.Since(r.begun)
	fmt.Fprintf(r.stderr, "%s%s in %.2f s, %s, kernel %s\n",
		count(int64(r.rows)), bad, elapsed.Seconds(), rate(int64(r.rows), elapsed), kernel)
}
