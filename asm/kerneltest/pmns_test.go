package kerneltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"residue/asm/internal/machine"
	"residue/asm/pmns"
)

const pmnsKernel = "pmns-ifma512"

// pmnsForms are the forms of products.
var pmnsForms = []string{"", "Full", "Karatsuba"}

// eachPMNS runs a test for every set and form, with room for so many polynomials.
func eachPMNS(t *testing.T, polynomials int, f func(t *testing.T, p *PMNS)) {
	t.Helper()
	if routines(t, pmnsKernel) == nil {
		t.Skip("no kernel " + pmnsKernel)
	}
	for _, s := range pmns.Sets {
		for _, form := range pmnsForms {
			p := NewPMNS(newLab(t, pmnsKernel, PMNSBytes(s, polynomials)), s, form)
			if !p.Has() {
				continue
			}
			t.Run(fmt.Sprintf("%dx%d%s", s.Coefficients, s.Words, form), func(t *testing.T) {
				f(t, p)
				aboutCPU(t, p.Lab)
			})
		}
	}
}

// TestPMNSSets: the product has the routines of every set under that set and form, and
// they can be called.
func TestPMNSSets(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "pmns", "kernel_ifma.go"))
	do(t, err)
	eachPMNS(t, 3, func(t *testing.T, p *PMNS) {
		n, s, form, sqr := p.Shape.Coefficients, p.Shape.Words, p.Form, p.routine("Sqr")
		switch form {
		case "":
			form = "Truncated"
		case "Full":
			sqr = "nil"
		}
		line := fmt.Sprintf("{shape{%d, %d}, %s, %s, %s, %s},", n, s, form, p.routine("Mul"+p.Form), sqr, p.routine("Gather"))
		if !bytes.Contains(source, []byte(line)) {
			t.Errorf("no line %s", line)
		}
		do(t, p.Operation("mulmont", 2)())
	})
}

// productSet is one of the sets of parameters that residue/pmns ships.
type productSet struct {
	shape    pmns.Set
	p, gamma *big.Int
	m        Polynomial
}

// productSets returns one for every set that there are kernels for.
func productSets(t *testing.T) (sets []productSet) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "pmns", "sets", "*.json"))
	do(t, err)
	number := func(s string) *big.Int {
		v, ok := new(big.Int).SetString(s, 0)
		if !ok {
			t.Fatalf("%q is not a number", s)
		}
		return v
	}
	found := map[pmns.Set]bool{}
	for _, name := range names {
		var d struct {
			P, Gamma string
			N, S, W  int
			Lambda   int64
			M        []string
		}
		b, err := os.ReadFile(name)
		do(t, err)
		do(t, json.Unmarshal(b, &d))
		set := productSet{pmns.Set{Coefficients: d.N, Words: d.S}, number(d.P), number(d.Gamma), nil}
		if d.W != digitBits || d.Lambda != 2 || found[set.shape] || !slices.Contains(pmns.Sets, set.shape) {
			continue
		}
		found[set.shape] = true
		for _, s := range d.M {
			set.m = append(set.m, number(s))
		}
		if e := new(big.Int).Exp(set.gamma, big.NewInt(int64(d.N)), set.p); e.Cmp(big.NewInt(d.Lambda)) != 0 || set.m.at(set.gamma, set.p).Sign() != 0 {
			t.Errorf("%s: γ is not a root of E and of M", filepath.Base(name))
		}
		sets = append(sets, set)
	}
	for _, s := range pmns.Sets {
		if !found[s] {
			t.Errorf("no set of the product for the kernel of %d coefficients of %d words", s.Coefficients, s.Words)
		}
	}
	return sets
}

// pmnsModulus is M and M′, with what the kernel's contract and the bounds of residue/pmns
// say of operands.
type pmnsModulus struct {
	Ring
	m, inverse Polynomial
	rho        *big.Int // bounds the coefficients of elements: ρ·θ^−k for θⁿ = 2
}

// newModulus returns M with a bound for elements that φ ≥ 4·n·N is enough for, where N
// is the largest N_k·θ^k and N_k the coefficients of M·(1 + X + … + X^(n−1)): ρ = 2N.
func (r Ring) newModulus(m Polynomial) *pmnsModulus {
	n := new(big.Int)
	for k, v := range r.mul(m, r.each(func(int) *big.Int { return big.NewInt(1) })) {
		// N_k·θ^k = 2·N_k·θ^−(n−k), rounded up.
		v = overTheta(multiple(v, 2), r.n-k, r.n)
		v.Add(v, new(big.Int).Rsh(v, 40)).Add(v, big.NewInt(3))
		if v.Cmp(n) > 0 {
			n = v
		}
	}
	if multiple(n, int64(4*r.n)).Cmp(pow2(r.bits)) > 0 {
		panic("kerneltest: φ < 4nN")
	}
	return &pmnsModulus{r, m, r.negativeInverse(m), multiple(n, 2)}
}

// overTheta returns v·θ^−k for θⁿ = 2, rounded down.
func overTheta(v *big.Int, k, n int) *big.Int {
	const precision = 50
	scale := int64(math.Exp2(precision-float64(k)/float64(n))) - 1
	return new(big.Int).Rsh(multiple(v, scale), precision)
}

// bound is what coefficient k of an element is at most.
func (m *pmnsModulus) bound(k int) *big.Int {
	if k == 0 {
		return m.rho
	}
	return overTheta(m.rho, k, m.n)
}

// element returns an element: random, or with coefficients that are the largest.
func (m *pmnsModulus) element(r *rand.Rand) Polynomial {
	largest := r.IntN(3) == 0
	return m.each(func(k int) *big.Int {
		if largest {
			return m.bound(k)
		}
		return below(r, minus(m.bound(k), -1))
	})
}

// atBound returns the element whose coefficients are as large as they may be, less d.
func (m *pmnsModulus) atBound(d int64) Polynomial {
	return m.each(func(k int) *big.Int { return minus(m.bound(k), d) })
}

// reduced is what the product of x and y has to be.
func (m *pmnsModulus) reduced(x, y Polynomial) Polynomial {
	return m.montgomery(m.mul(x, y), m.m, m.inverse)
}

// The contract: coefficients of x are below φ, twice those of y too, and the result's as
// well. N is at most φ/(4n), so if one of x and y has coefficients of at most φ/(4n), the
// result is below φ/2 + N, whatever the other is.

// short returns a polynomial with coefficients up to φ/(4n).
func (m *pmnsModulus) short(r *rand.Rand) Polynomial {
	b := new(big.Int).Quo(pow2(m.bits), big.NewInt(int64(4*m.n)))
	return m.each(func(int) *big.Int { return below(r, b) })
}

// long returns a polynomial with coefficients below 2^bits, which may be all ones.
func (m *pmnsModulus) long(r *rand.Rand, bits int) Polynomial {
	ones := r.IntN(3) == 0
	return m.each(func(int) *big.Int {
		if ones {
			return minus(pow2(bits), 1)
		}
		return below(r, pow2(bits))
	})
}

// squarable returns a polynomial whose square is below φ²/2, and four times itself below
// φ, which squares need: with coefficients below φ/(2·√n), or with one below φ/4.
func (m *pmnsModulus) squarable(r *rand.Rand) Polynomial {
	if r.IntN(2) == 0 {
		return m.monomial(below(r, pow2(m.bits-2)), r.IntN(m.n))
	}
	root := 1
	for root*root < m.n {
		root++
	}
	b := new(big.Int).Quo(pow2(m.bits-1), big.NewInt(int64(root)))
	largest := r.IntN(2) == 0
	return m.each(func(int) *big.Int {
		if largest {
			return minus(b, 1)
		}
		return below(r, b)
	})
}

// withOdd returns a polynomial whose first coefficient is odd.
func withOdd(m Polynomial) Polynomial {
	m[0] = new(big.Int).SetBit(m[0], 0, 1)
	return m
}

// pmnsModuli are polynomials M, random and extreme: of coefficients of at most φ/(16n²),
// so that 4·n·N ≤ φ, or a constant up to twice as large.
func pmnsModuli(r *rand.Rand, ring Ring, random int) (ms []*pmnsModulus) {
	n := int64(ring.n)
	limit := new(big.Int).Quo(pow2(ring.bits), big.NewInt(16*n*n))
	words := (limit.BitLen() - 1) / digitBits * digitBits
	one := big.NewInt(1)
	for _, m := range []Polynomial{
		ring.constant(one), // M′ and Q have no word that is not ones if C has none but zeros
		ring.constant(minus(new(big.Int).Quo(pow2(ring.bits), big.NewInt(8*n)), 3)),
		ring.each(func(int) *big.Int { return one }),
		ring.each(func(int) *big.Int { return minus(limit, 1) }),
		ring.each(func(int) *big.Int { return minus(pow2(words), 1) }),
		ring.each(func(int) *big.Int { return ring.wordsOf(1) }),
		ring.each(func(i int) *big.Int { return pow2(i * words / ring.n) }),
	} {
		ms = append(ms, ring.newModulus(withOdd(m)))
	}
	for range random {
		ms = append(ms, ring.newModulus(withOdd(ring.each(func(int) *big.Int { return below(r, limit) }))))
	}
	return ms
}

// wordsOf returns a number below φ whose words all have a value.
func (r Ring) wordsOf(v int64) *big.Int {
	words := minus(pow2(r.bits), 1)
	words.Quo(words, minus(pow2(digitBits), 1))
	return words.Mul(words, big.NewInt(v))
}

// pmnsCase is operands: two of a product, or one of so many squares.
type pmnsCase struct {
	what    string
	modulus *pmnsModulus
	x, y    Polynomial
	squares int
}

// cases returns operands for a modulus, with so many random ones of each kind.
func (m *pmnsModulus) cases(r *rand.Rand, random int) (cases []pmnsCase) {
	product := func(what string, x, y Polynomial) { cases = append(cases, pmnsCase{what, m, x, y, 0}) }
	square := func(what string, x Polynomial, times int) { cases = append(cases, pmnsCase{what, m, x, nil, times}) }
	zero, one := m.constant(new(big.Int)), m.constant(big.NewInt(1))
	product("bounds", m.atBound(0), m.atBound(0))
	product("bounds less one", m.atBound(1), m.atBound(1))
	product("zero", zero, m.atBound(0))
	product("zero", m.atBound(0), zero)
	product("zero", zero, zero)
	product("one", one, m.atBound(0))
	square("bounds", m.atBound(0), 1)
	square("bounds, 3 times", m.atBound(0), 3)
	square("zero", zero, 3)
	square("one", one, 1)
	cases = append(cases, m.rounded(r)...)
	for range random {
		product("elements", m.element(r), m.element(r))
		product("any x", m.long(r, m.bits), m.short(r))
		product("any y", m.short(r), m.long(r, m.bits-1))
		square("elements", m.element(r), 1)
		square("elements, 3 times", m.element(r), 3)
		square("any x", m.squarable(r), 1)
		cases = append(cases, m.lowWords(r)...)
	}
	// Q is zero, and the result has any words.
	for range random {
		k := 2 + r.IntN(m.bits-2)
		x := m.each(func(int) *big.Int {
			v := m.runs(r)
			if r.IntN(2) == 0 {
				v = below(r, pow2(m.bits))
			}
			v.Rsh(v, uint(k+1))
			return v.Lsh(v, uint(k))
		})
		y := m.constant(pow2(m.bits - k))
		product("a result of any words", x, y)
		product("a result of any words", y, x)
	}
	return cases
}

// rounded returns operands that show terms of word s − 1 of C + Q·M. The word is rounded up
// to a multiple of 2^52, of which it lacks no more than was carried into it. So a term
// that is left out does not show if it is random, but only if it is 2^52 − 1, or a little
// less: a low half of such a word and 1, or a high half of two of them.
//
// With M = a·(1 + X + …) and x = v·(1 + X + …), Q is −v²/a times that. For v = a, all
// words of Q are ones if those of a are 1, or nearly; and if a is 2^k − 1, the lowest k
// bits of v²: so for v² = −7 modulo 2^k.
func (m *pmnsModulus) rounded(r *rand.Rand) (cases []pmnsCase) {
	ones := m.each(func(int) *big.Int { return minus(pow2(m.bits), 1) })
	low := m.withLow(withOdd(m.short(r)))
	cases = append(cases, low("Q of ones", m.negative(m.mulModulo(ones, m.m))))
	a := m.m[0]
	if !m.m.Equal(m.each(func(int) *big.Int { return a })) {
		return cases
	}
	squareOf := func(v *big.Int) {
		cases = append(cases, pmnsCase{"Q of ones, nearly", m, m.each(func(int) *big.Int { return v }), nil, 1})
	}
	squareOf(a)
	if k := a.BitLen(); minus(pow2(k), 1).Cmp(a) == 0 && k > 3 {
		v, _ := squareRoot(minus(pow2(k), 7), k)
		squareOf(v)
	}
	return cases
}

// withLow returns a function that makes products with y whose C is c modulo φ.
func (m *pmnsModulus) withLow(y Polynomial) func(what string, c Polynomial) pmnsCase {
	inverse := m.negativeInverse(y)
	return func(what string, c Polynomial) pmnsCase {
		return pmnsCase{what, m, m.mulModulo(m.negative(c), inverse), y, 0}
	}
}

// lowWords returns products of which the low words of C, or those of Q, are runs of zeros
// and ones.
func (m *pmnsModulus) lowWords(r *rand.Rand) (cases []pmnsCase) {
	low := m.withLow(withOdd(m.short(r)))
	forQuotient := func(q Polynomial) Polynomial { return m.negative(m.mulModulo(q, m.m)) }
	runs := m.each(func(int) *big.Int { return m.runs(r) })
	alone := m.monomial(m.runs(r), r.IntN(m.n))
	cases = append(cases,
		low("C of runs", runs),
		low("Q of runs", forQuotient(runs)),
		low("C of runs in one coefficient", alone),
		low("Q of runs in one coefficient", forQuotient(alone)))
	// A square root of runs, as a coefficient.
	a := m.runs(r)
	a.Rsh(a, 3).Lsh(a, 3).Add(a, big.NewInt(1))
	if x, ok := squareRoot(a, m.bits); ok && x.BitLen() <= m.bits-2 {
		cases = append(cases, pmnsCase{"C of runs", m, m.monomial(x, r.IntN(m.n)), nil, 1})
	}
	return cases
}

// runs returns a number below φ of runs of ones and zeros, which often end with a word.
func (m *pmnsModulus) runs(r *rand.Rand) *big.Int {
	v := new(big.Int)
	for range r.IntN(5) {
		at := r.IntN(m.bits + 1)
		if r.IntN(3) > 0 {
			at -= at % digitBits
		}
		v.Xor(v, minus(pow2(at), 1))
	}
	if r.IntN(2) == 0 {
		v.Xor(v, minus(pow2(m.bits), 1))
	}
	return v
}

// pmnsCheck calls the routines of a PMNS and compares what they do with math/big.
type pmnsCheck struct {
	*PMNS
	modulus *pmnsModulus
	x, y, z machine.Span
	litter  func() uint64
}

// pmnsCheckPolynomials is how many polynomials a pmnsCheck has.
const pmnsCheckPolynomials = 3

func newPMNSCheck(p *PMNS, r *rand.Rand) *pmnsCheck {
	return &pmnsCheck{PMNS: p, x: p.Number("x"), y: p.Number("y"), z: p.Number("z"), litter: r.Uint64}
}

func (c *pmnsCheck) setModulus(m *pmnsModulus) {
	if m != c.modulus {
		c.modulus = m
		c.SetModulus(m.m, m.inverse)
	}
}

// want is what a case's result has to be.
func (tt *pmnsCase) want() Polynomial {
	if tt.squares > 0 {
		return squares(tt.modulus.reduced, tt.x, tt.squares)
	}
	return tt.modulus.reduced(tt.x, tt.y)
}

// check checks a case.
func (c *pmnsCheck) check(tt *pmnsCase, want Polynomial) error {
	c.setModulus(tt.modulus)
	c.SetPolynomial(c.x, tt.x, c.litter)
	run := func() error { return c.Sqr(c.z, c.x, tt.squares) }
	if tt.squares == 0 {
		c.SetPolynomial(c.y, tt.y, c.litter)
		run = func() error { return c.Mul(c.z, c.x, c.y) }
	}
	if err := run(); err != nil {
		return fmt.Errorf("%s: %w", tt.what, err)
	}
	return c.result(tt.what, c.z, want)
}

func (c *pmnsCheck) result(what string, z machine.Span, want Polynomial) error {
	if got := c.Polynomial(z); !got.Equal(want) {
		return fmt.Errorf("%s, modulo %#x:\n got %#x\nwant %#x", what, c.modulus.m, got, want)
	}
	return nil
}

// TestPMNS compares products and squares with math/big, on random and extreme operands.
func TestPMNS(t *testing.T) {
	eachPMNS(t, pmnsCheckPolynomials, func(t *testing.T, p *PMNS) {
		r := rand.New(rand.NewPCG(92, uint64(p.Words())))
		c := newPMNSCheck(p, r)
		for _, m := range pmnsModuli(r, p.Ring(), 3) {
			for _, tt := range m.cases(r, 2) {
				if tt.squares > 0 && p.Form != "" {
					continue // the routine that another form has too
				}
				do(t, c.check(&tt, tt.want()))
			}
			x, y := m.element(r), m.element(r)
			c.setModulus(m)
			do(t, inPlace(&c.Across, c.x, c.y, func() {
				c.SetPolynomial(c.x, x, c.litter)
				c.SetPolynomial(c.y, y, c.litter)
			}, m.reduced, x, y, c.result))
		}
	})
}

// TestPMNSBounds: results are within the bounds of elements if operands are, with φ as
// small as it may be for M.
func TestPMNSBounds(t *testing.T) {
	for _, s := range pmns.Sets {
		ring := (&PMNS{Shape: s}).Ring()
		r := rand.New(rand.NewPCG(93, uint64(s.Words)))
		for _, m := range pmnsModuli(r, ring, 1) {
			z := m.reduced(m.atBound(0), m.atBound(0))
			for k, v := range z {
				if v.Cmp(m.bound(k)) > 0 {
					t.Errorf("%v: coefficient %d is %#x, above %#x", s, k, v, m.bound(k))
				}
			}
		}
	}
}

// TestPMNSGather reads every entry of tables.
func TestPMNSGather(t *testing.T) {
	const most = 64
	eachPMNS(t, most+1, func(t *testing.T, p *PMNS) {
		if p.Form == "" {
			checkGather(t, &p.Across, []int{1, 2, 4, 5, 16, most})
		} else {
			checkGather(t, &p.Across, []int{1})
		}
	})
}

// TestPMNSSet: there is a set for every common length, and none beyond.
func TestPMNSSet(t *testing.T) {
	for bits, want := range map[int]pmns.Set{
		1024: {Coefficients: 7, Words: 3}, 2048: {Coefficients: 7, Words: 6}, 4096: {Coefficients: 8, Words: 10}, 8192: {Coefficients: 8, Words: 20},
	} {
		if got, ok := PMNSSet(bits); !ok || got != want {
			t.Errorf("%d bits: %v, %v, want %v", bits, got, ok, want)
		}
	}
	if s, ok := PMNSSet(16384); ok {
		t.Errorf("16384 bits: %v", s)
	}
}
