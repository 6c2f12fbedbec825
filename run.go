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
	kernel  kernels
	modulus *Modulus // of all rows; nil if every row has its own
	rows    []row    // by row number
	order   []int32  // the rows to compute; those that share a vector together
	chunks  []chunk  // of order

	// Another way to do a row, and what that costs; nil if there is none.
	elsewhere     func(i int) error
	elsewhereCost func(*row) float64

	next   atomic.Int64 // the first chunk that no worker has taken
	mu     sync.Mutex
	failed RowErrors
}

func newRun(ctx context.Context, k kernels, rows int) *run {
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
	p := &packer{
		kernel: b.kernel, own: b.modulus == nil, elsewhere: b.elsewhereCost,
		prime: b.modulus != nil && b.modulus.prime != nil,
	}
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
		switch c.way {
		case inVector:
			b.doVector(ws, c)
		case single:
			b.doOne(c, func(i int) error { return b.single(ws, &b.rows[i]) })
		case elsewhere:
			b.doOne(c, b.elsewhere)
		}
	}
}

// doVector computes the rows of a chunk together.
func (b *run) doVector(ws *workspace, c chunk) {
	rows := ws.rows[:c.hi-c.lo]
	for lane, i := range b.order[c.lo:c.hi] {
		rows[lane] = &b.rows[i]
	}
	if err := b.expVector(ws, rows); err != nil {
		b.failChunk(c, err)
		return
	}
	for lane, i := range b.order[c.lo:c.hi] {
		if err := ws.errs[lane]; err != nil {
			b.fail(int(i), b.reason(err))
		}
	}
}

// expVector does the rows, which are the first of ws.rows, and leaves each one's error in
// ws.errs.
func (b *run) expVector(ws *workspace, rows []*row) error {
	if b.kernel.wholeIsQuicker(rows, b.modulus == nil) {
		md, done, err := b.whole(rows)
		if err != nil {
			return err
		}
		defer done()
		ws.expWhole(b.ctx, md, rows)
		return nil
	}
	md, err := b.moduli(rows, &ws.last)
	if err != nil {
		return err
	}
	ws.exp(b.ctx, md, len(rows))
	return nil
}

// doOne computes the only row of a chunk.
func (b *run) doOne(c chunk, f func(i int) error) {
	i := int(b.order[c.lo])
	if err := f(i); err != nil {
		b.fail(i, b.reason(err))
	}
}

// single computes a row by itself.
func (b *run) single(ws *workspace, r *row) error {
	md, err := b.singleModulus(r, &ws.last)
	if err != nil {
		return err
	}
	return ws.expSingle(b.ctx, md, r)
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

// prepared is what a worker prepared last: a vector of moduli, and one by itself.
type prepared struct {
	moduli *batch.Moduli
	bits   int
	splits [batch.Lanes]*split

	modulus oneModulus
	split   *split
}

// wipe zeroes the moduli: nobody else has them.
func (p *prepared) wipe() {
	p.wipeVector()
	p.wipeModulus()
}

func (p *prepared) wipeVector() {
	if p.moduli != nil {
		p.moduli.Wipe()
	}
	p.moduli, p.bits, p.splits = nil, 0, [batch.Lanes]*split{}
}

func (p *prepared) wipeModulus() {
	if p.modulus != nil {
		p.modulus.Wipe()
	}
	p.modulus, p.split = nil, nil
}

// moduli returns the odd parts of the rows' moduli, ready for a vector.
func (b *run) moduli(rows []*row, last *prepared) (*batch.Moduli, error) {
	if b.modulus != nil {
		return b.modulus.vector(len(rows))
	}
	bits := 0
	var splits [batch.Lanes]*split
	var odd [batch.Lanes][]byte
	for lane, r := range rows {
		bits = max(bits, r.mod.oddBits)
		splits[lane] = r.mod
		odd[lane] = r.mod.odd
	}
	if last.moduli != nil && last.bits == bits && last.splits == splits {
		return last.moduli, nil
	}
	md, err := b.kernel.batch.NewModuli(bits, odd[:len(rows)]...)
	if err != nil {
		return nil, fmt.Errorf("residue: %w", err)
	}
	last.wipeVector()
	last.moduli, last.bits, last.splits = md, bits, splits
	return md, nil
}

// singleModulus returns the odd part of the row's modulus, and nil if there is none.
func (b *run) singleModulus(r *row, last *prepared) (oneNumber, error) {
	if b.modulus != nil {
		return b.modulus.single()
	}
	if r.limbs == 0 {
		return nil, nil
	}
	if last.split == r.mod {
		return last.modulus, nil
	}
	md, err := b.kernel.newOne(r.mod.oddBits, r.mod.odd, r.ebits, true)
	if err != nil {
		return nil, err
	}
	last.wipeModulus()
	last.modulus, last.split = md, r.mod
	return md, nil
}
