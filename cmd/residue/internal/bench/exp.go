package bench

import (
	"context"
	"fmt"
	"math/big"
	"runtime"
	"time"

	"residue"
	"residue/batch"
	"residue/internal/measure"
)

// exp measures an exponentiation of all lanes, in turns with math/big's of one of
// the same numbers.
func (s *session) exp(ctx context.Context, o *operands, r *Record) error {
	if err := o.checkExp(ctx); err != nil {
		return err
	}
	one, z := 0, new(big.Int)
	return s.against(r,
		func() error { return o.moduli.Exp(ctx, o.z, o.x, o.e, r.Bits) },
		func() {
			z.Exp(o.base[one], o.exponent[one], o.n[one])
			one = (one + 1) % batch.Lanes
		})
}

// against measures an operation on as many numbers as r has lanes, in turns with
// math/big's on one.
func (s *session) against(r *Record, f func() error, mathBig func()) error {
	return s.againstFor(longTime, r, f, mathBig)
}

// againstFor is against with so many times the time of a measurement.
func (s *session) againstFor(times time.Duration, r *Record, f func() error, mathBig func()) error {
	e, done := s.effort(times)
	defer done()
	var failed error
	ours, theirs, ratio := s.meter.Compare(e, func() {
		if err := f(); err != nil {
			failed = err
		}
	}, mathBig)
	if failed != nil {
		return failed
	}
	r.set(s.meter, ours)
	if r.Quiet != nil {
		*r.Quiet = ours.Quiet && theirs.Quiet
	}
	lanes := float64(r.Lanes)
	perOp := ours.Nanoseconds / lanes
	r.NSPerOp, r.MathBigNS = round(perOp, 1), round(theirs.Nanoseconds, 1)
	r.Speedup = round(theirs.Nanoseconds/perOp, 3)
	r.SpeedupMedian = round(ratio*lanes, 3)
	return nil
}

// checkExp fails if what is about to be measured is wrong.
func (o *operands) checkExp(ctx context.Context) error {
	bits := o.n[0].BitLen()
	if err := o.moduli.Exp(ctx, o.z, o.x, o.e, bits); err != nil {
		return err
	}
	got := make([]byte, (bits+7)/8)
	for lane := range batch.Lanes {
		want := new(big.Int).Exp(o.base[lane], o.exponent[lane], o.n[lane])
		if !o.z.FillBytes(lane, got) || new(big.Int).SetBytes(got).Cmp(want) != 0 {
			return fmt.Errorf("kernel %s gives a wrong power modulo %d bits", o.kernel.Name(), bits)
		}
	}
	return nil
}

// expBatch measures rows a second of residue's ExpBatch with one modulus, on one
// core and on all, in turns.
func (s *session) expBatch(ctx context.Context, j *job) ([]Record, error) {
	b, err := newRows(j.record.Bits, s.choice.Rows)
	if err != nil {
		return nil, err
	}
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	var failed error
	on := func(cores int) func() {
		return func() {
			if ctx.Err() != nil {
				return
			}
			runtime.GOMAXPROCS(cores)
			if err := b.modulus.ExpBatch(ctx, b.outs, b.bases, b.exponents); err != nil {
				failed = err
			}
		}
	}
	// The wall's clock: cycles of one core say nothing of several.
	e, done := s.effort(longTime)
	defer done()
	m := measure.NewWallMeter()
	var one, several measure.Result
	ratio := 1.
	if all == 1 {
		one = m.Measure(e, on(1))
	} else {
		one, several, ratio = m.Compare(e, on(1), on(all))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	record := func(found measure.Result, cores int) Record {
		r := j.record
		r.NS, r.Samples = round(found.Nanoseconds, 1), found.Samples
		r.Rows, r.Cores = s.choice.Rows, cores
		r.NSPerOp = round(found.Nanoseconds/float64(r.Rows), 1)
		r.RowsPerSecond = round(float64(r.Rows)/found.Nanoseconds*1e9, 1)
		return r
	}
	records := []Record{record(one, 1)}
	if all > 1 {
		r := record(several, all)
		r.Scaling = round(1/ratio, 3)
		records = append(records, r)
	}
	return records, nil
}

// rows is a batch of rows with one modulus.
type rows struct {
	modulus                *residue.Modulus
	outs, bases, exponents [][]byte
}

func newRows(bits, n int) (*rows, error) {
	rng := source(bits)
	m := odd(rng, bits)
	b := &rows{}
	var err error
	if b.modulus, err = residue.NewModulusBig(m); err != nil {
		return nil, err
	}
	for range n {
		b.outs = append(b.outs, make([]byte, b.modulus.Size()))
		b.bases = append(b.bases, below(rng, m).Bytes())
		b.exponents = append(b.exponents, exactly(rng, bits).Bytes())
	}
	return b, nil
}
