package pmns

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
)

// document is a set of parameters as JSON. Large numbers are hexadecimal strings with
// 0x in front.
type document struct {
	Name   string   `json:"name,omitempty"`
	P      string   `json:"p"`
	N      int      `json:"n"`
	Lambda int      `json:"lambda"`
	Gamma  string   `json:"gamma"`
	Width  int      `json:"w"`
	Words  int      `json:"s"`
	Rho    string   `json:"rho"`
	M      []string `json:"m"`
	MPrime []string `json:"m_prime"`
}

// MarshalJSON writes the parameters as a JSON object with the fields
//
//	name       optional
//	p          the modulus
//	n, lambda  E = X^n − λ
//	gamma      a root of E modulo p
//	w, s       φ = 2^(w·s): s words of w bits
//	rho        ρ: coefficient k of an element is at most ρ·λ^(−k/n)
//	m          M, n coefficients from the constant one up
//	m_prime    −1/M modulo E and φ, likewise
//
// in which p, gamma, rho and the coefficients are hexadecimal strings with 0x in front.
func (p *Params) MarshalJSON() ([]byte, error) {
	hex := func(v *big.Int) string { return fmt.Sprintf("%#x", v) }
	all := func(vs []*big.Int) []string {
		s := make([]string, len(vs))
		for i, v := range vs {
			s[i] = hex(v)
		}
		return s
	}
	return json.Marshal(document{
		p.Name, hex(p.P), p.N, p.Lambda, hex(p.Gamma), p.Width, p.Words, hex(p.Rho), all(p.M), all(p.MPrime),
	})
}

// UnmarshalJSON reads what MarshalJSON writes. It does not verify it: see [Read].
func (p *Params) UnmarshalJSON(b []byte) error {
	var d document
	if err := json.Unmarshal(b, &d); err != nil {
		return fmt.Errorf("pmns: %w", err)
	}
	var bad error
	number := func(field, s string) *big.Int {
		v, ok := new(big.Int).SetString(s, 0)
		if !ok && bad == nil {
			bad = fmt.Errorf("pmns: %s is %q, which is not a number", field, s)
		}
		return v
	}
	all := func(field string, ss []string) (vs []*big.Int) {
		for i, s := range ss {
			vs = append(vs, number(fmt.Sprintf("%s[%d]", field, i), s))
		}
		return vs
	}
	*p = Params{
		Name: d.Name, P: number("p", d.P), N: d.N, Lambda: d.Lambda, Gamma: number("gamma", d.Gamma),
		Width: d.Width, Words: d.Words, Rho: number("rho", d.Rho),
		M: all("m", d.M), MPrime: all("m_prime", d.MPrime),
	}
	return bad
}

// Read reads one set of parameters from r, as JSON, and verifies it.
func Read(r io.Reader) (*Params, error) {
	p := new(Params)
	if err := json.NewDecoder(r).Decode(p); err != nil {
		return nil, err
	}
	if err := p.Verify(); err != nil {
		return nil, err
	}
	return p, nil
}

// Write writes the parameters to w, as indented JSON.
func (p *Params) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(p)
}
