package kerneltest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"residue/asm/internal/machine"
)

// eachExact16 runs a test for the kernels that have a routine for products modulo 2^k.
func eachExact16(t *testing.T, routine string, f func(t *testing.T, n *NTT16, r *rand.Rand)) {
	eachNTT16(t, func(t *testing.T, n *NTT16) {
		if !n.Has(routine) || n.Q != exactP && n.Q != exactQ {
			t.Skip("not for this kernel or modulus")
		}
		f(t, n, rand.New(rand.NewPCG(165, uint64(n.Q))))
	})
}

// signedBits is words modulo 2^productBits, as signed numbers.
func signedBits(x []int16) []int16 {
	z := make([]int16, len(x))
	for i, v := range x {
		z[i] = v << (16 - productBits) >> (16 - productBits)
	}
	return z
}

// congruent returns an error that shows the first of the words that is not what it should be
// modulo Q, or not within (−Q, Q) if that is asked for.
func (n *NTT16) congruent(what string, s machine.Span, want []int16, small bool) error {
	for i, w := range n.WordsOf(s) {
		if n.mod(int64(w)-int64(want[i])) != 0 || small && (int64(w) <= -n.Q || int64(w) >= n.Q) {
			return fmt.Errorf("%s, modulo %d: word %d is %d, want %d", what, n.Q, i, w, want[i])
		}
	}
	return nil
}

// TestExact16 compares routines for products modulo 2^k with their definitions.
func TestExact16(t *testing.T) {
	eachExact16(t, "ExactMul16", func(t *testing.T, n *NTT16, r *rand.Rand) {
		c := newNTT16Check(n)
		var x, y [][]int16
		for kind := range ntt16Kinds {
			x, y = append(x, n.words(r, kind)), append(y, n.words(r, r.IntN(len(ntt16Kinds))))
		}
		for j, v := range x {
			c.SetWords(c.x, v)
			c.SetWords(c.y, y[j])
			do(t, c.Transform("Exact16", c.z, c.x))
			do(t, c.congruent("residues", c.z, c.ordered(c.residuesOf(signedBits(v))), false))
			want := c.product(signedBits(v), signedBits(y[j]))
			do(t, c.ExactMul(c.z, c.x, c.y))
			do(t, c.congruent("product", c.z, want, true))

			// Products with factors are divided by R, which the way back makes up for.
			hat := c.residuesOf(v)
			for i, w := range hat {
				hat[i] = int16(int64(w) * n.Power(1<<16%n.Q, n.Q-2) % n.Q)
			}
			c.SetWords(c.x, c.ordered(hat))
			do(t, c.Transform("ExactInverse16", c.z, c.x))
			do(t, c.congruent("polynomial", c.z, v, true))
		}

		// Words of one polynomial are behind those of another.
		var twoX, twoF []machine.Span
		for j := range 3 {
			twoX = append(twoX, n.Mem.Alloc("x", 2*ntt16Bytes, 2))
			twoF = append(twoF, n.Mem.Alloc("f", 4*ntt16Bytes, 2))
			for part := range 2 {
				c.SetWords(c.x, x[(j+5*part)%len(x)])
				do(t, c.Transform("Exact16", twoX[j].Slice(part*ntt16Bytes, (part+1)*ntt16Bytes), c.x))
				c.SetWords(c.y, y[(j+5*part)%len(y)])
				do(t, c.Transform("Exact16", c.y, c.y))
				do(t, c.ExactFactor(twoF[j].Slice(2*part*ntt16Bytes, 2*(part+1)*ntt16Bytes), c.y))
			}
		}
		for part := range 2 {
			sum := n.words(r, 3)
			for j := range 3 {
				at := (j + 5*part) % len(x)
				sum = n.sum(sum, n.product(signedBits(x[at]), signedBits(y[at])))
			}
			rows := func(z, x []machine.Span) {
				do(t, c.ExactRows(z, x, twoF, part*ntt16Bytes, 2*part*ntt16Bytes))
			}
			rows([]machine.Span{c.z}, twoX)
			do(t, n.congruent("row", c.z, sum, true))
			rows(c.more[:3], []machine.Span{twoX[0], twoX[1], twoX[2], twoX[1], twoX[2], twoX[0], twoX[2], twoX[0], twoX[1]})
			for i, s := range c.more[:3] {
				rows([]machine.Span{c.z}, []machine.Span{twoX[i], twoX[(i+1)%3], twoX[(i+2)%3]})
				do(t, n.same("row of three", s, n.WordsOf(c.z)))
			}
		}

		all := n.Mem.Alloc("three", 3*ntt16Bytes, 2)
		for i, s := range c.more[:3] {
			n.SetWords(s, x[len(x)-1-i])
		}
		do(t, n.Three("ThreeExact16", all, c.more[:3]))
		for i, s := range c.more[:3] {
			do(t, n.Transform("Exact16", c.z, s))
			do(t, n.same("residues of three", all.Slice(i*ntt16Bytes, (i+1)*ntt16Bytes), n.WordsOf(c.z)))
		}
	})
}

// TestCombine16: two numbers in (−p, p) and (−q, q) give back c = x + p·d, if the d for either x
// is at most (q − 1)/2 in absolute value: that is for |c| of at most p·(q − 3)/2.
func TestCombine16(t *testing.T) {
	eachExact16(t, "Combine16", func(t *testing.T, n *NTT16, r *rand.Rand) {
		if n.Q != exactQ {
			t.Skip("for the second modulus")
		}
		table := n.CombineTable()
		x, y, z := n.Polynomial("x"), n.Polynomial("y"), n.Polynomial("z")
		const most = exactP * (exactQ - 3) / 2
		ends := []int64{0, 1, -1, most, -most, exactP, -exactP, exactQ - 1, most - 1}
		for range 20 {
			u, v, want := make([]int16, ntt16Words), make([]int16, ntt16Words), make([]int16, ntt16Words)
			for i := range u {
				c := r.Int64N(2*most+1) - most
				if r.IntN(3) == 0 {
					c = ends[r.IntN(len(ends))]
				}
				// Either of the residues next to zero; or that in [0, p), if no others are allowed.
				u[i] = int16(c%exactP + exactP*r.Int64N(2)*sign(-c%exactP))
				v[i] = int16(c%exactQ + exactQ*r.Int64N(2)*sign(-c%exactQ))
				if n.Has("Centre16") {
					u[i], v[i] = int16((c%exactP+exactP)%exactP), int16((c%exactQ+exactQ)%exactQ)
				}
				want[i] = int16(c & (1<<productBits - 1))
			}
			n.SetWords(x, u)
			n.SetWords(y, v)
			do(t, n.Combine(z, x, y, table))
			do(t, n.same("combined", z, want))
		}
	})
}

// sign is −1, 0 or 1.
func sign(v int64) int64 { return min(1, max(-1, v)) }

// TestCentre16 does it for any words, in place as well.
func TestCentre16(t *testing.T) {
	eachExact16(t, "Centre16", func(t *testing.T, n *NTT16, r *rand.Rand) {
		x, z, table := n.Polynomial("x"), n.Polynomial("z"), n.CombineTable()
		for kind := range ntt16Kinds {
			v := n.words(r, kind)
			for _, to := range []machine.Span{z, x} {
				n.SetWords(x, v)
				do(t, n.Centre(to, x, table))
				do(t, n.same("signed", to, signedBits(v)))
			}
		}
	})
}

// TestExact16Traces is TestTraces for them.
func TestExact16Traces(t *testing.T) {
	eachExact16(t, "Combine16", func(t *testing.T, n *NTT16, _ *rand.Rand) {
		n.Public = true
		c, table := newNTT16Check(n), n.CombineTable()
		routines := map[string]func() error{
			"Exact16":        func() error { return n.Transform("Exact16", c.z, c.x) },
			"ExactInverse16": func() error { return n.Transform("ExactInverse16", c.z, c.x) },
			"ExactFactor16":  func() error { return n.ExactFactor(c.factors[0], c.x) },
			"ExactMul16":     func() error { return n.ExactMul(c.z, c.x, c.y) },
			"ExactRow16":     func() error { return n.ExactRows(c.more[:1], c.more[1:3], c.factors[1:3], 0, 0) },
			"Centre16":       func() error { return n.Centre(c.z, c.x, table) },
			"Combine16":      func() error { return n.Combine(c.z, c.x, c.y, table) },
		}
		for name, routine := range routines {
			if !n.Has(name) {
				continue
			}
			err := n.SameTraces(runs, func(run int) error {
				r := rand.New(rand.NewPCG(166, uint64(run)))
				kind := []int{3, 1, 2, 0}[run]
				n.SetWords(c.x, n.words(r, kind))
				n.SetWords(c.y, n.words(r, kind))
				for i := range c.more {
					n.SetWords(c.more[i], n.words(r, kind))
					n.SetWords(c.factors[i], append(n.words(r, kind), n.words(r, kind)...))
				}
				return routine()
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
