package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"residue/barrett"
	"residue/batch"
	"residue/internal/cpu"
	"residue/internal/measure"
	"residue/mont"
	"residue/pmns"
)

// Plan is the measurements to make, in order.
type Plan struct {
	choice Choice
	jobs   []job
}

// job is one measurement: record has what is known before.
type job struct {
	record Record
	// For package batch,
	kernel    *batch.Kernel
	reduction batch.Reduction
	// for package mont,
	mont *mont.Kernel
	// for package barrett,
	barrett *barrett.Kernel
	folds   int
	// for package pmns,
	pmns    *pmns.Kernel
	set     *pmns.Params
	variant pmns.Variant
	// and for package negacyclic.
	call func()
}

// NewPlan plans the measurements that a choice asks for. The error names what is
// wrong with the choice, and what could be chosen.
func NewPlan(c Choice) (*Plan, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	p := &Plan{choice: c}
	wants := func(system, kernel string) bool {
		return c.measures(system) && slices.Contains(c.numberKernels, kernel)
	}
	for _, k := range batch.Kernels() {
		for _, op := range Ops { // in this order, each once
			if op != OpReduce && wants(SystemBatch, k.Name()) && slices.Contains(c.Ops, op) {
				p.add(k, op)
			}
		}
	}
	for _, k := range mont.Kernels() {
		for _, op := range singleOps {
			if wants(SystemMont, k.Name()) && slices.Contains(c.Ops, op) && c.plain() {
				p.addMont(k, op)
			}
		}
	}
	for _, k := range barrett.Kernels() {
		for _, op := range barrettOps {
			if wants(SystemBarrett, k.Name()) && slices.Contains(c.Ops, op) {
				p.addBarrett(k, op)
			}
		}
	}
	if c.measures(SystemPMNS) {
		p.addEmbedded()
	}
	if c.measures(SystemNegacyclic) {
		if err := p.addRings(); err != nil {
			return nil, err
		}
	}
	if len(p.jobs) == 0 {
		return nil, c.nothing()
	}
	return p, nil
}

// lengths are those of the moduli, each once.
func (p *Plan) lengths() []int {
	return slices.Compact(slices.Sorted(slices.Values(p.choice.Bits)))
}

// addMont plans an operation of package mont for all lengths that the kernel does
// itself.
func (p *Plan) addMont(k *mont.Kernel, op string) {
	for _, bits := range p.lengths() {
		if k.Engine(bits) == k.Name() {
			r := Record{System: SystemMont, Op: op, Bits: bits, Lanes: 1, Kernel: k.Name()}
			p.jobs = append(p.jobs, job{record: r, mont: k})
		}
	}
}

// add plans an operation of package batch for all lengths.
func (p *Plan) add(k *batch.Kernel, op string) {
	for _, bits := range p.lengths() {
		limbs := batch.Limbs(bits)
		forms := k.Reductions(limbs)
		r := Record{System: SystemBatch, Op: op, Bits: bits, Limbs: limbs, Lanes: batch.Lanes, Kernel: k.Name()}
		switch op {
		case OpMul, OpSqr:
			if p.choice.plain() {
				p.jobs = append(p.jobs, job{record: r, kernel: k})
			}
			continue
		case OpExpBatch:
			if inUse, err := cpu.Chosen(); err != nil || inUse != k.Name() {
				continue // it runs on the kernel in use and on no other
			}
			forms = forms[:1]
		case OpExp:
			forms = forms[:1]
		}
		for _, form := range forms {
			if !p.choice.wants(form, limbs) {
				continue
			}
			r.Variant, r.Block = form.Variant(), max(1, form.Block)
			p.jobs = append(p.jobs, job{record: r, kernel: k, reduction: form})
		}
	}
}

// nothing is the error of a choice that leaves nothing to measure.
func (c *Choice) nothing() error {
	if slices.Equal(c.Systems, []string{SystemNegacyclic}) {
		return errors.New("no kernel has this combination of --op, --ring, --method and --kernel; rings have no --bits, --variant and --block")
	}
	if c.ringsOnly && !slices.Contains(c.Systems, SystemNegacyclic) {
		return fmt.Errorf("--ring and --method are of the system %s alone", SystemNegacyclic)
	}
	text := "no kernel has this combination of --system, --op, --kernel, --variant, --block and --bits"
	if slices.Contains(c.Ops, OpExpBatch) {
		inUse, _ := cpu.Chosen()
		text += "; " + OpExpBatch + " runs on the kernel in use, " + inUse + ", that " + cpu.EnvKernel + " can name"
	}
	if slices.Contains(c.Systems, SystemMont) {
		text += "; the system " + SystemMont + " has " + strings.Join(singleOps, ", ") + ", and no variants and blocks"
	}
	if slices.Contains(c.Systems, SystemBarrett) {
		text += "; " + barrettText()
	}
	if (len(c.Variants) > 0 || len(c.Blocks) > 0) && (slices.Contains(c.Ops, OpMul) || slices.Contains(c.Ops, OpSqr)) {
		text += "; " + strings.Join([]string{OpMul, OpSqr}, " and ") + " have no reduction, and so no variant and no block"
	}
	return errors.New(text)
}

// Len is the number of measurements.
func (p *Plan) Len() int { return len(p.jobs) }

const (
	// A measurement may take this many times as long, as long as there is no sample
	// without a neighbour,
	patience = 4
	// and all of them together this much longer. One may take several times its part
	// of that: most need none.
	extraTime = 45 * time.Second
	extraPart = 10
	// Operations that are as long as a sample get more time.
	longTime = 5
)

// Run makes the measurements. It tells before what is measured next and report
// what was found, and stops when ctx ends or report fails.
func (p *Plan) Run(ctx context.Context, m *measure.Meter, before func(Record), report func(Record) error) error {
	s := &session{meter: m, choice: &p.choice, extra: extraTime, known: map[key]*operands{}}
	for i := range p.jobs {
		s.left = len(p.jobs) - i
		if err := ctx.Err(); err != nil {
			return err
		}
		before(p.jobs[i].record)
		records, err := s.measure(ctx, &p.jobs[i])
		if err != nil {
			return err
		}
		for _, r := range records {
			if err := report(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// session is a run of measurements.
type session struct {
	meter  *measure.Meter
	choice *Choice
	left   int           // measurements to make
	extra  time.Duration // what is left of extraTime
	known  map[key]*operands
}

// measure makes one measurement.
func (s *session) measure(ctx context.Context, j *job) ([]Record, error) {
	switch {
	case j.mont != nil:
		return s.single(ctx, j)
	case j.barrett != nil:
		return s.barrett(ctx, j)
	case j.pmns != nil:
		return s.pmns(ctx, j)
	case j.call != nil:
		r := j.record
		s.short(j.call, &r)
		return []Record{r}, nil
	case j.record.Op == OpExpBatch:
		return s.expBatch(ctx, j)
	}
	o, err := s.operands(j)
	if err != nil {
		return nil, err
	}
	r := j.record
	if r.Op == OpExp {
		err = s.exp(ctx, o, &r)
	} else {
		if r.passes = passes[r.Kernel]; r.passes > 0 {
			r.Madds = r.passes * j.reduction.Madds(r.Op, r.Limbs)
		}
		s.short(o.call(j), &r)
	}
	return []Record{r}, err
}

// effort returns how long to measure, and what to call when that is over.
func (s *session) effort(times time.Duration) (e measure.Effort, done func()) {
	e.Time = s.choice.Time * times
	e.Most = e.Time + min((patience-1)*e.Time, s.extra, s.extra/time.Duration(s.left)*extraPart)
	begun := time.Now()
	return e, func() { s.extra -= min(s.extra, max(0, time.Since(begun)-e.Time)) }
}

// A share above faultyShare is a fault of the measurement: the core cannot execute
// more. It is measured again, and in the end not called quiet.
const (
	faultyShare = 1.01
	attempts    = 3
)

// short measures one of the operations that take no longer than microseconds.
func (s *session) short(f func(), r *Record) {
	for range attempts {
		e, done := s.effort(1)
		r.set(s.meter, s.meter.Measure(e, f))
		done()
		if r.Share <= faultyShare {
			return
		}
	}
	*r.Quiet = false
}

// passes is how often the kernels of vector multiply-adds go over eight numbers.
var passes = map[string]int{cpu.IFMA512: 1, cpu.IFMA256: 2}
