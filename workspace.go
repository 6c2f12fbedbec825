package residue

import (
	"context"
	"sync"

	"residue/batch"
	"residue/internal/ct"
	"residue/internal/words"
)

// row is one exponentiation to do.
type row struct {
	mod      *split
	out      []byte // of mod.size bytes
	base     []byte
	exponent []byte
	ebits    int  // the exponent is below 2^ebits
	limbs    int  // of mod's odd part; 0 if that is 1
	negative bool // the base is −base
	invert   bool // the exponent is −exponent
}

// workspace is the memory that a worker takes for a vector or a row. It is zero between
// uses.
type workspace struct {
	x, z, e batch.Ints
	wide    batch.Ints // bases of two widths
	words   arena
	bytes   []byte

	rows [batch.Lanes]*row
	errs [batch.Lanes]error // by lane
	one  row                // the row of a call that has only one

	last prepared // by a run in which every row has its own modulus
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

func borrowWorkspace() *workspace { return workspaces.Get().(*workspace) }

func returnWorkspace(ws *workspace) {
	ws.last.wipe()
	ws.one = row{}
	clear(ws.rows[:])
	clear(ws.errs[:])
	workspaces.Put(ws)
}

// exp does the first n of ws.rows, all in one vector with the moduli md, and
// leaves each one's error in ws.errs.
func (ws *workspace) exp(ctx context.Context, md *batch.Moduli, n int) {
	rows, errs := ws.rows[:n], ws.errs[:n]
	clear(errs)
	defer ws.wipe()
	ws.expOdd(ctx, md, rows, errs)
	for lane, r := range rows {
		if errs[lane] == nil && r.mod.t > 0 {
			b := ws.takeBytes(len(r.mod.odd))
			ws.z.FillBytes(lane, b)
			errs[lane] = ws.finishEven(ctx, r, b)
		}
	}
}

// expSingle does one row with the odd part md of its modulus, which is nil if that is a
// power of two.
func (ws *workspace) expSingle(ctx context.Context, md oneNumber, r *row) error {
	defer ws.wipe()
	if md == nil {
		return ws.finishEven(ctx, r, nil)
	}
	base := r.base
	if r.negative || r.invert {
		var err error
		if base, err = ws.reduced(r); err != nil {
			return err
		}
	}
	if r.mod.t == 0 {
		_, err := md.ExpBytes(ctx, r.out, base, r.exponent, r.ebits)
		return err
	}
	b := ws.takeBytes(len(r.mod.odd)) // where the base may be, too
	if _, err := md.ExpBytes(ctx, b, base, r.exponent, r.ebits); err != nil {
		return err
	}
	return ws.finishEven(ctx, r, b)
}

// expOdd sets z to the rows' results modulo the odd parts of their moduli, and
// writes those of odd moduli out.
func (ws *workspace) expOdd(ctx context.Context, md *batch.Moduli, rows []*row, errs []error) {
	ebits := 0
	for _, r := range rows {
		ebits = max(ebits, r.ebits)
	}
	ws.x = grow(ws.x, md.Limbs())
	ws.z = grow(ws.z, md.Limbs())
	ws.e = grow(ws.e, (ebits+batch.DigitBits-1)/batch.DigitBits)
	ws.loadBases(md, rows, errs)
	for lane, r := range rows {
		ws.e.SetBytes(lane, r.exponent)
	}
	if err := md.Exp(ctx, ws.z, ws.x, ws.e, ebits); err != nil {
		for lane := range errs {
			errs[lane] = err
		}
		return
	}
	for lane, r := range rows {
		if errs[lane] == nil && r.mod.t == 0 {
			ws.z.FillBytes(lane, r.out)
		}
	}
}

// loadBases sets x to the rows' bases or their inverses, below R and right modulo
// m.
func (ws *workspace) loadBases(md *batch.Moduli, rows []*row, errs []error) {
	digits := md.Limbs()
	wide := false
	for _, r := range rows {
		wide = wide || r.plain(2*digits) && !r.plain(digits)
	}
	if !wide {
		for lane, r := range rows {
			errs[lane] = ws.loadBase(ws.x, lane, r)
		}
		return
	}
	// All lanes of two widths are reduced together: x/R·R, below 2N.
	ws.wide = grow(ws.wide, 2*digits)
	for lane, r := range rows {
		errs[lane] = ws.loadBase(ws.wide, lane, r)
	}
	md.Redc(ws.x, ws.wide, nil)
	md.ToMontgomery(ws.x, ws.x, nil)
}

// plain reports whether the base can go as it is, by its length, into a number of
// digits, with a bit to spare: x < R²/2 < R·(R − N) is what the reduction of two
// widths takes.
func (r *row) plain(digits int) bool {
	return !r.negative && !r.invert && 8*len(r.base) < batch.DigitBits*digits
}

// loadBase sets a lane of x to the row's base or its inverse, reduced modulo m if
// it has to be.
func (ws *workspace) loadBase(x batch.Ints, lane int, r *row) error {
	if r.plain(len(x)) {
		x.SetBytes(lane, r.base)
		return nil
	}
	b, err := ws.reduced(r)
	if err != nil {
		return err
	}
	x.SetBytes(lane, b)
	return nil
}

// reduced returns the row's base or its inverse, reduced modulo m, in bytes of ws.
func (ws *workspace) reduced(r *row) ([]byte, error) {
	defer ws.words.release()
	m := r.mod.oddWords(&ws.words)
	base := ws.words.take(words.LenBytes(len(r.base)))
	words.SetBytes(base, r.base)
	v := ws.words.take(len(m))
	words.Mod(v, base, m)
	if r.negative {
		words.NegMod(v, v, m, ^uint64(0))
	}
	if r.invert {
		scratch := ws.words.take(words.InverseScratch(len(m)))
		if !ct.Public(words.InverseOdd(v, v, m, scratch)) { // an error is public
			return nil, ErrNotInvertible
		}
	}
	b := ws.takeBytes(len(r.mod.odd))
	words.FillBytes(v, b)
	return b, nil
}

// finishEven writes out the result of a row with an even modulus, given the part modulo
// m in bytes; none if m is 1.
func (ws *workspace) finishEven(ctx context.Context, r *row, odd []byte) error {
	defer ws.words.release()
	half := r.mod.pow2()
	rm := ws.words.take(len(half.m))
	words.SetBytes(rm, odd)
	return half.finish(ctx, r, rm, &ws.words)
}

// wipe zeroes what may hold secrets, but for the words, which are released where
// they are used.
func (ws *workspace) wipe() {
	clear(ws.x)
	clear(ws.wide)
	clear(ws.z)
	clear(ws.e)
	clear(ws.bytes[:cap(ws.bytes)])
}

func (ws *workspace) takeBytes(n int) []byte {
	if cap(ws.bytes) < n {
		clear(ws.bytes)
		ws.bytes = make([]byte, n)
	}
	return ws.bytes[:n]
}

// grow returns zeroed Ints of the given number of digits, in the memory of x if
// that is large enough; x is zero.
func grow(x batch.Ints, digits int) batch.Ints {
	if cap(x) < digits {
		return batch.NewInts(digits)
	}
	return x[:digits]
}

// arena hands out zeroed words, which are good until the release.
type arena struct {
	chunks [][]uint64 // the last one is being handed out
	used   int
}

func (a *arena) take(n int) []uint64 {
	if len(a.chunks) == 0 || a.used+n > len(a.chunks[len(a.chunks)-1]) {
		a.chunks = append(a.chunks, make([]uint64, max(n, 2*a.total())))
		a.used = 0
	}
	s := a.chunks[len(a.chunks)-1][a.used : a.used+n : a.used+n]
	a.used += n
	return s
}

// release wipes everything that was handed out and makes it available again.
func (a *arena) release() {
	if len(a.chunks) == 0 {
		return
	}
	last := len(a.chunks) - 1
	for _, c := range a.chunks[:last] {
		clear(c)
	}
	clear(a.chunks[last][:a.used])
	if last > 0 { // next time in one piece
		a.chunks = append(a.chunks[:0], make([]uint64, a.total()))
	}
	a.used = 0
}

func (a *arena) total() int {
	n := 0
	for _, c := range a.chunks {
		n += len(c)
	}
	return n
}
