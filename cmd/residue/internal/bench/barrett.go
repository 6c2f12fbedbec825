package bench

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"residue/barrett"
	"residue/batch"
	"residue/internal/words"
)

// barrettOps are the operations of package barrett.
var barrettOps = []string{OpReduce, OpMul, OpSqr, OpExp}

// foldsVariants are the names of so many folds.
var foldsVariants = []string{"folds0", "folds1", "folds2", "folds3"}

// addBarrett plans an operation of package barrett for all lengths: on eight numbers, and
// on one with the kernels that do these themselves. Reductions have all numbers of folds,
// the others the one in use, unless folds are named.
func (p *Plan) addBarrett(k *barrett.Kernel, op string) {
	if len(p.choice.Blocks) > 0 {
		return // it has none
	}
	for _, bits := range p.lengths() {
		for _, lanes := range []int{batch.Lanes, 1} {
			if lanes == 1 && k.Engine() != k.Name() {
				continue
			}
			inUse, most := barrettFolds(k, bits, lanes)
			for folds, variant := range foldsVariants[:min(most, len(foldsVariants)-1)+1] {
				wanted := op == OpReduce || folds == inUse
				if len(p.choice.Variants) > 0 {
					wanted = slices.Contains(p.choice.Variants, variant)
				}
				if wanted {
					r := Record{System: SystemBarrett, Op: op, Bits: bits, Lanes: lanes, Kernel: k.Name(), Variant: variant}
					p.jobs = append(p.jobs, job{record: r, barrett: k, folds: folds})
				}
			}
		}
	}
}

// barrettFolds returns the number of folds in use for a length, and the largest.
func barrettFolds(k *barrett.Kernel, bits, lanes int) (inUse, most int) {
	one := append([]byte{1}, make([]byte, (bits-1)/8)...)
	one[0] <<= (bits - 1) % 8
	if lanes == 1 {
		m, err := k.NewModulus(bits, one, barrett.Auto)
		if err != nil {
			return 0, 0
		}
		return m.Folds(), barrett.MaxFolds(bits)
	}
	m, err := k.NewModuli(bits, barrett.Auto, one)
	if err != nil {
		return 0, 0
	}
	return m.Folds(), barrett.LaneFolds(bits)
}

// barrett measures an operation of package barrett.
func (s *session) barrett(ctx context.Context, j *job) ([]Record, error) {
	if j.record.Lanes == 1 {
		return s.barrettOne(ctx, j)
	}
	r := j.record
	rng := source(r.Bits)
	var n, a, b, e [batch.Lanes]*big.Int
	var ns [batch.Lanes][]byte
	for lane := range batch.Lanes {
		n[lane] = exactly(rng, r.Bits)
		n[lane].SetBit(n[lane], 0, 0) // even
		if r.Bits == 1 {
			n[lane].SetInt64(1)
		}
		a[lane], b[lane], e[lane] = below(rng, n[lane]), below(rng, n[lane]), exactly(rng, r.Bits)
		ns[lane] = n[lane].Bytes()
	}
	m, err := j.barrett.NewModuli(r.Bits, j.folds, ns[:]...)
	if err != nil {
		return nil, err
	}
	r.Limbs = m.Limbs()
	x, y, z, d, wide, sc := batch.NewInts(r.Limbs), batch.NewInts(r.Limbs), batch.NewInts(r.Limbs), batch.NewInts(r.Limbs), batch.NewInts(2*r.Limbs), m.NewScratch()
	for lane := range batch.Lanes {
		x.SetBytes(lane, a[lane].Bytes())
		y.SetBytes(lane, b[lane].Bytes())
		d.SetBytes(lane, e[lane].Bytes())
		wide.SetBytes(lane, new(big.Int).Mul(a[lane], b[lane]).Bytes())
	}
	check := func(want func(lane int) *big.Int) error {
		out := make([]byte, (r.Bits+7)/8)
		for lane := range batch.Lanes {
			if !z.FillBytes(lane, out) || want(lane).Cmp(new(big.Int).SetBytes(out)) != 0 {
				return fmt.Errorf("kernel %s gives a wrong result modulo %d bits", r.Kernel, r.Bits)
			}
		}
		return nil
	}
	lane := 0 // of math/big, in turns
	next := func() int {
		lane = (lane + 1) % batch.Lanes
		return lane
	}
	zb := new(big.Int)
	switch r.Op {
	case OpReduce:
		m.Reduce(z, wide, sc)
		products := [batch.Lanes]*big.Int{}
		for lane := range batch.Lanes {
			products[lane] = new(big.Int).Mul(a[lane], b[lane])
		}
		if err := check(func(lane int) *big.Int { return new(big.Int).Mod(products[lane], n[lane]) }); err != nil {
			return nil, err
		}
		err = s.againstFor(1, &r, func() error { m.Reduce(z, wide, sc); return nil }, func() {
			lane := next()
			zb.Mod(products[lane], n[lane])
		})
	case OpMul:
		s.short(func() { m.Mul(z, x, y, sc) }, &r)
	case OpSqr:
		s.short(func() { m.Sqr(z, x, sc) }, &r)
	case OpExp:
		f := func() error { return m.Exp(ctx, z, x, d, r.Bits) }
		if err := f(); err != nil {
			return nil, err
		}
		if err := check(func(lane int) *big.Int { return new(big.Int).Exp(a[lane], e[lane], n[lane]) }); err != nil {
			return nil, err
		}
		err = s.against(&r, f, func() {
			lane := next()
			zb.Exp(a[lane], e[lane], n[lane])
		})
	}
	return []Record{r}, err
}

// barrettOne measures an operation on one number. Products and squares are each of the
// result of the last one.
func (s *session) barrettOne(ctx context.Context, j *job) ([]Record, error) {
	r := j.record
	rng := source(r.Bits)
	n := exactly(rng, r.Bits)
	a, b, e := below(rng, n), below(rng, n), exactly(rng, r.Bits)
	m, err := j.barrett.NewModulus(r.Bits, n.Bytes(), j.folds)
	if err != nil {
		return nil, err
	}
	x, y, sc := m.NewInt(), m.NewInt(), m.NewScratch()
	m.SetBytes(x, a.Bytes(), sc)
	m.SetBytes(y, b.Bytes(), sc)
	wrong := fmt.Errorf("kernel %s gives a wrong result modulo %d bits", r.Kernel, r.Bits)
	zb := new(big.Int)
	switch r.Op {
	case OpReduce:
		product := new(big.Int).Mul(a, b)
		z, w := make([]uint64, words.Len(r.Bits)), make([]uint64, 2*words.Len(r.Bits))
		words.SetBytes(w, product.Bytes())
		m.Reduce(z, w, sc)
		out := make([]byte, 8*len(z))
		words.FillBytes(z, out)
		if zb.Mod(product, n).Cmp(new(big.Int).SetBytes(out)) != 0 {
			return nil, wrong
		}
		err = s.againstFor(1, &r, func() error { m.Reduce(z, w, sc); return nil }, func() { zb.Mod(product, n) })
	case OpMul:
		s.short(func() { m.Mul(x, x, y, sc) }, &r)
	case OpSqr:
		s.short(func() { m.Sqr(x, x, 1, sc) }, &r)
	case OpExp:
		base, exponent, out := a.Bytes(), e.Bytes(), make([]byte, (r.Bits+7)/8)
		f := func() error {
			_, err := m.ExpBytes(ctx, out, base, exponent, r.Bits)
			return err
		}
		if err := f(); err != nil {
			return nil, err
		}
		if zb.Exp(a, e, n).Cmp(new(big.Int).SetBytes(out)) != 0 {
			return nil, wrong
		}
		err = s.against(&r, f, func() { zb.Exp(a, e, n) })
	}
	return []Record{r}, err
}

// barrettText is what the system has, for errors.
func barrettText() string {
	return "the system " + SystemBarrett + " has " + strings.Join(barrettOps, ", ") + " and the variants " + strings.Join(foldsVariants, ", ")
}
