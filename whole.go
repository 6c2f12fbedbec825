package residue

import (
	"context"
	"fmt"

	"residue/barrett"
	"residue/batch"
)

// Vectors of rows with even moduli are done in two ways. With n = 2^t·m, the powers
// modulo m share a vector, and those modulo 2^t are computed one by one; or the powers
// modulo n share a vector as they are, in package barrett. The second is quicker where t
// is most of n.

// wholeIsQuicker reports whether the rows of a vector are quicker with their moduli as
// they are. own says that the preparation counts. It looks at lengths only.
func (k *kernels) wholeIsQuicker(rows []*row, own bool) bool {
	vectors, ok := vectorCosts[k.batch.Name()]
	whole, has := wholeCosts[k.barrett.Name()]
	if !ok || !has {
		return false
	}
	limbs, bits, ebits, pow2 := 0, 0, 0, 0.
	for _, r := range rows {
		if r.negative || r.invert || len(r.base) > r.mod.size {
			return false // what such bases take is done modulo m and modulo 2^t
		}
		limbs, bits, ebits = max(limbs, r.limbs), max(bits, 8*r.mod.size), max(ebits, r.ebits)
		pow2 += pow2Cost(r.mod.t, r.ebits)
	}
	split := vectors.of(limbs, ebits, len(rows), own) + pow2
	return pow2 > 0 && whole.ofWhole(bits, ebits, len(rows), own) < split
}

// whole returns the rows' moduli as they are, and what to do when they are not needed any
// more.
func (b *run) whole(rows []*row) (md *barrett.Moduli, done func(), err error) {
	if b.modulus != nil {
		md, err = b.modulus.whole(len(rows))
		return md, func() {}, err
	}
	bits := 0
	var ns [batch.Lanes][]byte
	for lane, r := range rows {
		bits = max(bits, 8*r.mod.size)
		ns[lane] = r.mod.bytes()
		defer clear(ns[lane])
	}
	md, err = b.kernel.barrett.NewModuli(bits, barrett.Auto, ns[:len(rows)]...)
	if err != nil {
		return nil, nil, fmt.Errorf("residue: %w", err)
	}
	return md, md.Wipe, nil
}

// whole returns m for a vector of the given number of rows.
func (m *Modulus) whole(rows int) (*barrett.Moduli, error) {
	lanes, at := batch.Lanes/2, &m.wholes[0]
	if rows > lanes {
		lanes, at = batch.Lanes, &m.wholes[1]
	}
	if md := at.Load(); md != nil {
		return md, nil
	}
	n := m.bytes()
	defer clear(n)
	var ns [batch.Lanes][]byte
	for i := range ns {
		ns[i] = n
	}
	md, err := m.kernel.barrett.NewModuli(8*m.size, barrett.Auto, ns[:lanes]...)
	if err != nil {
		return nil, fmt.Errorf("residue: %w", err)
	}
	at.CompareAndSwap(nil, md)
	return at.Load(), nil
}

// expWhole does the rows, which are the first of ws.rows, in one vector with their moduli
// as they are, and leaves each one's error in ws.errs.
func (ws *workspace) expWhole(ctx context.Context, md *barrett.Moduli, rows []*row) {
	errs := ws.errs[:len(rows)]
	clear(errs)
	defer ws.wipe()
	ebits := 0
	for _, r := range rows {
		ebits = max(ebits, r.ebits)
	}
	ws.x = grow(ws.x, md.Limbs())
	ws.z = grow(ws.z, md.Limbs())
	ws.e = grow(ws.e, (ebits+batch.DigitBits-1)/batch.DigitBits)
	for lane, r := range rows {
		ws.x.SetBytes(lane, r.base)
		ws.e.SetBytes(lane, r.exponent)
	}
	if err := md.Exp(ctx, ws.z, ws.x, ws.e, ebits); err != nil {
		for lane := range errs {
			errs[lane] = err
		}
		return
	}
	for lane, r := range rows {
		ws.z.FillBytes(lane, r.out)
	}
}

// bytes returns n = m·2^t in as many bytes as it was given in.
func (s *split) bytes() []byte {
	n := make([]byte, s.size)
	whole, part := s.t/8, s.t%8
	for i, d := range s.odd {
		// s.odd[i] has the weight 2^(8·(len(s.odd) − 1 − i)).
		at := s.size - len(s.odd) - whole + i
		v := uint16(d) << part
		n[at] |= byte(v)
		if at > 0 {
			n[at-1] |= byte(v >> 8)
		}
	}
	return n
}
