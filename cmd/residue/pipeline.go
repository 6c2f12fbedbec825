package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/big"
	"strings"
	"sync/atomic"
	"time"

	"residue"
	"residue/cmd/residue/internal/rowio"
)

// expBatch computes xs[i]^ys[i] mod moduli[i], as [residue.ExpBatchBig] does.
type expBatch func(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error)

// source is one file of rows.
type source struct {
	name string // in messages
	open func() (io.ReadCloser, error)
	opts rowio.Options
}

// sink takes finished rows, in order.
type sink interface {
	// start comes once, before any row, with the input's format.
	start(rowio.Format) error
	// row takes a row whose result is z, or whose Err says why there is none.
	row(row *rowio.Row, z *big.Int) error
	// flush comes after the rows of a batch.
	flush() error
}

// pipeline reads rows, computes them in batches, and hands the results on in
// order, all at the same time: while one batch is computed the next is read and
// the one before is written.
type pipeline struct {
	sources []source
	exp     expBatch
	sink    sink
	limits  limits // of a batch

	queue   *queue
	format  atomic.Int64 // of the input, once it is known
	started bool         // the sink has
}

// inFlight is how many batches are computed at a time. With two, the cores that
// have finished their part of one batch work on the other.
const inFlight = 2

// job is a batch on its way.
type job struct {
	rows    []rowio.Row
	results []*big.Int // nil for rows with an Err
	err     error      // why the batch was not computed to its end
	done    chan struct{}
}

// run runs the pipeline to the end of the input or of ctx. What has been computed
// by then is written, whatever the error.
func (p *pipeline) run(ctx context.Context) error {
	p.queue = newQueue(p.limits)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, p.queue.stop)()

	read := make(chan error, 1)
	go func() {
		read <- p.read()
		p.queue.end()
	}()
	jobs := make(chan *job, inFlight)
	go p.compute(ctx, jobs)

	if err := p.write(jobs); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err // the reader may still wait for its input
	}
	if err := <-read; err != nil {
		return err
	}
	// Without a row, the output still has what comes before the first.
	return cmp.Or(p.start(), p.sink.flush())
}

// start starts the sink, once.
func (p *pipeline) start() error {
	if p.started {
		return nil
	}
	p.started = true
	return p.sink.start(rowio.Format(p.format.Load()))
}

// read puts the rows of all sources into the queue.
func (p *pipeline) read() error {
	for _, src := range p.sources {
		if more, err := p.readSource(src); !more || err != nil {
			return err
		}
	}
	return nil
}

// readSource puts the rows of a source into the queue, and reports whether rows
// are still wanted.
func (p *pipeline) readSource(src source) (bool, error) {
	f, err := src.open()
	if err != nil {
		return false, err
	}
	defer f.Close()
	rows := rowio.NewReader(waitingReader{f, p.queue}, src.opts)
	for {
		row, err := rows.Next()
		if p.format.Load() == int64(rowio.Auto) {
			p.format.Store(int64(rows.Format()))
		}
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if !p.queue.put(row) {
			return false, nil
		}
	}
}

// waitingReader tells the queue when its reader is waiting for input.
type waitingReader struct {
	io.Reader
	queue *queue
}

func (w waitingReader) Read(b []byte) (int, error) {
	w.queue.wait(true)
	defer w.queue.wait(false)
	return w.Reader.Read(b)
}

// compute makes jobs of the batches in the queue, and sends them in order, each
// as soon as it is started.
func (p *pipeline) compute(ctx context.Context, jobs chan<- *job) {
	defer close(jobs)
	slots := make(chan struct{}, inFlight)
	for {
		// A batch is taken when it can be started, so that it has gathered as
		// many rows as it could.
		slots <- struct{}{} // never waits for long: exp ends with ctx
		rows := p.queue.take()
		if rows == nil {
			return
		}
		j := &job{rows: rows, done: make(chan struct{})}
		go func() {
			begun := time.Now()
			done := j.compute(ctx, p.exp)
			p.queue.tune(done, time.Since(begun))
			close(j.done)
			<-slots
		}()
		select {
		case jobs <- j:
		case <-ctx.Done():
			return
		}
	}
}

// compute fills in the results of the rows that are good, and the errors of those
// that prove not to be. It returns how much work that was.
func (j *job) compute(ctx context.Context, exp expBatch) (done float64) {
	var moduli, xs, ys []*big.Int
	var good []int
	for i := range j.rows {
		if row := &j.rows[i]; row.Err == nil {
			moduli, xs, ys = append(moduli, row.Mod), append(xs, row.Base), append(ys, row.Exp)
			good = append(good, i)
			done += work(row)
		}
	}
	j.results = make([]*big.Int, len(j.rows))
	if len(good) == 0 {
		return 0
	}
	zs, err := exp(ctx, moduli, xs, ys)
	for k, z := range zs {
		j.results[good[k]] = z
	}
	var bad residue.RowErrors
	if errors.As(err, &bad) {
		for _, e := range bad {
			if !errors.Is(e.Err, context.Canceled) { // that says nothing of the row
				j.rows[good[e.Row]].Err = e.Err
			}
		}
	}
	for _, i := range good {
		if j.results[i] == nil && j.rows[i].Err == nil {
			j.err = cmp.Or(ctx.Err(), err, errNoResult)
			break
		}
	}
	return done
}

var errNoResult = errors.New("a row has neither a result nor an error; please report this")

// write hands finished jobs to the sink, up to the first row that was not computed.
func (p *pipeline) write(jobs <-chan *job) error {
	for j := range jobs {
		<-j.done
		if err := p.start(); err != nil {
			return err
		}
		for i := range j.rows {
			if j.results[i] == nil && j.rows[i].Err == nil {
				break
			}
			if err := p.sink.row(&j.rows[i], j.results[i]); err != nil {
				return err
			}
		}
		if err := p.sink.flush(); err != nil {
			return err
		}
		if j.err != nil {
			return j.err
		}
	}
	return nil
}

// reason is an error's text without the names of the packages that it came
// through, which mean nothing to who runs the command.
func reason(err error) string {
	text := err.Error()
	for {
		trimmed := text
		for _, prefix := range []string{"residue: ", "batch: ", "mont: ", "barrett: "} {
			trimmed = strings.TrimPrefix(trimmed, prefix)
		}
		if trimmed == text {
			return text
		}
		text = trimmed
	}
}
