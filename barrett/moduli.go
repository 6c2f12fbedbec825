package barrett

import (
	"fmt"

	"residue/barrett/internal/folding"
	"residue/batch"
	"residue/internal/ct"
	"residue/internal/words"
)

// Moduli is up to eight moduli n ≥ 1, one a lane, prepared for arithmetic on eight
// numbers at a time, in the digits of package batch. It is immutable, but for Wipe, and
// safe for concurrent use.
//
// They are for kernels with vectors. Without, a [Modulus] does eight numbers one after the
// other in less time.
//
// What follows holds for the lanes in use; what is in the other lanes of operands does
// not matter, and what is in those of results is not specified. Residues are any
// numbers of Limbs digits.
type Moduli struct {
	kernel *Kernel
	bits   int
	form   laneForm
	lanes  int
	m      folding.Modulus[batch.Vector] // for n·2^s with a secret s in every lane
	// The s of every lane as whole digits and a rest.
	digits, rest batch.Vector
	slack        batch.Vector // the rest for a modulus of the greatest length
	full         uint64       // all ones if all moduli have that length
}

// NewModuli prepares 1 to 8 moduli of at most bits bits each, given big-endian, for the
// default kernel. bits, the number of moduli and the lengths of the slices are public,
// the values are not. A number of moduli or of bits out of range, a modulus that is zero
// and one longer than bits are errors; they name the lane. It is constant time in the
// values of moduli that are accepted.
func NewModuli(bits int, ns ...[]byte) (*Moduli, error) {
	k, err := Default()
	if err != nil {
		return nil, err
	}
	return k.NewModuli(bits, Auto, ns...)
}

// NewModuli is like the function [NewModuli], for the kernel k and with so many folds,
// or [Auto]. There are at most [LaneFolds] of them; more are an error.
func (k *Kernel) NewModuli(bits, folds int, ns ...[]byte) (*Moduli, error) {
	if bits < 1 || bits > MaxBits {
		return nil, fmt.Errorf("barrett: moduli of %d bits, not 1 to %d", bits, MaxBits)
	}
	if len(ns) < 1 || len(ns) > batch.Lanes {
		return nil, fmt.Errorf("barrett: %d moduli, not 1 to %d", len(ns), batch.Lanes)
	}
	if most := LaneFolds(bits); folds < Auto || folds > most {
		return nil, fmt.Errorf("barrett: %d folds for eight moduli of %d bits, not 0 to %d", folds, bits, most)
	}
	f, _ := formOf(bits, folds)
	m := &Moduli{kernel: k, bits: bits, form: f, lanes: len(ns), full: ^uint64(0)}
	s, e := f.limbs, folding.Above(f.limbs, f.folds)
	m.m.N, m.m.Mu = batch.NewInts(s), batch.NewInts(e)
	for range f.folds {
		m.m.Folds = append(m.m.Folds, batch.NewInts(s))
	}
	width := batch.DigitBits * s
	n := make([]uint64, words.Len(width))
	defer clear(n)
	for lane := range batch.Lanes {
		clear(n)
		n[0] = 1
		if lane < len(ns) {
			if err := setModulus(n[:words.Len(bits)], ns[lane], bits); err != nil {
				return nil, fmt.Errorf("barrett: lane %d: %w", lane, err)
			}
		}
		shift := normalize(n, width)
		m.setLane(lane, n, shift)
		if lane < len(ns) {
			m.full &= words.MaskEqual(shift, uint64(width-bits))
		}
		m.slack[lane] = uint64((width - bits) % batch.DigitBits)
	}
	return m, nil
}

// LaneFolds returns the largest number of folds for [Moduli] of so many bits.
func LaneFolds(bits int) int {
	most := 0
	for n := range maxLaneFolds + 1 {
		if _, ok := leastForm(bits, n); ok {
			most = n
		}
	}
	return most
}

// setLane prepares a lane for n = n'·2^shift, whose highest bit is that of the digits.
func (m *Moduli) setLane(lane int, n []uint64, shift uint64) {
	c := newConstants(n, batch.DigitBits, m.form.limbs, m.form.folds)
	setLane(m.m.N, lane, n)
	setLane(m.m.Mu, lane, c.mu)
	for i, f := range c.folds {
		setLane(m.m.Folds[i], lane, f)
	}
	c.wipe()
	m.digits[lane], m.rest[lane] = divideByDigit(shift)
}

// divideByDigit returns ⌊n/52⌋ and n mod 52 for an n below 2^16, without the division
// that is not constant time everywhere: 80660·52 = 2^22 + 16, so the product is too
// large by n·16/(52·2^22) < 1/52.
func divideByDigit(n uint64) (quotient, rest uint64) {
	quotient = n * 80660 >> 22
	return quotient, n - quotient*batch.DigitBits
}

// setLane sets a lane of z to the number w modulo its width.
func setLane(z []batch.Vector, lane int, w []uint64) {
	for i := range z {
		j, n := i*batch.DigitBits/words.WordBits, uint(i*batch.DigitBits%words.WordBits)
		var d uint64
		if j < len(w) {
			d = w[j] >> n
		}
		if j+1 < len(w) {
			d |= w[j+1] << 1 << (words.WordBits - 1 - n)
		}
		z[i][lane] = d & digitMask
	}
}

// Kernel returns the kernel that does the arithmetic.
func (m *Moduli) Kernel() *Kernel { return m.kernel }

// Bits returns the length that the moduli may have.
func (m *Moduli) Bits() int { return m.bits }

// Limbs returns the number of digits of numbers modulo m.
func (m *Moduli) Limbs() int { return m.form.limbs }

// Lanes returns the number of lanes in use.
func (m *Moduli) Lanes() int { return m.lanes }

// Folds returns the number of folds of a reduction.
func (m *Moduli) Folds() int { return m.form.folds }

// Wipe zeroes everything that was prepared, which may tell the moduli. m must not be
// used any more, and not be in use.
func (m *Moduli) Wipe() {
	clear(m.m.N)
	clear(m.m.Mu)
	for _, c := range m.m.Folds {
		clear(c)
	}
	m.digits, m.rest = batch.Vector{}, batch.Vector{}
}

// exact reports whether all moduli have Bits bits, which is public where it matters.
func (m *Moduli) exact() bool { return ct.Public(m.full) != 0 }
