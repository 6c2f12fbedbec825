package rowio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
)

var (
	errEmpty    = errors.New("empty, want a number in hex")
	errNoDigits = errors.New("no hex digits")
)

// ParseHex returns the number that text writes in hex: an optional minus sign, an
// optional 0x, and digits of either case. Errors do not repeat the digits, which
// may be secret, but for the one that is wrong.
//
// The time to parse digits depends on how many there are, not on what they are.
func ParseHex(text []byte) (*big.Int, error) {
	if len(text) == 0 {
		return nil, errEmpty
	}
	digits, negative := text, false
	if digits[0] == '-' {
		digits, negative = digits[1:], true
	}
	if len(digits) >= 2 && digits[0] == '0' && digits[1]|0x20 == 'x' {
		digits = digits[2:]
	}
	if len(digits) == 0 {
		return nil, errNoDigits
	}
	words := make([]big.Word, (len(digits)*4+bits.UintSize-1)/bits.UintSize)
	bad := uint64(0)
	for i, end := 0, len(digits); end > 0; i, end = i+32, end-8 {
		v, wrong := eightDigits(digits[:end])
		words[i/bits.UintSize] |= big.Word(v) << (i % bits.UintSize)
		bad |= wrong
	}
	if bad != 0 {
		return nil, notHex(text, len(text)-len(digits))
	}
	z := new(big.Int).SetBits(words)
	if negative {
		z.Neg(z)
	}
	return z, nil
}

// eightDigits returns the value of the last eight digits, or of all if there are
// fewer, and a number other than 0 if one of them is not a hex digit. It works on
// a digit in each byte of a word.
func eightDigits(digits []byte) (v uint32, wrong uint64) {
	const ones = 0x0101010101010101
	var x uint64
	if n := len(digits); n >= 8 {
		x = binary.BigEndian.Uint64(digits[n-8:])
	} else {
		padded := [8]byte{'0', '0', '0', '0', '0', '0', '0', '0'}
		copy(padded[8-n:], digits)
		x = binary.BigEndian.Uint64(padded[:])
	}
	letter := x >> 6 & ones     // 1 for @ to o and more, 0 for 0 to 9 and more
	d := x&(15*ones) + 9*letter // the digits' values, at most 24
	text := '0'*ones + d + letter*('a'-10-'0')
	wrong = text ^ (x | letter<<5)       // the digits that have these values are not these
	wrong |= d >> 4 & ones               // values above 15, and
	wrong |= (d+6*ones)>>4&ones ^ letter // digits above 9 and letters below 10

	d = (d | d>>4) & 0x00ff00ff00ff00ff
	d = (d | d>>8) & 0x0000ffff0000ffff
	return uint32(d | d>>16), wrong
}

// notHex is the error for the first character at or after from that is not a hex
// digit.
func notHex(text []byte, from int) error {
	isHex := func(r rune) bool {
		return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
	}
	for i, r := range string(text[from:]) {
		if !isHex(r) {
			return fmt.Errorf("not hex: character %q at position %d", r, from+i+1)
		}
	}
	panic("rowio: notHex of hex")
}

// AppendHex appends x ≥ 0 in lower-case hex without leading zeros.
func AppendHex(dst []byte, x *big.Int) []byte { return x.Append(dst, 16) }
