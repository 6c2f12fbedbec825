package rowio

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// ParseCoefficients returns the integers in text, with blanks or commas between them, and
// brackets around all if there are any: what JSON and CSV have in common.
func ParseCoefficients(text []byte) ([]int64, error) {
	p := intParser{text: text}
	p.blanks()
	brackets := p.skip('[')
	z := make([]int64, 0, 1+max(bytes.Count(text, []byte(",")), bytes.Count(text, []byte(" "))))
	for {
		p.blanks()
		if p.pos == len(text) || text[p.pos] == ']' {
			break
		}
		v, err := p.integer()
		if err != nil {
			return nil, fmt.Errorf("the coefficient of X^%d is %w", len(z), err)
		}
		z = append(z, v)
		p.blanks()
		p.skip(',')
	}
	if brackets != p.skip(']') {
		return nil, errBrackets
	}
	p.blanks()
	if p.pos < len(text) {
		return nil, errBrackets
	}
	return z, nil
}

var (
	errBrackets   = errors.New("the brackets around the coefficients do not match")
	errNotInteger = errors.New("not an integer")
	errRange      = fmt.Errorf("out of the range from %d to %d", int64(math.MinInt64), int64(math.MaxInt64))
)

// intParser walks over integers in decimal.
type intParser struct {
	text []byte
	pos  int
}

// blanks moves past blanks.
func (p *intParser) blanks() {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t') {
		p.pos++
	}
}

// skip moves past a character if it is next, and reports whether it was.
func (p *intParser) skip(c byte) bool {
	if p.pos == len(p.text) || p.text[p.pos] != c {
		return false
	}
	p.pos++
	return true
}

// integer returns the next integer. An error does not repeat it: it may be secret.
func (p *intParser) integer() (int64, error) {
	negative := p.skip('-')
	start, v := p.pos, uint64(0)
	for ; p.pos < len(p.text); p.pos++ {
		d := p.text[p.pos] - '0'
		if d > 9 {
			break
		}
		if v > (math.MaxUint64-9)/10 {
			return 0, errRange
		}
		v = 10*v + uint64(d)
	}
	if p.pos == start || p.pos < len(p.text) && !endsInteger(p.text[p.pos]) {
		return 0, errNotInteger
	}
	if negative {
		if v > 1<<63 {
			return 0, errRange
		}
		return -int64(v), nil
	}
	if v > math.MaxInt64 {
		return 0, errRange
	}
	return int64(v), nil
}

// endsInteger tells what may follow an integer.
func endsInteger(c byte) bool { return c == ' ' || c == '\t' || c == ',' || c == ']' }

// ParseModulus returns the modulus of a ring that text writes: a number in decimal, or a
// power of two as 2^13. It is 2 or more; whether there is a ring with it is not looked at.
func ParseModulus(text []byte) (int64, error) {
	s := string(text)
	if len(s) > 2 && s[:2] == "2^" {
		k, err := strconv.ParseUint(s[2:], 10, 8)
		if err != nil || k > 62 {
			return 0, fmt.Errorf("%q is not a power of two, as 2^13 is", s)
		}
		return 1 << k, nil
	}
	q, err := strconv.ParseInt(s, 10, 64)
	if err != nil || q < 2 {
		return 0, fmt.Errorf("%q is neither a number from 2 on, in decimal, nor a power of two, as 2^13 is", s)
	}
	return q, nil
}
