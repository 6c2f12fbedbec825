package rowio

import (
	"math/big"
	"strings"
	"testing"
)

func TestParseHex(t *testing.T) {
	for _, tt := range []struct{ text, want, err string }{
		{"0", "0", ""},
		{"-0", "0", ""},
		{"000000000000000000000000", "0", ""},
		{"f", "f", ""},
		{"0xF", "f", ""},
		{"0Xf", "f", ""},
		{"-0xdeadBEEF", "-deadbeef", ""},
		{"0123456789abcdefABCDEF", "123456789abcdefabcdef", ""},
		{"10000000000000000", "10000000000000000", ""},
		{"", "", "empty"},
		{"-", "", "no hex digits"},
		{"0x", "", "no hex digits"},
		{"-0x", "", "no hex digits"},
		{"x1", "", "'x' at position 1"},
		{"0x0x1", "", "'x' at position 4"},
		{"--1", "", "'-' at position 2"},
		{"1-", "", "'-' at position 2"},
		{"+1", "", "'+' at position 1"},
		{"1_0", "", "'_' at position 2"},
		{"12 ", "", "' ' at position 3"},
		{"g", "", "'g' at position 1"},
		{"0x/", "", "'/' at position 3"},
		{"1:", "", "':' at position 2"},
		{"@", "", "'@' at position 1"},
		{"a`", "", "'`' at position 2"},
		{"1\x00", "", `'\x00' at position 2`},
		{"1é", "", "'é' at position 2"},
		{"1\xff", "", "at position 2"},
		{"\x19\x11", "", "at position 1"},
	} {
		z, err := ParseHex([]byte(tt.text))
		switch {
		case tt.err == "" && (err != nil || z.Text(16) != tt.want):
			t.Errorf("ParseHex(%q) = %v, %v, want %s", tt.text, z, err, tt.want)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("ParseHex(%q) = %v, %v, want an error with %q", tt.text, z, err, tt.err)
		}
	}
}

// TestEightDigits puts every byte in every place of a word.
func TestEightDigits(t *testing.T) {
	const digits = "0123456789abcdef"
	for c := range 256 {
		want := strings.IndexByte(digits, byte(c))
		if want < 0 {
			want = strings.IndexByte(strings.ToUpper(digits), byte(c))
		}
		for place := range 8 {
			for _, other := range "09afAF" {
				text := []byte(strings.Repeat(string(other), 8))
				text[place] = byte(c)
				v, wrong := eightDigits(text)
				if (wrong != 0) != (want < 0) {
					t.Fatalf("eightDigits(%q): wrong is %x", text, wrong)
				}
				if want >= 0 && int(v>>(28-4*place)&15) != want {
					t.Fatalf("eightDigits(%q) = %x", text, v)
				}
			}
		}
	}
}

func FuzzParseHex(f *testing.F) {
	for _, s := range []string{"0", "-1", "0xff", "10000000000000000", "", "-", "0x", "x", "\xff", "1_1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseHex([]byte(text))
		digits := strings.TrimPrefix(text, "-")
		if len(digits) > 1 && strings.EqualFold(digits[:2], "0x") {
			digits = digits[2:]
		}
		want, ok := new(big.Int), false
		if !strings.ContainsAny(digits, "+-_") {
			want, ok = want.SetString(digits, 16)
		}
		if ok != (err == nil) {
			t.Fatalf("ParseHex(%q) = %v, %v", text, got, err)
		}
		if !ok {
			return
		}
		if text[0] == '-' {
			want.Neg(want)
		}
		if got.Cmp(want) != 0 {
			t.Fatalf("ParseHex(%q) = %v, want %v", text, got, want)
		}
	})
}
