package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"residue/cmd/residue/internal/rowio"
)

// rowsFlags are the arguments of commands that take rows and give results.
type rowsFlags struct {
	Files []string `arg:"" optional:"" name:"file" help:"Files of rows; - or none is standard input."`

	Format       string `enum:"auto,json,jsonl,csv" default:"auto" help:"Format of the rows: auto, json or csv."`
	OutputFormat string `enum:"auto,json,jsonl,csv" default:"auto" help:"Format of the results: auto (the first file's), json or csv."`
	Output       string `short:"o" placeholder:"FILE" help:"Write the results to FILE, which changes when all are there; - is standard output."`
	MaxRow       int    `default:"1048576" placeholder:"BYTES" help:"Longest row, in bytes (default ${default})."`

	Quiet      bool `short:"q" help:"No progress and no summary; bad rows are still reported."`
	NoProgress bool `help:"No progress on a terminal."`
}

// rowsRun is what such a command does with rows.
type rowsRun[R item] struct {
	open    func(io.Reader, rowio.Options) rowReader[R]
	compute func(ctx context.Context, rows []R) error
	kernel  string                             // for the summary
	column  string                             // the results' name
	write   func(w *rowio.Writer, row R) error // writes a result
}

// runRows runs such a command.
func runRows[R item](e *env, c *rowsFlags, what rowsRun[R]) error {
	sources, size, err := c.sources(e)
	if err != nil {
		return err
	}
	out, err := openOutput(c.Output, e.stdout)
	if err != nil {
		return err
	}
	r := &results[R]{begun: time.Now(), out: out, stderr: e.stderr, several: len(sources) > 1, column: what.column, write: what.write}
	r.format, _ = rowio.ParseFormat(c.OutputFormat)
	if !c.Quiet && !c.NoProgress && isTerminal(e.stderr) && (c.toFile() || !isTerminal(e.stdout)) {
		r.progress = newProgress(e.stderr, size)
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	p := &pipeline[R]{sources: sources, open: what.open, compute: what.compute, sink: r, limits: batchLimits(runtime.GOMAXPROCS(0))}
	err = p.run(ctx)
	r.progress.end()
	err = r.close(err)
	if !c.Quiet {
		r.summary(what.kernel)
	}
	return err
}

func (c *rowsFlags) toFile() bool { return c.Output != "" && c.Output != "-" }

// interruptible returns a context that ends with Ctrl-C. A second one ends the
// process.
func interruptible(parent context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// sources returns the files of rows and their length in bytes, or 0 if that is
// not known. Files that are not there are found out before any row is computed.
func (c *rowsFlags) sources(e *env) ([]source, int64, error) {
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
		src := source{name: name, opts: rowio.Options{File: name, Format: format, MaxRow: c.MaxRow}}
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
