package rowio

import (
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
	const perWord = bits.UintSize / 4
	words := make([]big.Word, (len(digits)+perWord-1)/perWord)
	bad := 0
	for i := range words {
		end := len(digits) - i*perWord
		var w big.Word
		for _, c := range digits[max(0, end-perWord):end] {
			v, wrong := nibble(c)
			w = w<<4 | big.Word(v)
			bad |= wrong
		}
		words[i] = w
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

// nibble returns the value of a hex digit, and a number other than 0 if c is none.
func nibble(c byte) (v, wrong int) {
	digit := int(c) - '0'
	letter := int(c|0x20) - 'a'
	isDigit := ^((digit | (9 - digit)) >> (bits.UintSize - 1))
	isLetter := ^((letter | (5 - letter)) >> (bits.UintSize - 1))
	return digit&isDigit | (letter+10)&isLetter, ^(isDigit | isLetter)
}

// notHex is the error for the first character at or after from that is not a hex
// digit.
func notHex(text []byte, from int) error {
	for i, r := range string(text[from:]) {
		if r > 0x7f {
			return fmt.Errorf("not hex: character %q at position %d", r, from+i+1)
		}
		if _, wrong := nibble(byte(r)); wrong != 0 {
			return fmt.Errorf("not hex: character %q at position %d", r, from+i+1)
		}
	}
	panic("rowio: notHex of hex")
}

// AppendHex appends x ≥ 0 in lower-case hex without leading zeros.
func AppendHex(dst []byte, x *big.Int) []byte { return x.Append(dst, 16) }
