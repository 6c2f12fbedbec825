package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"residue/cmd/residue/internal/rings"
	"residue/cmd/residue/internal/rowio"
	"residue/negacyclic"
)

// ringMulCmd is `residue ring mul`.
type ringMulCmd struct {
	ringFlags `embed:""`

	B       *string `name:"b" placeholder:"LIST" help:"Second operand of the rows that have none: coefficients, or @FILE with them."`
	Centred bool    `aliases:"centered" help:"Coefficients from -q/2 to below q/2, and not from 0 to below q."`

	rowsFlags `embed:""`
}

// Help is the long help.
func (*ringMulCmd) Help() string {
	return `Rows are JSON lines or CSV, coefficients are decimal integers, that of X^0 first, and results come in the order of the rows:

    {"a":[1,2,3,4],"b":[0,0,0,1],"id":"times X^3"}

    a,b
    1 2 3 4,0 0 0 1

    residue ring mul --q 3329 --n 4 gives {"id":"times X^3","c":[3327,3326,3325,1]}

The ring is that of --ring, or of --q and --n. A row's own fields q and n come first: {"q":"2^13","n":512,"a":[…],"b":[…]}. A row has as many coefficients as n says, in a and in b; a row without b takes that of --b, which may be written '1 2 3', 1,2,3 or [1,2,3]. Other fields are ignored, but for id, which is repeated in the result. In CSV the coefficients in a cell have blanks between them.

A coefficient is any integer of 64 bits with a sign: it stands for its residue modulo q, and -1 for q - 1. Those of results are from 0 to q - 1, or with --centred from -q/2 to below q/2: for odd q from -(q - 1)/2 to (q - 1)/2.

Products are constant time in the coefficients; to read and write them in decimal is not.

The format is told by the name of the file (.json, .jsonl, .ndjson, .csv) or else by its first line.

A bad row is reported on standard error as FILE:LINE: reason, and has a record with the error in place of a result; all other rows are computed. Rows are computed as they arrive, so that the command can be a coprocess.

Results are {"id":…,"c":[…]} or {"id":…,"line":…,"error":"…"} a line, without the id if the row has none; in CSV the columns are id, c and error.

The last line on standard error has the rows, the time and the kernel. With -o, an output that is not whole, because of Ctrl-C or an error, is left as FILE.partial.

Exit status: 0 all rows computed; 1 some rows were bad; 2 could not run, or not to the end; 130 interrupted.

Examples:

    residue ring mul --ring ml-kem rows.jsonl > products.jsonl
    residue ring mul --ring saber --method toom4 --centred -o products.csv rows.csv
    residue ring mul --ring ml-dsa --b @secret.txt rows.jsonl
    echo '{"a":[1,2],"b":[3,4]}' | residue ring mul --q 17 --n 2 -q`
}

// Run runs the command.
func (c *ringMulCmd) Run(e *env) error {
	kernel, err := negacyclic.Default()
	if err != nil {
		return err
	}
	q, n, method, err := c.ring()
	if err != nil {
		return err
	}
	shared := rowio.SharedProduct{Q: q, N: n}
	if c.B != nil {
		text, err := flagText(*c.B)
		if err == nil {
			shared.B, err = rowio.ParseCoefficients([]byte(strings.Join(strings.Fields(string(text)), " ")))
		}
		if err != nil {
			return fmt.Errorf("--b: %w", err)
		}
	}
	p := &products{kernel: kernel, method: method, centred: c.Centred}
	if q != 0 { // what is wrong with it is found out before any row is read
		if _, err := p.ring(q, n); err != nil {
			return err
		}
		if shared.B != nil && len(shared.B) != n {
			return fmt.Errorf("--b: %d coefficients, want %d", len(shared.B), n)
		}
	}
	return runRows(e, &c.rowsFlags, rowsRun[*productRow]{
		open: openProducts(shared), compute: p.rows, kernel: kernel.Name(),
		column: "c", write: func(w *rowio.Writer, row *productRow) error { return w.Coefficients(&row.Head, row.c) },
	})
}

// productRow is a product.
type productRow struct {
	rowio.Product
	c []int64 // nil until it is computed
}

func (r *productRow) head() *rowio.Head { return &r.Head }
func (r *productRow) done() bool        { return r.c != nil }

// work is the square of the length: no method is slower.
func (r *productRow) work() float64 { return float64(r.N) * float64(r.N) }

// openProducts returns what reads products.
func openProducts(shared rowio.SharedProduct) func(io.Reader, rowio.Options) rowReader[*productRow] {
	return func(r io.Reader, opts rowio.Options) rowReader[*productRow] {
		return itemReader[rowio.Product, *productRow]{
			rowio.NewReader(r, opts, shared), func(p rowio.Product) *productRow { return &productRow{Product: p} },
		}
	}
}

// products computes rows in the rings that they name.
type products struct {
	kernel  *negacyclic.Kernel
	method  rings.Method
	centred bool

	mu    sync.Mutex
	rings map[ringKey]*preparedRing
}

type ringKey struct {
	q int64
	n int
}

// preparedRing is a ring with the multipliers that are not in use.
type preparedRing struct {
	*rings.Ring
	multipliers sync.Pool
}

// mostRings is how many rings are kept: rows that each name another one do not fill
// the memory.
const mostRings = 64

// ring returns the ring for q and n, which it keeps.
func (p *products) ring(q int64, n int) (*preparedRing, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := ringKey{q, n}
	if r := p.rings[key]; r != nil {
		return r, nil
	}
	ring, err := rings.New(p.kernel, q, n, p.method)
	if err != nil {
		return nil, err
	}
	r := &preparedRing{Ring: ring}
	r.multipliers.New = func() any { return ring.Multiplier() }
	if p.rings == nil || len(p.rings) == mostRings {
		p.rings = map[ringKey]*preparedRing{}
	}
	p.rings[key] = r
	return r, nil
}

// rows computes good rows on all cores, until the context ends.
func (p *products) rows(ctx context.Context, rows []*productRow) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(rows)) {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(rows) {
					return
				}
				p.row(rows[i])
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// row computes a row, or finds out what is wrong with it.
func (p *products) row(row *productRow) {
	ring, err := p.ring(row.Q, row.N)
	if err != nil {
		row.Err = err
		return
	}
	for _, operand := range []struct {
		name string
		x    []int64
	}{{"a", row.A}, {"b", row.B}} {
		if len(operand.x) != row.N {
			row.Err = fmt.Errorf("%s: %d coefficients, want %d", operand.name, len(operand.x), row.N)
			return
		}
	}
	m := ring.multipliers.Get().(rings.Multiplier)
	defer ring.multipliers.Put(m)
	c := row.A // which nobody needs any more
	m.Mul(c, row.A, row.B)
	if p.centred {
		rings.Centre(c, row.Q)
	}
	row.c = c
}
