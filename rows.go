package residue

import (
	"context"
	"fmt"
)

// ExpBatch sets outs[i] = bases[i]^exponents[i] mod m for every row i, eight rows
// at a time and on GOMAXPROCS cores. What [Modulus.Exp] says of lengths and
// values holds for every row. outs[i] may be the same memory as bases[i] or
// exponents[i], but must not overlap another row. Rows of exponents of like length
// share a vector, so the whole batch takes the time of its lengths alone.
//
// Columns of different numbers of rows are an [ErrLength] and nothing is done.
// Rows that fail are named in the error, a [RowErrors], and their outs are left as
// they were; all others are computed. When ctx ends, the rows that were not yet
// computed fail with an error that wraps ctx.Err().
func (m *Modulus) ExpBatch(ctx context.Context, outs, bases, exponents [][]byte) error {
	m.check()
	if err := checkColumns("outs", len(outs), "bases", len(bases)); err != nil {
		return err
	}
	if err := checkColumns("outs", len(outs), "exponents", len(exponents)); err != nil {
		return err
	}
	b := newRun(ctx, m.kernel, len(outs))
	b.modulus = m
	for i := range outs {
		if len(outs[i]) != m.size {
			b.fail(i, errOutLength(len(outs[i]), m.size))
			continue
		}
		b.add(i, row{mod: &m.split, out: outs[i], base: bases[i], exponent: exponents[i], ebits: 8 * len(exponents[i])})
	}
	return b.do()
}

// ExpBatch sets outs[i] = bases[i]^exponents[i] mod moduli[i] for every row i, as
// [Modulus.ExpBatch] does with one modulus. outs[i] has the length of moduli[i], and
// must not overlap any of the moduli.
// Rows of like size share a vector of eight. Rows whose moduli are the same slice
// (not merely equal ones) also share their preparation.
//
// The errors of a row are those of [NewModulus] and [ErrLength].
func ExpBatch(ctx context.Context, outs, moduli, bases, exponents [][]byte) error {
	for _, c := range []struct {
		name string
		rows int
	}{{"moduli", len(moduli)}, {"bases", len(bases)}, {"exponents", len(exponents)}} {
		if err := checkColumns("outs", len(outs), c.name, c.rows); err != nil {
			return err
		}
	}
	k, err := defaultKernel()
	if err != nil {
		return err
	}
	b := newRun(ctx, k, len(outs))
	splits := newSplits[*byte](len(outs))
	defer splits.wipe()
	for i := range outs {
		s, err := splits.get(first(moduli[i]), len(moduli[i]), func() []byte { return moduli[i] })
		switch {
		case err != nil:
			b.fail(i, err)
		case len(outs[i]) != s.size:
			b.fail(i, errOutLength(len(outs[i]), s.size))
		default:
			b.add(i, row{mod: s, out: outs[i], base: bases[i], exponent: exponents[i], ebits: 8 * len(exponents[i])})
		}
	}
	return b.do()
}

// splits takes the moduli of a batch apart, each once. K tells them apart,
// together with a length.
type splits[K comparable] struct {
	known map[splitKey[K]]*split
	slab  []split
}

type splitKey[K comparable] struct {
	key K
	len int
}

func newSplits[K comparable](rows int) *splits[K] {
	return &splits[K]{known: make(map[splitKey[K]]*split, rows), slab: make([]split, 0, rows)}
}

// get returns the modulus that key and length stand for; n gives its bytes.
func (s *splits[K]) get(key K, length int, n func() []byte) (*split, error) {
	k := splitKey[K]{key, length}
	if m, ok := s.known[k]; ok {
		return m, nil
	}
	s.slab = append(s.slab, split{})
	m := &s.slab[len(s.slab)-1]
	if err := m.init(n()); err != nil {
		s.slab = s.slab[:len(s.slab)-1]
		return nil, err
	}
	m.serial = len(s.slab)
	s.known[k] = m
	return m, nil
}

// wipe zeroes the copies that were made of even moduli.
func (s *splits[K]) wipe() {
	for i := range s.slab {
		m := &s.slab[i]
		if m.t > 0 {
			clear(m.odd)
		}
		if m.half != nil {
			clear(m.half.m)
			clear(m.half.inv)
		}
	}
}

func first(b []byte) *byte {
	if len(b) == 0 {
		return nil
	}
	return &b[0]
}

func checkColumns(a string, rowsA int, b string, rowsB int) error {
	if rowsA != rowsB {
		return fmt.Errorf("%w: %d rows in %s, %d in %s", ErrLength, rowsA, a, rowsB, b)
	}
	return nil
}
