package kerneltest

import (
	"math/big"

	"residue/asm/internal/machine"
)

// digitBits is the width of a digit of word-sliced numbers.
const digitBits = 52

const digitMask = 1<<digitBits - 1

// vectorBytes is the size of a vector: eight lanes, of which a kernel may work on
// some only.
const (
	vectorBytes = 64
	vectorLanes = 8
)

// Ints is word-sliced numbers in memory: digit i of all of them is vector i. It is
// those in some neighbouring lanes.
type Ints struct {
	all          machine.Span // whole vectors
	first, lanes int
}

// Pieces returns the memory of the numbers and of no others.
func (x Ints) Pieces() []machine.Span {
	if x.lanes == vectorLanes {
		return []machine.Span{x.all}
	}
	var ps []machine.Span
	for i := range x.Limbs() {
		from := i*vectorBytes + 8*x.first
		ps = append(ps, x.all.Slice(from, from+8*x.lanes))
	}
	return ps
}

// Slice returns digits from to to.
func (x Ints) Slice(from, to int) Ints {
	x.all = x.all.Slice(from*vectorBytes, to*vectorBytes)
	return x
}

// Limbs is the number of digits.
func (x Ints) Limbs() int { return x.all.Len / vectorBytes }

// Pointer is what a routine is given.
func (x Ints) Pointer() uint64 { return x.all.Addr + uint64(8*x.first) }

// Define says that the numbers are set, to secrets or not.
func (x Ints) Define(secrets bool) {
	for _, p := range x.Pieces() {
		p.Define(secrets)
	}
}

// Digit returns a digit with what is above it.
func (x Ints) Digit(i, lane int) uint64 { return x.all.Word(i*vectorLanes + x.first + lane) }

// SetDigit sets a digit. It does not define it.
func (x Ints) SetDigit(i, lane int, d uint64) { x.all.SetWord(i*vectorLanes+x.first+lane, d) }

// Big returns the number in a lane: of digits, or of columns, which may be wider
// than digits.
func (x Ints) Big(lane int, columns bool) *big.Int {
	v, d := new(big.Int), new(big.Int)
	for i := x.Limbs() - 1; i >= 0; i-- {
		w := x.Digit(i, lane)
		if !columns {
			w &= digitMask
		}
		v.Lsh(v, digitBits)
		v.Add(v, d.SetUint64(w))
	}
	return v
}

// SetBig sets the digits of a lane, each with litter above it. It does not define
// them.
func (x Ints) SetBig(lane int, v *big.Int, litter func() uint64) {
	v = new(big.Int).Set(v)
	d, mask := new(big.Int), new(big.Int).SetUint64(digitMask)
	for i := range x.Limbs() {
		x.SetDigit(i, lane, d.And(v, mask).Uint64()|litter()<<digitBits)
		v.Rsh(v, digitBits)
	}
	if v.Sign() != 0 {
		panic("kerneltest: a number that does not fit")
	}
}

func noLitter() uint64 { return 0 }

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

func minus(x *big.Int, d int64) *big.Int { return new(big.Int).Sub(x, big.NewInt(d)) }

// montgomery returns (t + q·n)/r with q = −t/n mod r, for r = 2^bits.
func montgomery(t, n *big.Int, bits int) *big.Int {
	r := pow2(bits)
	q := new(big.Int).ModInverse(n, r)
	if q == nil { // r is 1
		q = new(big.Int)
	}
	q.Mul(q, t).Neg(q).Mod(q, r)
	q.Mul(q, n).Add(q, t)
	return q.Rsh(q, uint(bits))
}
