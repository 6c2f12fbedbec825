package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"os"
	"strings"

	"residue"
	"residue/batch"
	"residue/cmd/residue/internal/rowio"
)

// expCmd is `residue exp`.
type expCmd struct {
	Base *string `placeholder:"HEX" help:"Base of the rows that have none."`
	Exp  *string `placeholder:"HEX" help:"Exponent of the rows that have none."`
	Mod  *string `placeholder:"HEX" help:"Modulus of the rows that have none."`

	rowsFlags `embed:""`
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
	return runRows(e, &c.rowsFlags, rowsRun[*expRow]{
		open: openPowers(shared), compute: exp.rows, kernel: kernel.Name(),
		column: "result", write: func(w *rowio.Writer, row *expRow) error { return w.Number(&row.Head, row.z) },
	})
}

// expRow is an exponentiation.
type expRow struct {
	rowio.Row
	z *big.Int // nil until it is computed
}

func (r *expRow) head() *rowio.Head { return &r.Head }
func (r *expRow) done() bool        { return r.z != nil }

// work is the square of the modulus' words for every bit of the exponent.
func (r *expRow) work() float64 {
	words := func(x *big.Int) float64 { return float64(x.BitLen()/bits.UintSize + 1) }
	return words(r.Mod) * words(r.Mod) * float64(r.Exp.BitLen()+1)
}

// openPowers returns what reads exponentiations.
func openPowers(shared rowio.Shared) func(io.Reader, rowio.Options) rowReader[*expRow] {
	return func(r io.Reader, opts rowio.Options) rowReader[*expRow] {
		return itemReader[rowio.Row, *expRow]{
			rowio.NewReader(r, opts, shared), func(row rowio.Row) *expRow { return &expRow{Row: row} },
		}
	}
}

// expBatch computes xs[i]^ys[i] mod moduli[i], as [residue.ExpBatchBig] does.
type expBatch func(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error)

// rows computes good rows, and gives those that prove not to be good an error.
func (exp expBatch) rows(ctx context.Context, rows []*expRow) error {
	var moduli, xs, ys []*big.Int
	for _, row := range rows {
		moduli, xs, ys = append(moduli, row.Mod), append(xs, row.Base), append(ys, row.Exp)
	}
	zs, err := exp(ctx, moduli, xs, ys)
	for i, z := range zs {
		rows[i].z = z
	}
	var bad residue.RowErrors
	if errors.As(err, &bad) {
		for _, e := range bad {
			if !errors.Is(e.Err, context.Canceled) { // that says nothing of the row
				rows[e.Row].Err = e.Err
			}
		}
	}
	return err
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
