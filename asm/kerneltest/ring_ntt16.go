package kerneltest

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"residue/asm/internal/machine"
)

// NTT16 is the routines for polynomials modulo X²⁵⁶ + 1 and a prime, in words of 16 bits, of
// one kernel: what residue/negacyclic calls, with a table that is made here from the layout
// in residue/asm/negacyclic.
type NTT16 struct {
	*Lab
	Q       int64
	vector  int    // words of a vector
	prefix  string // of the names of routines
	suffix  string // of those that depend on the modulus
	table   machine.Span
	scratch machine.Span    // of products
	slices  [2]machine.Span // of the operands of sums

	transform *Transform
}

const (
	ntt16Words  = 256
	ntt16Layers = 7
	ntt16Bytes  = 2 * ntt16Words
	ntt16Terms  = 16 // of a sum, at most
)

// NTT16Kernels are the kernels, with the words of their vectors.
var NTT16Kernels = map[string]int{"ntt16-avx2": 16, "ntt16-avx512": 32}

// NTT16Moduli are the primes that there are routines for.
var NTT16Moduli = []int64{257, 769, 3329, 7681}

// NTT16MemoryBytes is enough memory for an NTT16 and so many polynomials.
func NTT16MemoryBytes(polynomials int) int { return 1<<16 + polynomials*(ntt16Bytes+512) }

// NewNTT16 prepares a ring.
func NewNTT16(l *Lab, kernel string, q int64) *NTT16 {
	n := &NTT16{Lab: l, Q: q, vector: NTT16Kernels[kernel], prefix: "avx2", transform: NewTransform(q, ntt16Words, ntt16Layers)}
	words := n.avx2Table
	if n.vector == 32 {
		n.prefix, words = "avx512", n.avx512Table
	}
	if q > 3329 {
		n.suffix = "Wide"
	}
	table := words()
	n.table = l.Mem.Alloc("table", 2*len(table.words), 0)
	n.set(n.table, table.words, false)
	n.scratch = n.Polynomial("scratch")
	for i := range n.slices {
		n.slices[i] = n.Alloc("slices", 3*ntt16Terms)
	}
	return n
}

// Polynomial returns room for a polynomial, no better aligned than its words.
func (n *NTT16) Polynomial(name string) machine.Span { return n.Mem.Alloc(name, ntt16Bytes, 2) }

// Factor returns room for a factor.
func (n *NTT16) Factor(name string) machine.Span { return n.Mem.Alloc(name, 2*ntt16Bytes, 2) }

// SetWords sets words, which are secrets.
func (n *NTT16) SetWords(s machine.Span, words []int16) { n.set(s, words, !n.Public) }

func (n *NTT16) set(s machine.Span, words []int16, secret bool) {
	for i, w := range words {
		binary.LittleEndian.PutUint16(s.Bytes()[2*i:], uint16(w))
	}
	s.Define(secret)
}

// WordsOf returns words.
func (n *NTT16) WordsOf(s machine.Span) []int16 {
	words := make([]int16, s.Len/2)
	for i := range words {
		words[i] = int16(binary.LittleEndian.Uint16(s.Bytes()[2*i:]))
	}
	return words
}

// Has reports whether there is a routine of a name.
func (n *NTT16) Has(name string) bool { return n.Routines[n.routine(name)] != nil }

// routine is the name of a routine: there are some for moduli that need words to be made small
// more often.
func (n *NTT16) routine(name string) string {
	if r := n.prefix + name + n.suffix; n.Routines[r] != nil {
		return r
	}
	return n.prefix + name
}

// Transform sets z to what a routine makes of x: Forward16, Residues16 or Inverse16.
func (n *NTT16) Transform(name string, z, x machine.Span) error {
	return n.Call(n.routine(name), map[string]Operand{"z": OutAgain(z), "x": In(x), "table": In(n.table)})
}

// Prepare sets f to the factor of x.
func (n *NTT16) Prepare(f, x machine.Span) error { return n.prepare("Factor16", f, x) }

// PrepareOwn sets f to the factor of x in the order that Residues16 has, if that is the kernel's
// own.
func (n *NTT16) PrepareOwn(f, x machine.Span) error {
	return n.prepare(n.own("Prepare16", "Factor16"), f, x)
}

func (n *NTT16) prepare(name string, f, x machine.Span) error {
	return n.Call(n.routine(name), map[string]Operand{"f": Out(f), "x": In(x), "table": In(n.table)})
}

// own is the name of a routine for residues in the kernel's own order, or that of the one for
// the order of FIPS 203 if it has none of its own.
func (n *NTT16) own(name, inOrder string) string {
	if n.Has(name) {
		return name
	}
	return inOrder
}

// ownOrder returns words in the order that Residues16 has.
func (n *NTT16) ownOrder(x []int16) []int16 {
	if n.Has("Prepare16") {
		return n.ordered(x)
	}
	return x
}

// Mul sets z to x·y.
func (n *NTT16) Mul(z, x, y machine.Span) error {
	return n.Call(n.routine("Mul16"), map[string]Operand{
		"z": OutAgain(z), "x": In(x), "y": In(y), "scratch": Work(n.scratch), "table": In(n.table),
	})
}

// sliced writes slices of words, which are public.
func (n *NTT16) sliced(to machine.Span, of []machine.Span) Operand {
	to = to.Slice(0, 24*len(of))
	var words []uint64
	var in []Operand
	for _, s := range of {
		words = append(words, s.Addr, uint64(s.Len/2), uint64(s.Len/2))
		in = append(in, In(s))
	}
	n.Set(to, words, true)
	return In(to).With(in...)
}

// callSum calls a routine for sums of so many products, or for several of them. What is shared by
// all is given once.
func (n *NTT16) callSum(name string, z, x, f []machine.Span, count int, more map[string]Operand) error {
	operands := map[string]Operand{
		"x": n.sliced(n.slices[0], x), "f": n.sliced(n.slices[1], f), "count": Number(count), "table": In(n.table),
	}
	for i, s := range z {
		operands[fmt.Sprint("z", i)] = OutAgain(s)
	}
	operands["z"] = operands["z0"]
	maps.Copy(operands, more)
	return n.Call(n.routine(name), operands)
}

// Sum sets z to the sum of the products of x and f, or adds it.
func (n *NTT16) Sum(z machine.Span, x, f []machine.Span, add bool) error {
	name, to, keep := "Sum16", Out(z), 0
	if add {
		to, keep = InOut(z), -1
		if n.Has("AddSum16") {
			name = "AddSum16"
		}
	} else if !n.Has("AddSum16") {
		to = InOut(z) // it is read, and masked
		n.SetWords(z, make([]int16, ntt16Words))
	}
	return n.callSum(name, nil, x, f, len(x), map[string]Operand{"z": to, "keep": Number(keep)})
}

// Row sets z to the polynomial of the sum of the products of x and f.
func (n *NTT16) Row(z machine.Span, x, f []machine.Span) error {
	return n.callSum("Row16", []machine.Span{z}, x, f, len(x), nil)
}

// OwnRow is Row for residues in the order that Residues16 has.
func (n *NTT16) OwnRow(z machine.Span, x, f []machine.Span) error {
	return n.callSum(n.own("PreparedRow16", "Row16"), []machine.Span{z}, x, f, len(x), nil)
}

// ThreeRows sets z to three rows with the same f, or to three of OwnRow with the same x.
func (n *NTT16) ThreeRows(z, x, f []machine.Span) error {
	name := "ThreeRows16"
	if len(x) < len(f) {
		name = "ThreePreparedRows16"
	}
	return n.callSum(name, z, x, f, min(len(x), len(f)), nil)
}

// Three sets the three polynomials of z to what a routine makes of x.
func (n *NTT16) Three(name string, z machine.Span, x []machine.Span) error {
	return n.Call(n.routine(name), map[string]Operand{
		"z": OutAgain(z), "x0": In(x[0]), "x1": In(x[1]), "x2": In(x[2]), "table": In(n.table),
	})
}

// Power returns b^e modulo Q.
func (n *NTT16) Power(b, e int64) int64 { return n.transform.power(b, e) }

// Zeta returns ζ^e, for the smallest ζ of order 256.
func (n *NTT16) Zeta(e int) int64 { return n.Power(n.transform.root, int64(e)) }

// Gamma returns the γ of X² − γ, of residue i of 128.
func (n *NTT16) Gamma(i int) int64 { return n.Zeta(2*reverse7(i) + 1) }

// reverse7 reverses seven bits.
func reverse7(i int) int { return int(bits.Reverse8(uint8(i)) >> 1) }

// table16 is the words of a table.
type table16 struct {
	*NTT16
	words []int16
}

// all adds a vector of one word.
func (t *table16) all(word int64) { t.each(func(int) int64 { return word }) }

func (t *table16) each(word func(lane int) int64) {
	for lane := range t.vector {
		t.words = append(t.words, int16(word(lane)))
	}
}

// constants adds, for each lane, z·R mod Q as the nearest to zero, for R = 2^16, and then what that
// is over Q modulo R.
func (t *table16) constants(z func(lane int) int64) {
	w := func(lane int) int64 {
		v := z(lane) << 16 % t.Q
		if 2*v > t.Q {
			v -= t.Q
		}
		return v
	}
	t.each(w)
	t.each(func(lane int) int64 { return w(lane) * t.inverse() })
}

// inverse is 1/Q modulo R: Newton's method doubles the bits that are right.
func (t *table16) inverse() int64 {
	v := t.Q
	for range 4 {
		v = int64(int16(v * (2 - t.Q*v)))
	}
	return v
}

// order16 says which bit of a word's index each bit of a place is: of the number of a vector,
// and of a lane; the most significant first. base has what no bit of a place says.
type order16 struct {
	base           int
	vectors, lanes []int
}

func (o order16) index(vector, lane int) int {
	i := o.base
	for b, bit := range o.vectors {
		i |= vector >> (len(o.vectors) - 1 - b) & 1 << bit
	}
	for b, bit := range o.lanes {
		i |= lane >> (len(o.lanes) - 1 - b) & 1 << bit
	}
	return i
}

// layer adds the constants of the butterflies of a layer, on a bit of the index, of each pair of
// vectors, unless they are those of the pair before.
func (t *table16) layer(bit int, o order16, back bool) {
	var last []int16
	at := 1 << (len(o.vectors) - 1 - slices.Index(o.vectors, bit))
	for vector := range 1 << len(o.vectors) {
		if vector&at != 0 {
			continue
		}
		before := len(t.words)
		t.constants(func(lane int) int64 {
			// Block s of the layer is modulo X^2^bit ∓ ζ^e for an e of which these are the bits.
			e := reverse7(1<<(7-bit) + o.index(vector, lane)>>(bit+1))
			if back {
				e = ntt16Words - e
			}
			return t.Zeta(e)
		})
		added := t.words[before:]
		if slices.Equal(last, added) {
			t.words = t.words[:before]
			continue
		}
		last = slices.Clone(added)
	}
}

// gammas adds c and ±γ·c in turn, for vectors in an order.
func (t *table16) gammas(o order16, c int64) {
	for vector := range 1 << len(o.vectors) {
		t.constants(func(lane int) int64 {
			if i := o.index(vector, lane); i&1 == 1 {
				return t.Gamma(i>>1) * c % t.Q
			}
			return c
		})
	}
}

// ends adds 2^−7, and the same times R; and both times the constant of the last layer back.
func (t *table16) ends() {
	scale, r := t.Power((t.Q+1)/2, 7), int64(1)<<16%t.Q
	for _, c := range []int64{1, t.Zeta(ntt16Words - 64)} {
		c = c * scale % t.Q
		t.constants(func(int) int64 { return c })
		t.constants(func(int) int64 { return c * r % t.Q })
	}
}

// layers adds those of several layers.
func (t *table16) layers(back bool, ls ...layer16) {
	for _, l := range ls {
		t.layer(l.bit, l.order16, back)
	}
}

// layer16 is a layer on a bit of the index, and where words are then.
type layer16 struct {
	bit int
	order16
}

func (n *NTT16) avx2Table() *table16 {
	t, r := &table16{NTT16: n}, int64(1)<<16%n.Q
	t.all(n.Q)
	t.all((1<<16/n.Q + 1) / 2) // 2^15/Q, rounded
	t.all(t.inverse())
	t.each(func(lane int) int64 { // the bytes of words 1, 0, 3, 2, … of 128 bits
		at := int64(2*lane^2) % 16
		return at | (at+1)<<8
	})
	t.constants(func(int) int64 { return r })
	t.ends()
	t.constants(func(int) int64 { return n.Zeta(64) })
	t.gammas(order16{0, []int{7, 6, 5, 4}, []int{3, 2, 1, 0}}, 1)
	for half := range 2 {
		high := order16{half << 7, []int{6, 5, 4}, []int{3, 2, 1, 0}}
		low := order16{half << 7, []int{3, 2, 1}, []int{6, 5, 4, 0}}
		t.layers(false, layer16{6, high}, layer16{5, high}, layer16{4, high}, layer16{3, low}, layer16{2, low}, layer16{1, low})
		t.layers(true, layer16{1, low}, layer16{2, low}, layer16{3, low}, layer16{4, high}, layer16{5, high}, layer16{6, high})
		t.gammas(low, 1)
	}
	return t
}

// avx512Table has at its end what products modulo 2^productBits need.
func (n *NTT16) avx512Table() *table16 {
	t, r := &table16{NTT16: n}, int64(1)<<16%n.Q
	t.all(n.Q)
	t.all((1<<16/n.Q + 1) / 2)
	t.each(func(lane int) int64 { return -t.inverse() * int64(1-lane&1) })
	t.all(t.inverse())
	natural := order16{0, []int{7, 6, 5}, []int{4, 3, 2, 1, 0}}
	three := layer16{3, order16{0, []int{4, 3, 5}, []int{6, 7, 2, 1, 0}}}
	two := layer16{2, order16{0, []int{4, 3, 2}, []int{6, 7, 5, 1, 0}}}
	one := layer16{1, order16{0, []int{1, 3, 2}, []int{6, 7, 5, 4, 0}}}
	t.layers(false, layer16{7, natural}, layer16{6, natural}, layer16{5, natural},
		layer16{4, order16{0, []int{4, 6, 5}, []int{7, 3, 2, 1, 0}}}, three, two, one)
	t.layers(true, one, two, three,
		layer16{4, order16{0, []int{4, 6, 5}, []int{3, 7, 2, 1, 0}}}, layer16{5, natural}, layer16{6, natural})
	t.ends()
	t.gammas(one.order16, 1)
	t.gammas(natural, r)
	t.constants(func(int) int64 { return r })
	t.all(1 << (16 - productBits))
	t.all(1 << productBits)
	last := n.Zeta(64) * n.Power((n.Q+1)/2, 16-productBits) % n.Q
	t.constants(func(int) int64 { return last })
	return t
}
