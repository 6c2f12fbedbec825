package pmns

import (
	"bytes"
	"encoding/json"
	"math/big"
	"testing"
)

// FuzzRead reads documents. What is accepted must be right in products of the largest
// elements, one after the other.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"modp1024", "ffdhe4096"} {
		b, err := json.Marshal(mustEmbedded(f, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	small, _ := json.Marshal(mustNew(f, big.NewInt(1<<40-87), nil))
	f.Add(small)
	f.Add([]byte(`{"p":"0x7","n":2,"lambda":2,"gamma":"0x3","w":16,"s":1,"rho":"0x10","m":["0x1","0x2"],"m_prime":["0x1","0x2"]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		set, err := Read(bytes.NewReader(b))
		if err != nil {
			return
		}
		s, err := kernelNamed["generic"].NewSystem(set, Truncated)
		if err != nil {
			return // there is no room for differences
		}
		x, y := s.NewElement(), s.NewElement()
		if err := s.SetPolynomial(x, set.Bounds()); err != nil {
			t.Fatal(err)
		}
		y.Set(x)
		v := s.bigValue(x)
		w := new(big.Int).Set(v)
		for range 3 {
			s.Mul(x, x, y, nil)
			v.Mul(v, w).Mod(v, set.P)
			wantElement(t, s, x, v, "a product")
		}
		s.SetBytes(x, b, nil)
		wantElement(t, s, x, new(big.Int).SetBytes(b), "SetBytes")
	})
}
