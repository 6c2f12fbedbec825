package bench

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"residue/batch"
)

// key tells operands apart.
type key struct {
	kernel string
	bits   int
}

// operands is what the operations of one kernel and length work on: eight moduli
// and numbers below them, without a special form.
type operands struct {
	kernel *batch.Kernel
	moduli *batch.Moduli
	sc     *batch.Scratch

	n, base, exponent [batch.Lanes]*big.Int

	x, y, e, z batch.Ints
	t, wide    batch.Ints // a product, and room for one
}

// operands returns the operands of a job. They are the same in every run.
func (s *session) operands(j *job) (*operands, error) {
	k := key{j.record.Kernel, j.record.Bits}
	if o, ok := s.known[k]; ok {
		return o, nil
	}
	o, err := newOperands(j.kernel, j.record.Bits)
	if err != nil {
		return nil, err
	}
	s.known[k] = o
	return o, nil
}

func newOperands(k *batch.Kernel, bits int) (*operands, error) {
	limbs := batch.Limbs(bits)
	o := &operands{
		kernel: k, sc: batch.NewScratch(limbs),
		x: batch.NewInts(limbs), y: batch.NewInts(limbs), e: batch.NewInts(limbs), z: batch.NewInts(limbs),
		t: batch.NewInts(2 * limbs), wide: batch.NewInts(2 * limbs),
	}
	rng := source(bits)
	var ns [batch.Lanes][]byte
	for lane := range batch.Lanes {
		n := odd(rng, bits)
		o.n[lane], o.base[lane], o.exponent[lane] = n, below(rng, n), exactly(rng, bits)
		ns[lane] = n.Bytes()
		for _, set := range []struct {
			z batch.Ints
			x *big.Int
		}{{o.x, o.base[lane]}, {o.y, below(rng, n)}, {o.e, o.exponent[lane]}} {
			if !set.z.SetBytes(lane, set.x.Bytes()) {
				return nil, fmt.Errorf("a number of %d bits does not fit %d digits", bits, limbs)
			}
		}
	}
	var err error
	if o.moduli, err = k.NewModuli(bits, ns[:]...); err != nil {
		return nil, err
	}
	k.Mul(o.t, o.x, o.y, o.sc)
	return o, nil
}

// call returns what makes one call of a job's operation.
func (o *operands) call(j *job) func() {
	m, k, form := o.moduli, o.kernel, j.reduction
	switch j.record.Op {
	case OpMul:
		return func() { k.Mul(o.wide, o.x, o.y, o.sc) }
	case OpSqr:
		return func() { k.Sqr(o.wide, o.x, o.sc) }
	case OpRedc:
		return func() { m.RedcBy(form, o.z, o.t, o.sc) }
	case OpMulMont:
		return func() { m.MulMontBy(form, o.z, o.x, o.y, o.sc) }
	case OpSqrMont:
		return func() { m.SqrMontBy(form, o.z, o.x, o.sc) }
	}
	panic("bench: no operation " + j.record.Op)
}

// source returns the source of the numbers of a length.
func source(bits int) *rand.Rand {
	return rand.New(rand.NewChaCha8([32]byte{byte(bits), byte(bits >> 8)}))
}

// exactly returns a random number of exactly bits bits.
func exactly(rng *rand.Rand, bits int) *big.Int {
	b := make([]byte, (bits+7)/8)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	x := new(big.Int).SetBytes(b)
	x.Rsh(x, uint(8*len(b)-bits))
	return x.SetBit(x, bits-1, 1)
}

// odd returns a random odd number of exactly bits bits.
func odd(rng *rand.Rand, bits int) *big.Int {
	x := exactly(rng, bits)
	return x.SetBit(x, 0, 1)
}

// below returns a random number below n.
func below(rng *rand.Rand, n *big.Int) *big.Int {
	return new(big.Int).Mod(exactly(rng, n.BitLen()+64), n)
}
