package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"residue"
	"residue/cmd/residue/internal/rowio"
)

// record is what a pipeline made of a row.
type record struct {
	line   int
	result string // in hex
	err    error
}

// recorder is a sink that keeps what it is given, and tells about flushes.
type recorder struct {
	mu      sync.Mutex
	format  rowio.Format
	records []record
	flushed chan int // how many records there are; nil for nobody to tell
	fail    error    // of row
}

func (r *recorder) start(f rowio.Format) error {
	r.format = f
	return nil
}

func (r *recorder) row(row *expRow) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := record{line: row.Line, err: row.Err}
	if row.z != nil {
		rec.result = row.z.Text(16)
	}
	r.records = append(r.records, rec)
	return r.fail
}

func (r *recorder) flush() error {
	if r.flushed != nil {
		r.flushed <- len(r.records)
	}
	return nil
}

// powers is a pipeline of the exponentiations in r.
func powers(r io.Reader, exp expBatch, sink sink[*expRow], l limits) *pipeline[*expRow] {
	src := source{name: "test", open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	return &pipeline[*expRow]{
		sources: []source{src}, open: openPowers(rowio.Shared{}), compute: exp.rows, sink: sink, limits: l,
	}
}

var errOdd = errors.New("odd exponent")

// slowExp computes with math/big and takes a while, a random one. Rows with an
// odd exponent fail.
func slowExp(_ context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error) {
	var bad residue.RowErrors
	zs := make([]*big.Int, len(xs))
	for i := range xs {
		if ys[i].Bit(0) == 1 {
			bad = append(bad, &residue.RowError{Row: i, Err: errOdd})
			continue
		}
		zs[i] = new(big.Int).Exp(xs[i], ys[i], moduli[i])
	}
	time.Sleep(time.Duration(xs[0].Uint64()%7) * 100 * time.Microsecond)
	if bad != nil {
		return zs, bad
	}
	return zs, nil
}

// TestRowsInRowsOut checks that there is a record for every row, in order, with
// its own result or error.
func TestRowsInRowsOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfN(rapid.SampledFrom([]string{"good", "good", "good", "odd", "broken", "blank"}), 0, 60).Draw(t, "kinds")
		var text strings.Builder
		var want []record
		for i, kind := range kinds {
			line := i + 1
			switch kind {
			case "good":
				fmt.Fprintf(&text, `{"base":"%x","exp":"2","mod":"ffffff"}`, line)
				want = append(want, record{line: line, result: fmt.Sprintf("%x", line*line)})
			case "odd":
				fmt.Fprintf(&text, `{"base":"%x","exp":"3","mod":"ffffff"}`, line)
				want = append(want, record{line: line, err: errOdd})
			case "broken":
				text.WriteString("{")
				want = append(want, record{line: line})
			}
			text.WriteByte('\n')
		}
		sink := &recorder{}
		p := powers(strings.NewReader(text.String()), slowExp, sink, limits{
			rows:  rapid.IntRange(1, 8).Draw(t, "rows"),
			bytes: rapid.IntRange(1, 500).Draw(t, "bytes"),
			work:  rapid.Float64Range(1, 50).Draw(t, "work"),
		})
		if err := p.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(sink.records) != len(want) {
			t.Fatalf("%d records of %d rows", len(sink.records), len(want))
		}
		for i, w := range want {
			got := sink.records[i]
			broken := w.result == "" && w.err == nil
			if got.line != w.line || got.result != w.result ||
				(broken && got.err == nil) || (!broken && !errors.Is(got.err, w.err)) {
				t.Fatalf("record %d is %v, want %v", i, got, w)
			}
		}
	})
}

// TestCoprocess checks that a row is answered before the next one is asked.
func TestCoprocess(t *testing.T) {
	in, ask := io.Pipe()
	sink := &recorder{flushed: make(chan int)}
	p := powers(in, slowExp, sink, batchLimits(2))
	done := make(chan error)
	go func() { done <- p.run(t.Context()) }()
	for i := range 5 {
		fmt.Fprintln(ask, `{"base":"2","exp":"4","mod":"ff"}`)
		select {
		case n := <-sink.flushed:
			if n != i+1 {
				t.Fatalf("%d answers to %d rows", n, i+1)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("no answer to row %d", i+1)
		}
	}
	ask.Close()
	<-sink.flushed // the one at the end
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestInterruptedPipeline checks that run ends with its context although the
// input does not, and that what was computed has been written.
func TestInterruptedPipeline(t *testing.T) {
	in, ask := io.Pipe()
	defer ask.Close()
	sink := &recorder{flushed: make(chan int)}
	ctx, cancel := context.WithCancel(t.Context())
	// The first batch is computed; the one after it ends with the context.
	exp := func(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error) {
		if xs[0].Uint64() == 1 {
			return slowExp(ctx, moduli, xs, ys)
		}
		cancel()
		<-ctx.Done()
		return make([]*big.Int, len(xs)), residue.RowErrors{{Row: 0, Err: fmt.Errorf("stopped: %w", ctx.Err())}}
	}
	p := powers(in, exp, sink, batchLimits(2))
	done := make(chan error)
	go func() { done <- p.run(ctx) }()
	fmt.Fprintln(ask, `{"base":"1","exp":"4","mod":"ff"}`)
	if n := <-sink.flushed; n != 1 {
		t.Fatalf("%d records, want 1", n)
	}
	sink.flushed = nil
	fmt.Fprintln(ask, `{"base":"2","exp":"4","mod":"ff"}`)
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("run ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("run does not end")
	}
	if len(sink.records) != 1 {
		t.Errorf("%d records, want 1: a row that was not computed is not a bad one", len(sink.records))
	}
}

// TestPartialBatch checks that of a batch that was cut short, the rows are written
// up to the first that was not computed, and no further.
func TestPartialBatch(t *testing.T) {
	stop := errors.New("stop")
	exp := func(_ context.Context, _, xs, _ []*big.Int) ([]*big.Int, error) {
		return []*big.Int{xs[0], nil, nil, xs[3]}, errors.Join(stop, residue.RowErrors{{Row: 1, Err: errOdd}})
	}
	row := `{"base":"2","exp":"4","mod":"ff"}` + "\n"
	sink := &recorder{}
	p := powers(strings.NewReader(strings.Repeat(row, 4)), exp, sink, limits{rows: 4, bytes: 1e6, work: 1e9})
	// The reader is at the end of its input, so that the four rows are a batch.
	if err := p.run(t.Context()); !errors.Is(err, stop) {
		t.Errorf("run ended with %v", err)
	}
	want := []record{{1, "2", nil}, {2, "", errOdd}}
	if !slices.Equal(sink.records, want) {
		t.Errorf("records %v, want %v", sink.records, want)
	}
}

// TestSinkFails checks that the pipeline ends when its results cannot be written,
// without reading the rest of its input.
func TestSinkFails(t *testing.T) {
	full := errors.New("full")
	in, ask := io.Pipe()
	defer ask.Close()
	go fmt.Fprintln(ask, `{"base":"2","exp":"4","mod":"ff"}`)
	p := powers(in, slowExp, &recorder{fail: full}, batchLimits(2))
	if err := p.run(t.Context()); !errors.Is(err, full) {
		t.Errorf("run ended with %v", err)
	}
}

// TestBatches checks where batches end.
func TestBatches(t *testing.T) {
	row := &expRow{Row: rowio.Row{Head: rowio.Head{Size: 10}, Base: big.NewInt(2), Exp: big.NewInt(1), Mod: big.NewInt(5)}} // work 2
	for _, tt := range []struct {
		limits limits
		want   int
	}{
		{limits{rows: 3, bytes: 1000, work: 1000}, 3},
		{limits{rows: 100, bytes: 40, work: 1000}, 4},
		{limits{rows: 100, bytes: 1000, work: 10}, 5},
		{limits{rows: 100, bytes: 1000, work: 10, least: 7}, 7},
	} {
		q := newQueue[*expRow](tt.limits)
		go func() {
			for range 20 {
				q.put(row)
			}
			q.end()
		}()
		var got []int
		for rows := q.take(); rows != nil; rows = q.take() {
			got = append(got, len(rows))
		}
		if got[0] != tt.want {
			t.Errorf("%+v: batches of %d rows, want %d", tt.limits, got, tt.want)
		}
	}
}

// TestTune checks that a batch that was full, and no longer is with new limits,
// keeps neither side waiting.
func TestTune(t *testing.T) {
	row := &expRow{Row: rowio.Row{Head: rowio.Head{Size: 10}, Base: big.NewInt(2), Exp: big.NewInt(1), Mod: big.NewInt(5)}} // work 2
	for _, took := range []time.Duration{time.Microsecond, time.Hour} {
		q := newQueue[*expRow](limits{rows: 100, bytes: 10000, work: 6})
		go func() {
			for range 50 {
				q.put(row)
			}
			q.end()
		}()
		waitUntil(t, func() bool {
			q.mu.Lock()
			defer q.mu.Unlock()
			return len(q.rows) == 3
		})
		q.tune(1e9, took)
		total := 0
		for rows := q.take(); rows != nil; rows = q.take() {
			total += len(rows)
		}
		if total != 50 {
			t.Errorf("%d rows, want 50", total)
		}
	}
}

func waitUntil(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited for too long")
		}
	}
}

// TestReason checks that errors lose the names of packages and nothing else.
func TestReason(t *testing.T) {
	err := fmt.Errorf("batch: %w", errors.New("residue: modulus is zero: residue: again"))
	if got := reason(err); got != "modulus is zero: residue: again" {
		t.Errorf("reason is %q", got)
	}
}
