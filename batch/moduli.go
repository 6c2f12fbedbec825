package batch

import "context"

// Moduli is up to eight odd moduli, one a lane, prepared for Montgomery
// arithmetic. It is immutable and safe for concurrent use.
type Moduli struct {
	kernel *Kernel
	limbs  int
	lanes  int

	n    Ints // the moduli; 1 in lanes that are not in use
	ninv Ints // one vector: −1/N mod 2^52
	rr   Ints // R² mod N
	one  Ints // R mod N
}

// NewModuli prepares 1 to 8 odd moduli of at most bits bits each, given
// big-endian, for the default kernel. bits and the lengths of the slices are
// public, the values are not. An even or zero modulus and one longer than bits
// are errors that name the lane.
func NewModuli(bits int, ns ...[]byte) (*Moduli, error) {
	k, err := Default()
	if err != nil {
		return nil, err
	}
	return k.NewModuli(bits, ns...)
}

// NewModuli is like the function [NewModuli], for the kernel k.
func (k *Kernel) NewModuli(bits int, ns ...[]byte) (*Moduli, error) { panic("TODO") }

// Kernel returns the kernel that does the arithmetic.
func (m *Moduli) Kernel() *Kernel { return m.kernel }

// Limbs returns the number of digits of numbers modulo m.
func (m *Moduli) Limbs() int { return m.limbs }

// Lanes returns the number of lanes in use.
func (m *Moduli) Lanes() int { return m.lanes }

// ToMontgomery sets z = x·R mod N, below 2N, for any x < R.
func (m *Moduli) ToMontgomery(z, x Ints, sc *Scratch) { panic("TODO") }

// FromMontgomery sets z = x/R mod N, in [0, N), for any x < R.
func (m *Moduli) FromMontgomery(z, x Ints, sc *Scratch) { panic("TODO") }

// MulMont sets z ≡ x·y/R modulo N: below 2N if x and y are, or if x < R and
// y < N.
func (m *Moduli) MulMont(z, x, y Ints, sc *Scratch) { panic("TODO") }

// SqrMont sets z ≡ x²/R modulo N: below 2N if x is.
func (m *Moduli) SqrMont(z, x Ints, sc *Scratch) { panic("TODO") }

// Redc sets z ≡ t/R modulo N for a t of 2·Limbs digits: below 2N if t < R·N.
func (m *Moduli) Redc(z, t Ints, sc *Scratch) { panic("TODO") }

// Exp sets z = x^e mod N in every lane, in [0, N), for any x < R and for e below
// 2^ebits. e may have any number of digits (fewer than ebits needs: the rest are
// zeros); ebits is public, the values of x, e and N are not.
// x^0 is 1, also for x = 0; everything modulo 1 is 0.
// Exp stops early, and returns ctx.Err(), when ctx ends.
func (m *Moduli) Exp(ctx context.Context, z, x, e Ints, ebits int) error { panic("TODO") }
