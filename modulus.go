package residue

import (
	"context"
	"fmt"
	"math/big"
	"sync/atomic"

	"residue/barrett"
	"residue/batch"
	"residue/mont"
	"residue/pmns"
)

// MaxBits is the length of the largest modulus, in bits.
const MaxBits = batch.MaxBits

// Modulus is a modulus n ≥ 1 prepared for arithmetic. It is immutable and safe
// for concurrent use. The zero value is not a modulus: its methods panic.
type Modulus struct {
	split
	kernel kernels
	// The odd part for one number at a time, for vectors of half as many rows as they
	// can have and for full ones, prepared when first needed.
	one     atomic.Pointer[oneModulus]
	prime   *pmns.System // in the place of one for a known prime; else nil
	vectors [2]atomic.Pointer[batch.Moduli]
	wholes  [2]atomic.Pointer[barrett.Moduli] // in the place of vectors: see whole.go
}

// kernels is the kernel in use, in each system.
type kernels struct {
	batch   *batch.Kernel
	mont    *mont.Kernel
	barrett *barrett.Kernel
}

func defaultKernel() (k kernels, err error) {
	if k.batch, err = batch.Default(); err != nil {
		return k, fmt.Errorf("residue: %w", err)
	}
	if k.mont, err = mont.Default(); err != nil {
		return k, fmt.Errorf("residue: %w", err)
	}
	if k.barrett, err = barrett.Default(); err != nil {
		return k, fmt.Errorf("residue: %w", err)
	}
	return k, nil
}

// NewModulus prepares the big-endian n. Its length in bytes, leading zeros
// included, is public and is the width of results; its value is not, except for
// the number of trailing zero bits and whether it is a prime of RFC 2409, 3526 or
// 7919. NewModulus keeps no reference to n.
//
// The error is [ErrModulusZero] or [ErrModulusTooLarge], or that the environment
// variable RESIDUE_KERNEL names a kernel that this machine does not have.
func NewModulus(n []byte) (*Modulus, error) {
	k, err := defaultKernel()
	if err != nil {
		return nil, err
	}
	m := &Modulus{kernel: k}
	own := append([]byte(nil), n...)
	if err := m.init(own); err != nil {
		return nil, err
	}
	if m.t > 0 { // the odd part is in memory of its own
		clear(own)
	} else if m.prime, err = k.primeSystem(m.oddBits, m.odd); err != nil {
		return nil, fmt.Errorf("residue: %w", err)
	}
	if _, err := m.single(); err != nil {
		return nil, err
	}
	if m.t > 0 {
		m.pow2()
	}
	return m, nil
}

// NewModulusBig prepares n; its length in bytes becomes public. The errors are
// those of [NewModulus], [ErrModulusNegative] and [ErrNil].
func NewModulusBig(n *big.Int) (*Modulus, error) {
	if err := checkModulusBig(n); err != nil {
		return nil, err
	}
	b := n.Bytes()
	defer clear(b)
	return NewModulus(b)
}

// Size returns the length of the modulus in bytes: the width of results.
func (m *Modulus) Size() int {
	m.check()
	return m.size
}

// Exp sets out = base^exponent mod m. All three are big-endian. out must have
// [Modulus.Size] bytes, and is filled with leading zeros; base and exponent may
// have any length, and none stands for 0. The base need not be below the modulus.
// 0^0 is 1, and everything modulo 1 is 0. out may be the same memory as base or
// exponent.
//
// Exp is constant time in the values of all three; the lengths of the slices are
// public. The error is [ErrLength].
func (m *Modulus) Exp(out, base, exponent []byte) error {
	m.check()
	if len(out) != m.size {
		return errOutLength(len(out), m.size)
	}
	md, err := m.single()
	if err != nil {
		return err
	}
	ws := borrowWorkspace()
	defer returnWorkspace(ws)
	ws.one = row{mod: &m.split, out: out, base: base, exponent: exponent, ebits: 8 * len(exponent)}
	return ws.expSingle(context.Background(), md, &ws.one)
}

// oneNumber is an odd modulus for one number at a time.
type oneNumber interface {
	// ExpBytes sets out = base^e modulo the modulus, for a big-endian e below 2^ebits.
	// out is as long as the modulus.
	ExpBytes(ctx context.Context, out, base, e []byte, ebits int) (fits bool, err error)
}

// single returns the odd part of m for one number at a time, and nil if there is no odd
// part.
func (m *Modulus) single() (oneNumber, error) {
	switch {
	case m.powerOfTwo():
		return nil, nil
	case m.prime != nil:
		return m.prime, nil
	}
	if md := m.one.Load(); md != nil {
		return *md, nil
	}
	// Exponents are taken to be as long as the modulus.
	md, err := m.kernel.newOne(m.oddBits, m.odd, m.oddBits, false)
	if err != nil {
		return nil, err
	}
	m.one.CompareAndSwap(nil, &md)
	return *m.one.Load(), nil
}

// oneModulus is an odd modulus for one number at a time, prepared for one that can wipe
// it.
type oneModulus interface {
	oneNumber
	Wipe()
}

// newOne prepares the odd n of so many bits, by package mont, or by package barrett where
// exponents of ebits bits are quicker with it: large moduli, and few products. own says
// that the preparation counts.
func (k *kernels) newOne(bits int, n []byte, ebits int, own bool) (oneModulus, error) {
	var md oneModulus
	var err error
	if _, byBarrett := k.oneCost(bits, ebits, own); byBarrett {
		md, err = k.barrett.NewModulus(bits, n, barrett.Auto)
	} else {
		md, err = k.mont.NewModulus(bits, n)
	}
	if err != nil {
		return nil, fmt.Errorf("residue: %w", err)
	}
	return md, nil
}

// vector returns the odd part of m, which there must be, for a vector of the given
// number of rows.
func (m *Modulus) vector(rows int) (*batch.Moduli, error) {
	// Any number of rows up to a half takes the same time, and so does any above.
	lanes, at := batch.Lanes/2, &m.vectors[0]
	if rows > lanes {
		lanes, at = batch.Lanes, &m.vectors[1]
	}
	if md := at.Load(); md != nil {
		return md, nil
	}
	var odd [batch.Lanes][]byte
	for i := range odd {
		odd[i] = m.odd
	}
	md, err := m.kernel.batch.NewModuli(m.oddBits, odd[:lanes]...)
	if err != nil {
		return nil, fmt.Errorf("residue: %w", err)
	}
	at.CompareAndSwap(nil, md)
	return at.Load(), nil
}

func (m *Modulus) check() {
	if m == nil || m.size == 0 {
		panic("residue: use of a Modulus that NewModulus did not make")
	}
}
