package batch

import (
	"fmt"
	"sync"

	"residue/internal/ct"
	"residue/internal/words"
)

// Moduli is up to eight odd moduli, one a lane, prepared for Montgomery
// arithmetic. It is immutable, but for Wipe, and safe for concurrent use.
//
// R is 2^(52·Limbs). What follows holds for the lanes in use; what is in the
// other lanes of operands does not matter, and what is in those of results is
// not specified.
type Moduli struct {
	kernel *Kernel
	limbs  int
	lanes  int

	n    Ints // the moduli; 1 in lanes that are not in use
	ninv Ints // one vector: −1/N mod 2^52
	rr   Ints // R² mod N
	one  Ints // R mod N

	// For kernels that work in 64-bit words: the moduli and −1/N mod 2^64.
	packed    [Lanes][]uint64
	packedInv [Lanes]uint64
	// And for their exponentiations, with R′ = 2^(64·wordLen): see wordPowering.
	wordLen int
	toWords Ints            // R·R′ mod N
	wordOne [Lanes][]uint64 // R′ mod N

	// For reductions in blocks: −1/N mod R, found when first asked for.
	inverseOnce sync.Once
	inverse     Ints
}

// NewModuli prepares 1 to 8 odd moduli of at most bits bits each, given
// big-endian, for the default kernel. bits, the number of moduli and the lengths
// of the slices are public, the values are not. A number of moduli or of bits
// out of range, an even or zero modulus and one longer than bits are errors; they
// name the lane. It is constant time in the values of moduli that are accepted.
// Neighbours that are the same slice (not merely equal) are prepared once.
func NewModuli(bits int, ns ...[]byte) (*Moduli, error) {
	k, err := Default()
	if err != nil {
		return nil, err
	}
	return k.NewModuli(bits, ns...)
}

// NewModuli is like the function [NewModuli], for the kernel k.
func (k *Kernel) NewModuli(bits int, ns ...[]byte) (*Moduli, error) {
	if bits < 1 || bits > MaxBits {
		return nil, fmt.Errorf("batch: moduli of %d bits, not 1 to %d", bits, MaxBits)
	}
	if len(ns) < 1 || len(ns) > Lanes {
		return nil, fmt.Errorf("batch: %d moduli, not 1 to %d", len(ns), Lanes)
	}
	s := Limbs(bits)
	m := &Moduli{
		kernel: k, limbs: s, lanes: len(ns),
		n: NewInts(s), ninv: NewInts(1), rr: NewInts(s), one: NewInts(s),
	}
	l := packedLen(s)
	r := make([]uint64, l)
	for lane := range Lanes {
		if lane > 0 && lane < len(ns) && sameSlice(ns[lane], ns[lane-1]) {
			m.copyLane(lane, lane-1)
			continue
		}
		n := make([]uint64, l)
		n[0] = 1
		if lane < len(ns) {
			if err := setModulus(n, ns[lane], bits); err != nil {
				return nil, fmt.Errorf("batch: lane %d: %w", lane, err)
			}
		}
		unpack(m.n, lane, n, 0)
		ninv := words.NegInverse(n[0])
		m.ninv[0][lane] = ninv & digitMask
		m.packedInv[lane] = ninv
		if lane < len(ns) {
			words.ModPow2(r, 2*s*DigitBits, n)
			unpack(m.rr, lane, r, 0)
		}
		m.packed[lane] = n
	}
	clear(r)
	m.FromMontgomery(m.one, m.rr, nil)
	if _, ok := k.impl.(wordwise); ok {
		m.prepareWords(bits)
	}
	return m, nil
}

// sameSlice reports whether two slices are the same memory, which is public. Whether
// different memory holds equal moduli is not, and is not asked.
func sameSlice(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// copyLane prepares a lane for the modulus of another.
func (m *Moduli) copyLane(to, from int) {
	for _, x := range []Ints{m.n, m.ninv, m.rr} {
		for i := range x {
			x[i][to] = x[i][from]
		}
	}
	m.packed[to], m.packedInv[to] = m.packed[from], m.packedInv[from]
}

// setModulus sets n to the big-endian b, if that is odd and has at most bits bits.
func setModulus(n []uint64, b []byte, bits int) error {
	fits := words.SetBytes(n, b)
	over := n[bits/words.WordBits:]
	excess := over[0] >> (bits % words.WordBits)
	for _, w := range over[1:] {
		excess |= w
	}
	switch { // errors are public, and that there is none
	case !ct.Public(fits) || ct.Public(excess != 0):
		return fmt.Errorf("modulus of more than %d bits", bits)
	case ct.Public(n[0]%2 == 0):
		if ct.Public(words.IsZero(n)) != 0 {
			return fmt.Errorf("modulus 0")
		}
		return fmt.Errorf("even modulus")
	}
	return nil
}

// Kernel returns the kernel that does the arithmetic.
func (m *Moduli) Kernel() *Kernel { return m.kernel }

// Limbs returns the number of digits of numbers modulo m.
func (m *Moduli) Limbs() int { return m.limbs }

// Lanes returns the number of lanes in use.
func (m *Moduli) Lanes() int { return m.lanes }

// Wipe zeroes everything that was prepared, which may tell the moduli. m must not be
// used any more, and not be in use.
func (m *Moduli) Wipe() {
	for _, x := range []Ints{m.n, m.ninv, m.rr, m.one, m.toWords, m.inverse} {
		wipe(x)
	}
	for lane := range Lanes {
		clear(m.packed[lane])
		clear(m.wordOne[lane])
	}
	clear(m.packedInv[:])
}
