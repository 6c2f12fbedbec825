package residue

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"residue/batch"
)

// run is a batch being computed.
type run struct {
	ctx     context.Context
	kernel  *batch.Kernel
	modulus *Modulus // of all rows; nil if every row has its own
	rows    []row    // by row number
	order   []int32  // the rows to compute; those that share a vector together
	chunks  []chunk  // of order

	// For rows that are done without a vector, and what such a row costs; nil if
	// there are none but those without an odd part.
	alone     func(i int) error
	aloneCost func(*row) float64

	next   atomic.Int64 // the first chunk that no worker has taken
	mu     sync.Mutex
	failed RowErrors
}

func newRun(ctx context.Context, k *batch.Kernel, rows int) *run {
	if ctx == nil {
		// Here the caller can recover; not so where it is first used, in goroutines.
		panic("residue: a nil context")
	}
	return &run{ctx: ctx, kernel: k, rows: make([]row, rows), order: make([]int32, 0, rows)}
}

// add gives the run row i to compute.
func (b *run) add(i int, r row) {
	if !r.mod.powerOfTwo() {
		r.limbs = batch.Limbs(r.mod.oddBits)
	}
	b.rows[i] = r
	b.order = append(b.order, int32(i))
}

// fail notes that row i failed.
func (b *run) fail(i int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = append(b.failed, &RowError{Row: i, Err: err})
}

// do computes the rows that were added, and returns the failed ones.
func (b *run) do() error {
	p := newPacker(b.kernel, len(b.order), b.modulus == nil)
	p.alone = b.aloneCost
	b.order, b.chunks = p.pack(b.rows, b.order)

	workers := min(runtime.GOMAXPROCS(0), len(b.chunks))
	if workers <= 1 {
		b.work()
	} else {
		var wg sync.WaitGroup
		for range workers - 1 {
			wg.Go(b.work)
		}
		b.work()
		wg.Wait()
	}
	if len(b.failed) == 0 {
		return nil
	}
	slices.SortFunc(b.failed, func(x, y *RowError) int { return cmp.Compare(x.Row, y.Row) })
	return b.failed
}

// work computes chunks until none are left.
func (b *run) work() {
	ws := borrowWorkspace()
	defer returnWorkspace(ws)
	for {
		i := int(b.next.Add(1)) - 1
		if i >= len(b.chunks) {
			return
		}
		c := b.chunks[i]
		if err := b.ctx.Err(); err != nil {
			b.failChunk(c, err)
			continue
		}
		if c.alone && b.alone != nil {
			b.doAlone(c)
		} else {
			b.doVector(ws, c)
		}
	}
}

// doVector computes the rows of a chunk together.
func (b *run) doVector(ws *workspace, c chunk) {
	rows := ws.rows[:c.hi-c.lo]
	for lane, i := range b.order[c.lo:c.hi] {
		rows[lane] = &b.rows[i]
	}
	md, err := b.moduli(rows, &ws.last)
	if err != nil {
		b.failChunk(c, err)
		return
	}
	ws.exp(b.ctx, md, len(rows))
	for lane, i := range b.order[c.lo:c.hi] {
		if err := ws.errs[lane]; err != nil {
			b.fail(int(i), b.reason(err))
		}
	}
}

func (b *run) doAlone(c chunk) {
	for _, i := range b.order[c.lo:c.hi] {
		if err := b.alone(int(i)); err != nil {
			b.fail(int(i), b.reason(err))
		}
	}
}

func (b *run) failChunk(c chunk, err error) {
	err = b.reason(err)
	for _, i := range b.order[c.lo:c.hi] {
		b.fail(int(i), err)
	}
}

// reason is err, with more words if it is that of the context.
func (b *run) reason(err error) error {
	if err == b.ctx.Err() {
		return fmt.Errorf("residue: not computed: %w", err)
	}
	return err
}

// prepared is the last vector of moduli that a worker prepared.
type prepared struct {
	moduli *batch.Moduli
	bits   int
	splits [batch.Lanes]*split
}

// wipe zeroes the moduli: nobody else has them.
func (p *prepared) wipe() {
	if p.moduli != nil {
		p.moduli.Wipe()
	}
	*p = prepared{}
}

// moduli returns the odd parts of the rows' moduli, ready for a vector; nil if
// there are none.
func (b *run) moduli(rows []*row, last *prepared) (*batch.Moduli, error) {
	if rows[0].limbs == 0 {
		return nil, nil
	}
	if b.modulus != nil {
		return b.modulus.vector(len(rows))
	}
	want := prepared{}
	var odd [batch.Lanes][]byte
	for lane, r := range rows {
		want.bits = max(want.bits, r.mod.oddBits)
		want.splits[lane] = r.mod
		odd[lane] = r.mod.odd
	}
	if last.moduli != nil && last.bits == want.bits && last.splits == want.splits {
		return last.moduli, nil
	}
	md, err := b.kernel.NewModuli(want.bits, odd[:len(rows)]...)
	if err != nil {
		return nil, fmt.Errorf("residue: %w", err)
	}
	last.wipe()
	want.moduli = md
	*last = want
	return md, nil
}
