package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"residue/cmd/residue/internal/rowio"
)

// item is a row on its way through a pipeline, with its result once it has one.
type item interface {
	head() *rowio.Head
	// work estimates how long a good row takes to compute, in units of its kind.
	work() float64
	// done reports whether there is a result.
	done() bool
}

// rowReader reads the rows of a file.
type rowReader[R item] interface {
	Next() (R, error)
	Format() rowio.Format
}

// itemReader makes items of the rows that it reads.
type itemReader[T any, R item] struct {
	*rowio.Reader[T]
	item func(T) R
}

func (r itemReader[T, R]) Next() (R, error) {
	row, err := r.Reader.Next()
	return r.item(row), err
}

// source is one file of rows.
type source struct {
	name string // in messages
	open func() (io.ReadCloser, error)
	opts rowio.Options
}

// sink takes finished rows, in order.
type sink[R item] interface {
	// start comes once, before any row, with the input's format.
	start(rowio.Format) error
	// row takes a row that has a result, or whose Err says why there is none.
	row(R) error
	// flush comes after the rows of a batch.
	flush() error
}

// pipeline reads rows, computes them in batches, and hands the results on in
// order, all at the same time: while one batch is computed the next is read and
// the one before is written.
type pipeline[R item] struct {
	sources []source
	open    func(io.Reader, rowio.Options) rowReader[R]
	// compute gives good rows their results, or an Err. It returns an error if it did not
	// come to its end.
	compute func(ctx context.Context, rows []R) error
	sink    sink[R]
	limits  limits // of a batch

	queue   *queue[R]
	format  atomic.Int64 // of the input, once it is known
	started bool         // the sink has
}

// inFlight is how many batches are computed at a time. With two, the cores that
// have finished their part of one batch work on the other.
const inFlight = 2

// job is a batch on its way.
type job[R item] struct {
	rows []R
	err  error // why the batch was not computed to its end
	done chan struct{}
}

// run runs the pipeline to the end of the input or of ctx. What has been computed
// by then is written, whatever the error.
func (p *pipeline[R]) run(ctx context.Context) error {
	p.queue = newQueue[R](p.limits)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, p.queue.stop)()

	read := make(chan error, 1)
	go func() {
		read <- p.read()
		p.queue.end()
	}()
	jobs := make(chan *job[R], inFlight)
	go p.start(ctx, jobs)

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
	return cmp.Or(p.startSink(), p.sink.flush())
}

// startSink starts the sink, once.
func (p *pipeline[R]) startSink() error {
	if p.started {
		return nil
	}
	p.started = true
	return p.sink.start(rowio.Format(p.format.Load()))
}

// read puts the rows of all sources into the queue.
func (p *pipeline[R]) read() error {
	for _, src := range p.sources {
		if more, err := p.readSource(src); !more || err != nil {
			return err
		}
	}
	return nil
}

// readSource puts the rows of a source into the queue, and reports whether rows
// are still wanted.
func (p *pipeline[R]) readSource(src source) (bool, error) {
	f, err := src.open()
	if err != nil {
		return false, err
	}
	defer f.Close()
	rows := p.open(waitingReader{f, p.queue.wait}, src.opts)
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

// waitingReader tells when its reader is waiting for input.
type waitingReader struct {
	io.Reader
	wait func(waiting bool)
}

func (w waitingReader) Read(b []byte) (int, error) {
	w.wait(true)
	defer w.wait(false)
	return w.Reader.Read(b)
}

// start makes jobs of the batches in the queue, and sends them in order, each as soon
// as it is started.
func (p *pipeline[R]) start(ctx context.Context, jobs chan<- *job[R]) {
	defer close(jobs)
	slots := make(chan struct{}, inFlight)
	for {
		// A batch is taken when it can be started, so that it has gathered as
		// many rows as it could.
		slots <- struct{}{} // never waits for long: compute ends with ctx
		rows := p.queue.take()
		if rows == nil {
			return
		}
		j := &job[R]{rows: rows, done: make(chan struct{})}
		go func() {
			begun := time.Now()
			done := j.compute(ctx, p.compute)
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

// compute computes the rows that are good. It returns how much work that was.
func (j *job[R]) compute(ctx context.Context, compute func(context.Context, []R) error) (work float64) {
	var good []R
	for _, row := range j.rows {
		if row.head().Err == nil {
			good = append(good, row)
			work += row.work()
		}
	}
	if len(good) == 0 {
		return 0
	}
	err := compute(ctx, good)
	for _, row := range good {
		if !finished(row) {
			j.err = cmp.Or(ctx.Err(), err, errNoResult)
			break
		}
	}
	return work
}

// finished reports whether a row has a result or an error.
func finished(row item) bool { return row.done() || row.head().Err != nil }

var errNoResult = errors.New("a row has neither a result nor an error; please report this")

// write hands finished jobs to the sink, up to the first row that was not computed.
func (p *pipeline[R]) write(jobs <-chan *job[R]) error {
	for j := range jobs {
		<-j.done
		if err := p.startSink(); err != nil {
			return err
		}
		for _, row := range j.rows {
			if !finished(row) {
				break
			}
			if err := p.sink.row(row); err != nil {
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
		for _, prefix := range []string{"residue: ", "batch: ", "mont: ", "barrett: ", "negacyclic: "} {
			trimmed = strings.TrimPrefix(trimmed, prefix)
		}
		if trimmed == text {
			return text
		}
		text = trimmed
	}
}
