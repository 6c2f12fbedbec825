package kerneltest

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"residue/asm/internal/machine"
	"residue/asm/mont"
)

const montKernel = "mont-ifma512"

// eachMont runs a test for every shape, with room for so many numbers.
func eachMont(t *testing.T, numbers int, f func(t *testing.T, m *Mont)) {
	t.Helper()
	if routines(t, montKernel) == nil {
		t.Skip("no kernel " + montKernel)
	}
	for _, s := range mont.Shapes {
		t.Run(fmt.Sprintf("%dx%d", s.Vectors, s.Bits), func(t *testing.T) {
			m := NewMont(newLab(t, montKernel, MontBytes(s.Vectors, numbers)), s)
			f(t, m)
			aboutCPU(t, m.Lab)
		})
	}
}

// TestMontShapes: the product has the routines of every shape under that shape.
func TestMontShapes(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "mont", "kernel_ifma.go"))
	do(t, err)
	for _, s := range mont.Shapes {
		bits := "slackBits"
		if (&Mont{Shape: s}).Exact() {
			bits = "exactBits"
		}
		v := s.Vectors
		line := fmt.Sprintf("{vectorShape{%d, %s, %d}, ifma512Mul%d, ifma512Sqr%d, ifma512Gather%d},", v, bits, s.Digits, v, v, v)
		if !bytes.Contains(source, []byte(line)) {
			t.Errorf("no line %s", line)
		}
	}
	if n := bytes.Count(source, []byte("{vectorShape{")); n != len(mont.Shapes) {
		t.Errorf("%d shapes, want %d", n, len(mont.Shapes))
	}
}

// montCheck calls the routines of a Mont and compares what they do with math/big.
type montCheck struct {
	*Mont
	n       *big.Int
	x, y, z machine.Span
	litter  func() uint64
}

// montCheckNumbers is how many numbers a montCheck has.
const montCheckNumbers = 3

func newMontCheck(m *Mont, r *rand.Rand) *montCheck {
	return &montCheck{Mont: m, x: m.Number("x"), y: m.Number("y"), z: m.Number("z"), litter: r.Uint64}
}

func (c *montCheck) setModulus(n *big.Int) {
	c.n = n
	c.SetModulus(n)
}

// mul checks the product of numbers with the given digits, with z apart from both.
func (c *montCheck) mul(x, y []uint64) error {
	c.SetDigits(c.x, x, c.litter)
	c.SetDigits(c.y, y, c.litter)
	if err := c.Mul(c.z, c.x, c.y); err != nil {
		return err
	}
	return c.result("Mul", c.z, c.reduced(c.join(x), c.join(y)))
}

// sqr checks so many squarings, with z apart from x.
func (c *montCheck) sqr(x []uint64, times int) error {
	c.SetDigits(c.x, x, c.litter)
	if err := c.Sqr(c.z, c.x, times); err != nil {
		return err
	}
	return c.result(fmt.Sprintf("Sqr, %d times", times), c.z, squares(c.reduced, c.join(x), times))
}

// reduced is (x·y + Q·N)/R for the least Q that there is.
func (c *montCheck) reduced(x, y *big.Int) *big.Int {
	return montgomery(new(big.Int).Mul(x, y), c.n, c.Log2R())
}

// result is an error if z is not the number that is wanted, or not as good as the
// operands. A Q whose digits are not exact may be R more than the least one, and the
// result then N more than the one for that.
func (c *montCheck) result(what string, z machine.Span, want *big.Int) error {
	got := c.Big(z)
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s modulo %#x: %s", what, c.n, fmt.Sprintf(format, args...))
	}
	for i, d := range c.DigitsAt(z) {
		if d >= c.Limit() {
			return fail("digit %d is %#x, not below %#x", i, d, c.Limit())
		}
	}
	if got.Cmp(multiple(c.n, 2)) >= 0 {
		return fail("%#x is 2N or more", got)
	}
	difference := new(big.Int).Sub(got, want)
	if c.Exact() && difference.Sign() != 0 || difference.Mod(difference, c.n).Sign() != 0 {
		return fail("\n got %#x\nwant %#x", got, want)
	}
	return nil
}

// digitsBelow returns the digits of a number below a positive bound, random or
// extreme ones: as large as digits may be, too.
func (m *Mont) digitsBelow(r *rand.Rand, bound *big.Int) []uint64 {
	if r.IntN(3) == 0 {
		return m.split(below(r, bound))
	}
	ds := make([]uint64, m.Words())
	top := (bound.BitLen() - 1) / m.Bits
	beta := uint64(1) << m.Bits
	extreme := r.IntN(4)
	for i := range top + 1 {
		d := r.Uint64N(m.Limit())
		switch extreme {
		case 0:
			d = []uint64{0, 0, 1, beta - 2, beta - 1, beta - 1, m.Limit() - 1, d}[r.IntN(8)]
		case 1:
			d = m.Limit() - 1
		}
		ds[i] = d
	}
	for m.join(ds).Cmp(bound) >= 0 {
		if ds[top] == 0 {
			top--
		}
		ds[top] /= 2
	}
	return ds
}

// firstBound is what the first operand of a product must be below.
func (m *Mont) firstBound() *big.Int { return pow2(m.ModulusBits() + 1) }

// modulusOf returns an odd number of at most the length of moduli: as numbers.go has
// them, or with runs of ones and zeros.
func (m *Mont) modulusOf(r *rand.Rand) *big.Int {
	bits := m.ModulusBits()
	if r.IntN(3) > 0 {
		return modulus(r, bits)
	}
	n := new(big.Int)
	for range 1 + r.IntN(6) {
		n.Xor(n, minus(pow2(1+r.IntN(bits)), 1))
	}
	return n.SetBit(n, 0, 1)
}

// TestMont compares products and squares with math/big, on random and extreme
// operands.
func TestMont(t *testing.T) {
	eachMont(t, montCheckNumbers, func(t *testing.T, m *Mont) {
		r := rand.New(rand.NewPCG(84, uint64(m.Vectors)))
		c := newMontCheck(m, r)
		for range 4 + 120/m.Vectors {
			c.setModulus(m.modulusOf(r))
			twice := multiple(c.n, 2)
			x, y := m.digitsBelow(r, twice), m.digitsBelow(r, twice)
			do(t, c.mul(m.digitsBelow(r, m.firstBound()), y))
			do(t, c.sqr(x, 1))
			do(t, c.sqr(x, 3))
			do(t, inPlace(&c.Across, c.x, c.y, func() {
				c.SetDigits(c.x, x, c.litter)
				c.SetDigits(c.y, y, c.litter)
			}, c.reduced, c.join(x), c.join(y), c.result))
		}
	})
}

// TestMontBounds has the operands that are the largest and the smallest, with moduli
// that are.
func TestMontBounds(t *testing.T) {
	eachMont(t, montCheckNumbers, func(t *testing.T, m *Mont) {
		c := newMontCheck(m, rand.New(rand.NewPCG(85, uint64(m.Vectors))))
		bits := m.ModulusBits()
		for _, n := range []*big.Int{big.NewInt(1), big.NewInt(3), minus(pow2(bits), 1), minus(pow2(bits-1), -1), minus(pow2(bits/2), 1)} {
			c.setModulus(n)
			twice := multiple(n, 2)
			var numbers []*big.Int
			for _, v := range []*big.Int{new(big.Int), big.NewInt(1), minus(n, 1), n, minus(n, -1), minus(twice, 1)} {
				if v.Cmp(twice) < 0 {
					numbers = append(numbers, v)
				}
			}
			for _, x := range append(numbers, minus(m.firstBound(), 1)) {
				for _, y := range numbers {
					do(t, c.mul(m.split(x), m.split(y)))
				}
			}
			for _, x := range numbers {
				do(t, c.sqr(m.split(x), 1))
				do(t, c.sqr(m.split(x), 3))
			}
		}
	})
}

// TestMontGather reads every entry of tables.
func TestMontGather(t *testing.T) {
	const most = 64
	eachMont(t, most+1, func(t *testing.T, m *Mont) {
		checkGather(t, &m.Across, []int{1, 2, 4, 5, 16, 32, most})
	})
}
