package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"residue"
	"residue/barrett"
	"residue/batch"
	"residue/cmd/residue/internal/rowio"
	"residue/mont"
	"residue/negacyclic"
)

// The known answers: rows, and what Python's pow makes of them. The program in
// examples/generate writes the first, examples/expected.py the second.
var (
	//go:embed selftest/rows.jsonl
	knownRows []byte
	//go:embed selftest/expected.jsonl
	knownResults []byte
)

// selftestCmd is `residue selftest`.
type selftestCmd struct {
	JSON bool    `name:"json" help:"One JSON object a test."`
	Seed *uint64 `placeholder:"N" help:"Seed of the random numbers, to repeat a run (default: a new one)."`
}

// Help is the long help.
func (*selftestCmd) Help() string {
	return `Every kernel that this CPU can run computes known answers, which come from another implementation, and random rows, which are compared with math/big: in vectors of eight rows, and one row at a time. Then come known products of polynomials, by every method that takes their ring, and the known answers go the way that residue exp takes, with even moduli and negative exponents.

Exit status: 0 every result is right; 1 one is not; 2 could not run.

Examples:

    residue selftest
    residue selftest --json | jq 'select(.failed > 0)'
    residue selftest --seed 7`
}

// testResult is a line of the table.
type testResult struct {
	Kernel  string  `json:"kernel"`
	Test    string  `json:"test"`
	Bits    int     `json:"bits"` // of the longest modulus
	Rows    int     `json:"rows"`
	Failed  int     `json:"failed"`
	Error   string  `json:"error,omitempty"` // of the first row that failed
	Seconds float64 `json:"seconds"`
}

// Run runs the command.
func (c *selftestCmd) Run(e *env) error {
	chosen, err := batch.Default()
	if err != nil {
		return err
	}
	known, err := readKnown()
	if err != nil {
		return err
	}
	products, err := readProducts()
	if err != nil {
		return err
	}
	seed := rand.Uint64()
	if c.Seed != nil {
		seed = *c.Seed
	}
	t := selftest{w: e.stdout, json: c.JSON}
	if !c.JSON {
		t.printf("%-10s%-18s%6s%6s  %-8s%s\n", "kernel", "test", "bits", "rows", "result", "seconds")
	}
	for _, k := range batch.Kernels() {
		for _, vector := range vectors(known) {
			t.do(k.Name(), "known answers", vector, kernelExp(k))
		}
		for i, vector := range randomVectors(seed) {
			t.do(k.Name(), fmt.Sprintf("random %d", i+1), vector, kernelExp(k))
		}
	}
	for _, k := range mont.Kernels() {
		exp := singleExp(k.NewModulus)
		t.do(k.Name(), "known, single", slices.Concat(vectors(known)...), exp)
		t.do(k.Name(), "random, single", slices.Concat(randomVectors(seed)...), exp)
	}
	for _, k := range barrett.Kernels() {
		even := slices.Concat(evenModuli(randomVectors(seed))...)
		t.do(k.Name(), "even, Barrett", even, barrettExp(k))
		if k.Engine() == k.Name() {
			t.do(k.Name(), "even, single", even, singleExp(func(bits int, n []byte) (*barrett.Modulus, error) {
				return k.NewModulus(bits, n, barrett.Auto)
			}))
		}
	}
	for _, k := range negacyclic.Kernels() {
		t.rings(k, products)
	}
	t.do(chosen.Name(), "front door", known, residue.ExpBatchBig)
	if !c.JSON && t.failed == 0 {
		t.printf("all %d rows are right\n", t.rows)
	} else if !c.JSON {
		t.printf("%d of %d rows are WRONG (residue selftest --seed %d repeats the random ones)\n", t.failed, t.rows, seed)
	}
	if t.err == nil && t.failed > 0 {
		return &statusError{status: exitBad}
	}
	return t.err
}

// answer is a row whose result is known.
type answer struct {
	id                string
	base, exp, mod, z *big.Int
}

// readKnown returns the known answers.
func readKnown() ([]answer, error) {
	rows := rowio.NewReader(bytes.NewReader(knownRows), rowio.Options{File: "rows.jsonl", Format: rowio.JSON}, rowio.Shared{})
	results := json.NewDecoder(bytes.NewReader(knownResults))
	var known []answer
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return known, nil
		}
		if err = cmp.Or(err, row.Err); err != nil {
			return nil, err
		}
		var want struct{ ID, Result string }
		if err := results.Decode(&want); err != nil {
			return nil, err
		}
		z, err := rowio.ParseHex([]byte(want.Result))
		if err != nil {
			return nil, err
		}
		known = append(known, answer{want.ID, row.Base, row.Exp, row.Mod, z})
	}
}

// vectors cuts the answers that a kernel can compute by itself into vectors of
// rows of the same size, as far as they come in that order.
func vectors(known []answer) [][]answer {
	var out [][]answer
	var vector []answer
	for _, a := range known {
		if a.mod.Bit(0) == 0 || a.exp.Sign() < 0 || a.base.Sign() < 0 || a.base.Cmp(a.mod) >= 0 {
			continue
		}
		limbs := func(a answer) int { return batch.Limbs(a.mod.BitLen()) }
		if len(vector) == batch.Lanes || len(vector) > 0 && limbs(vector[0]) != limbs(a) {
			out, vector = append(out, vector), nil
		}
		vector = append(vector, a)
	}
	return append(out, vector)
}

// randomVectors are full vectors of random rows, each with lanes of various
// lengths, with math/big's results.
func randomVectors(seed uint64) [][]answer {
	r := rand.New(rand.NewPCG(seed, 0))
	number := func(bits int) *big.Int {
		z := new(big.Int)
		for range (bits + 63) / 64 {
			z.Lsh(z, 64).Or(z, new(big.Int).SetUint64(r.Uint64()))
		}
		return z.Rsh(z, uint(z.BitLen()-min(bits, z.BitLen())))
	}
	var out [][]answer
	for _, size := range []struct{ mod, exp int }{
		{50, 70}, {512, 512}, {1024, 1024}, {1536, 512}, {2048, 512}, {3072, 128}, {4096, 128}, {8192, 17},
	} {
		var vector []answer
		for lane := range batch.Lanes {
			n := number(size.mod - 3*lane)
			n.SetBit(n, 0, 1)
			x := number(size.mod)
			x.Mod(x, n)
			y := number(size.exp - lane)
			vector = append(vector, answer{fmt.Sprintf("lane %d", lane), x, y, n, new(big.Int).Exp(x, y, n)})
		}
		out = append(out, vector)
	}
	return out
}

// kernelExp returns what computes one vector of rows with a kernel.
func kernelExp(k *batch.Kernel) expBatch {
	return func(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error) {
		bits, ebits := 0, 1
		var ns [][]byte
		for i, n := range moduli {
			bits, ebits = max(bits, n.BitLen()), max(ebits, ys[i].BitLen())
			ns = append(ns, n.Bytes())
		}
		m, err := k.NewModuli(bits, ns...)
		if err != nil {
			return nil, err
		}
		x, z := batch.NewInts(m.Limbs()), batch.NewInts(m.Limbs())
		e := batch.NewInts((ebits + batch.DigitBits - 1) / batch.DigitBits)
		for lane := range moduli {
			x.SetBytes(lane, xs[lane].Bytes())
			e.SetBytes(lane, ys[lane].Bytes())
		}
		if err := m.Exp(ctx, z, x, e, ebits); err != nil {
			return nil, err
		}
		zs := make([]*big.Int, len(moduli))
		for lane, n := range moduli {
			b := make([]byte, (n.BitLen()+7)/8)
			if !z.FillBytes(lane, b) {
				continue // above the modulus
			}
			zs[lane] = new(big.Int).SetBytes(b)
		}
		return zs, nil
	}
}

// evenModuli returns the same rows with the next larger moduli, with math/big's results.
func evenModuli(vectors [][]answer) [][]answer {
	for _, vector := range vectors {
		for i := range vector {
			a := &vector[i]
			a.mod.Add(a.mod, big.NewInt(1))
			a.z.Exp(a.base, a.exp, a.mod)
		}
	}
	return vectors
}

// barrettExp returns what computes rows with a kernel of package barrett, eight at a time.
func barrettExp(k *barrett.Kernel) expBatch {
	return func(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error) {
		zs := make([]*big.Int, len(moduli))
		for from := 0; from < len(moduli); from += batch.Lanes {
			to := min(from+batch.Lanes, len(moduli))
			bits, ebits := 0, 1
			var ns [][]byte
			for i, n := range moduli[from:to] {
				bits, ebits = max(bits, n.BitLen()), max(ebits, ys[from+i].BitLen())
				ns = append(ns, n.Bytes())
			}
			m, err := k.NewModuli(bits, barrett.Auto, ns...)
			if err != nil {
				return zs, err
			}
			x, z := batch.NewInts(m.Limbs()), batch.NewInts(m.Limbs())
			e := batch.NewInts((ebits + batch.DigitBits - 1) / batch.DigitBits)
			for lane := range to - from {
				x.SetBytes(lane, xs[from+lane].Bytes())
				e.SetBytes(lane, ys[from+lane].Bytes())
			}
			if err := m.Exp(ctx, z, x, e, ebits); err != nil {
				return zs, err
			}
			for lane, n := range moduli[from:to] {
				b := make([]byte, (n.BitLen()+7)/8)
				if z.FillBytes(lane, b) { // if not, it is above the modulus
					zs[from+lane] = new(big.Int).SetBytes(b)
				}
			}
		}
		return zs, nil
	}
}

// singleModulus is a modulus for one number at a time.
type singleModulus interface {
	ExpBytes(ctx context.Context, out, base, e []byte, ebits int) (fits bool, err error)
}

// singleExp returns what computes rows one at a time, with moduli that are prepared so.
func singleExp[M singleModulus](prepare func(bits int, n []byte) (M, error)) expBatch {
	return func(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error) {
		zs := make([]*big.Int, len(moduli))
		for i, n := range moduli {
			m, err := prepare(n.BitLen(), n.Bytes())
			if err != nil {
				return zs, err
			}
			b := make([]byte, (n.BitLen()+7)/8)
			if _, err := m.ExpBytes(ctx, b, xs[i].Bytes(), ys[i].Bytes(), ys[i].BitLen()); err != nil {
				return zs, err
			}
			zs[i] = new(big.Int).SetBytes(b)
		}
		return zs, nil
	}
}

// selftest runs tests and prints what came of them.
type selftest struct {
	w            io.Writer
	json         bool
	rows, failed int
	err          error // of the output
}

// do computes rows and compares them.
func (t *selftest) do(kernel, name string, rows []answer, exp expBatch) {
	r := testResult{Kernel: kernel, Test: name, Rows: len(rows)}
	var moduli, xs, ys []*big.Int
	for _, a := range rows {
		r.Bits = max(r.Bits, a.mod.BitLen())
		moduli, xs, ys = append(moduli, a.mod), append(xs, a.base), append(ys, a.exp)
	}
	begun := time.Now()
	zs, err := exp(context.Background(), moduli, xs, ys)
	r.Seconds = time.Since(begun).Seconds()
	for i, a := range rows {
		if i < len(zs) && zs[i] != nil && zs[i].Cmp(a.z) == 0 {
			continue
		}
		r.Failed++
		if r.Error == "" {
			r.Error = a.id + ": wrong result"
			if err != nil {
				r.Error = a.id + ": " + strings.ReplaceAll(reason(err), "\n", "; ")
			}
		}
	}
	t.add(&r)
}

// add counts and prints a result.
func (t *selftest) add(r *testResult) {
	t.rows += r.Rows
	t.failed += r.Failed
	t.print(r)
}

func (t *selftest) print(r *testResult) {
	if t.json {
		b, err := json.Marshal(r)
		t.err = cmp.Or(t.err, err)
		t.printf("%s\n", b)
		return
	}
	result := "ok"
	if r.Failed > 0 {
		result = "WRONG"
	}
	t.printf("%-10s%-18s%6d%6d  %-8s%.3f\n", r.Kernel, r.Test, r.Bits, r.Rows, result, r.Seconds)
	if r.Error != "" {
		t.printf("%12s%d of %d wrong; %s\n", "", r.Failed, r.Rows, r.Error)
	}
}

func (t *selftest) printf(format string, args ...any) {
	_, err := fmt.Fprintf(t.w, format, args...)
	t.err = cmp.Or(t.err, err)
}
