package rfcprimes

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// TestPrimes checks what the RFCs say of their primes: p and (p − 1)/2 are prime, 2 is a
// square, and there are 64 ones at both ends.
func TestPrimes(t *testing.T) {
	for _, p := range All {
		v := p.Value()
		if v.BitLen() != p.Bits || v.Bit(0) != 1 || v.Bit(1) != 1 || v.Bit(2) != 1 {
			t.Errorf("%s has %d bits and ends with %#x", p.Name, v.BitLen(), v.Bits()[0])
		}
		hex := fmt.Sprintf("%X", v)
		if ones := strings.Repeat("F", 16); !strings.HasPrefix(hex, ones) || !strings.HasSuffix(hex, ones) {
			t.Errorf("%s is %s", p.Name, hex)
		}
		if Named(p.Name).Cmp(v) != 0 {
			t.Errorf("%s is another one by its name", p.Name)
		}
		if testing.Short() && p.Bits > 2048 || p.Bits > 4096 {
			continue // some seconds each
		}
		if q := new(big.Int).Rsh(v, 1); !v.ProbablyPrime(0) || !q.ProbablyPrime(0) {
			t.Errorf("%s is not a safe prime", p.Name)
		}
	}
	if Named("modp1") != nil {
		t.Error("a prime without a definition")
	}
}

// TestText compares with the beginning and the end of primes as the RFCs print them.
func TestText(t *testing.T) {
	for name, text := range map[string][2]string{
		"modp1024":  {"FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD1", "49286651ECE65381FFFFFFFFFFFFFFFF"},
		"modp2048":  {"FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD1", "15728E5A8AACAA68FFFFFFFFFFFFFFFF"},
		"modp4096":  {"FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD1", "4DF435C934063199FFFFFFFFFFFFFFFF"},
		"ffdhe2048": {"FFFFFFFFFFFFFFFFADF85458A2BB4A9AAFDC5620273D3CF1", "886B423861285C97FFFFFFFFFFFFFFFF"},
		"ffdhe4096": {"FFFFFFFFFFFFFFFFADF85458A2BB4A9AAFDC5620273D3CF1", "C68A007E5E655F6AFFFFFFFFFFFFFFFF"},
	} {
		if hex := fmt.Sprintf("%X", Named(name)); !strings.HasPrefix(hex, text[0]) || !strings.HasSuffix(hex, text[1]) {
			t.Errorf("%s is %s", name, hex)
		}
	}
}
