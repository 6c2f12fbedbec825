package negacyclic

import (
	"bytes"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"residue/internal/testvectors"
)

// fields returns the 256·count numbers of some bits that b begins with, lowest bits first.
func fields[W Word](b []byte, width, count int) []Poly[W] {
	z := make([]Poly[W], count)
	at := 0
	for i := range z {
		z[i] = make(Poly[W], 256)
		for j := range z[i] {
			for bit := range width {
				z[i][j] |= W(b[at/8]>>(at%8)&1) << bit
				at++
			}
		}
	}
	return z
}

// pack is the other way.
func pack[W Word](x []Poly[W], width int) []byte {
	b := make([]byte, len(x)*256*width/8)
	at := 0
	for _, p := range x {
		for _, v := range p {
			for bit := range width {
				b[at/8] |= byte(v>>bit&1) << (at % 8)
				at++
			}
		}
	}
	return b
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.TrimSpace(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// shake128 and shake256 return n bytes of the hash of the parts together.
func shake128(n int, parts ...[]byte) []byte { return sha3.SumSHAKE128(bytes.Join(parts, nil), n) }
func shake256(n int, parts ...[]byte) []byte { return sha3.SumSHAKE256(bytes.Join(parts, nil), n) }

// TestSaber computes public keys of Saber from secret ones: b = ((Aᵀs + 4) mod 2^13) >> 3.
func TestSaber(t *testing.T) {
	file := testvectors.Read(t, "vectors", "saber", "Saber_PQCkemKAT_2304_first10.rsp")
	var pks, sks [][]byte
	for line := range strings.SplitSeq(string(file), "\n") {
		if v, ok := strings.CutPrefix(line, "pk = "); ok {
			pks = append(pks, unhex(t, v))
		}
		if v, ok := strings.CutPrefix(line, "sk = "); ok {
			sks = append(sks, unhex(t, v))
		}
	}
	if len(pks) != 10 || len(sks) != 10 {
		t.Fatalf("%d public and %d secret keys", len(pks), len(sks))
	}
	for i := range pks {
		for _, k := range Kernels() {
			saberKey[int16](t, k, pks[i], sks[i])
			saberKey[int32](t, k, pks[i], sks[i])
		}
	}
}

// saberKey computes a public key by every way to multiply a matrix by a vector.
func saberKey[W Word](t *testing.T, k *Kernel, pk, sk []byte) {
	const l, secret = 3, 4
	a, s := fields[W](shake128(l*l*256*13/8, pk[len(pk)-32:]), 13, l*l), fields[W](sk, 13, l)
	at, z := make([]Poly[W], l*l), make([]Poly[W], l)
	for j := range l {
		z[j] = make(Poly[W], 256)
		for i := range l {
			at[i*l+j] = a[j*l+i]
		}
	}
	check := func(way string) {
		t.Helper()
		for _, p := range z {
			for i, v := range p {
				p[i] = (v + 4) & (1<<13 - 1) >> 3
			}
		}
		if !bytes.Equal(pack(z, 10), pk[:len(pk)-32]) {
			t.Errorf("%s, %d bits, %s: public key differs", k.Name(), wordBits[W](), way)
		}
	}
	for _, method := range []Method{Toom4, Karatsuba} {
		r, err := NewPowerOfTwoOn[W](k, 13, 256, method)
		if err != nil {
			t.Fatal(err)
		}
		es := make([]Evaluated[W], l)
		for j, x := range s {
			es[j] = make(Evaluated[W], r.EvaluatedLen())
			r.Evaluate(es[j], x)
		}
		r.MatVecPoly(z, at, es, make([]W, r.MatVecScratch()))
		check(method.String())
	}
	r, err := NewByPrimesOn[W](k, 13, 256, l, secret)
	if err != nil {
		t.Fatal(err)
	}
	fs := make([]Factor[W], l)
	for j := range fs {
		fs[j] = make(Factor[W], r.FactorLen())
	}
	r.Factors(fs, s, make([]W, r.FactorScratch()))
	r.MatVecPoly(z, at, fs, make([]W, r.MatVecPolyScratch(l)))
	check("primes")
}

// acvp is a file of NIST's, prompts or expected results.
type acvp struct {
	TestGroups []struct {
		ParameterSet string
		Tests        []struct {
			TcID                    int
			D, Seed, Ek, Dk, Pk, Sk string
		}
	}
}

func readACVP(t *testing.T, name string) (a acvp) {
	if err := json.Unmarshal(testvectors.Read(t, "vectors", "mlkem-mldsa", name), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestMLKEM generates keys of FIPS 203 from seeds: t̂ = Â·ŝ + ê.
func TestMLKEM(t *testing.T) {
	in, out := readACVP(t, "ML-KEM-keyGen-FIPS203_prompt_first3.json"), readACVP(t, "ML-KEM-keyGen-FIPS203_expectedResults_first3.json")
	ran := 0
	for g, group := range in.TestGroups {
		k := map[string]int{"ML-KEM-512": 2, "ML-KEM-768": 3, "ML-KEM-1024": 4}[group.ParameterSet]
		for i, c := range group.Tests {
			want := out.TestGroups[g].Tests[i]
			mlkemKey[int16](t, k, unhex(t, c.D), unhex(t, want.Ek), unhex(t, want.Dk))
			mlkemKey[int32](t, k, unhex(t, c.D), unhex(t, want.Ek), unhex(t, want.Dk))
			ran++
		}
	}
	if ran != 9 {
		t.Errorf("%d keys", ran)
	}
}

func mlkemKey[W Word](t *testing.T, k int, d, ek, dk []byte) {
	r, err := NewPrime[W](3329, 256)
	if err != nil {
		t.Fatal(err)
	}
	seeds := sha3.Sum512(append(slices.Clone(d), byte(k)))
	rho, sigma := seeds[:32], seeds[32:]
	eta := 2
	if k == 2 {
		eta = 3
	}
	var a, z, e []NTT[W]
	var s []Factor[W]
	var packed []Poly[W]
	noise := func(nonce int) NTT[W] {
		b := fields[W](shake256(64*eta, sigma, []byte{byte(nonce)}), 1, 2*eta)
		bits := slices.Concat(b...)
		x := make(NTT[W], 256)
		for i := range x {
			for j := range eta {
				x[i] += bits[2*eta*i+j] - bits[2*eta*i+eta+j]
			}
		}
		r.Transform(x, Poly[W](x))
		return x
	}
	for i := range k {
		for j := range k {
			a = append(a, sampleNTT[W](rho, byte(j), byte(i)))
		}
		x := noise(i)
		s = append(s, make(Factor[W], r.FactorLen()))
		r.Factor(s[i], x)
		packed = append(packed, Poly[W](x))
		e = append(e, noise(k+i))
		z = append(z, make(NTT[W], 256))
	}
	if !bytes.Equal(pack(packed, 12), dk[:384*k]) {
		t.Errorf("k = %d: secret key differs", k)
	}
	r.MatVecNTT(z, a, s)
	for i := range z {
		r.Add(z[i], z[i], e[i])
		packed[i] = Poly[W](z[i])
	}
	if !bytes.Equal(append(pack(packed, 12), rho...), ek) {
		t.Errorf("k = %d: public key differs", k)
	}
}

// sampleNTT is algorithm 7 of FIPS 203.
func sampleNTT[W Word](rho []byte, j, i byte) (x NTT[W]) {
	b := shake128(2000, rho, []byte{j, i})
	for ; len(x) < 256; b = b[3:] {
		for _, v := range []int{int(b[0]) | int(b[1]&15)<<8, int(b[1]>>4) | int(b[2])<<4} {
			if v < 3329 && len(x) < 256 {
				x = append(x, W(v))
			}
		}
	}
	return x
}

// TestMLDSA generates the polynomial parts of keys of FIPS 204 from seeds: t = A·s₁ + s₂.
func TestMLDSA(t *testing.T) {
	in, out := readACVP(t, "ML-DSA-keyGen-FIPS204_prompt_first3.json"), readACVP(t, "ML-DSA-keyGen-FIPS204_expectedResults_first3.json")
	ran := 0
	for g, group := range in.TestGroups {
		p := map[string][3]int{"ML-DSA-44": {4, 4, 2}, "ML-DSA-65": {6, 5, 4}, "ML-DSA-87": {8, 7, 2}}[group.ParameterSet]
		for i, c := range group.Tests {
			want := out.TestGroups[g].Tests[i]
			mldsaKey(t, p[0], p[1], p[2], unhex(t, c.Seed), unhex(t, want.Pk), unhex(t, want.Sk))
			ran++
		}
	}
	if ran != 9 {
		t.Errorf("%d keys", ran)
	}
}

func mldsaKey(t *testing.T, k, l, eta int, seed, pk, sk []byte) {
	const q = 8380417
	r, err := NewPrime[int32](q, 256)
	if err != nil {
		t.Fatal(err)
	}
	h := shake256(128, seed, []byte{byte(k), byte(l)})
	rho, rho1 := h[:32], h[32:96]
	var a []NTT[int32]
	var s []Factor[int32]
	var z, high, low []Poly[int32]
	hat := make(NTT[int32], 256)
	for j := range l {
		r.Transform(hat, boundedPoly(eta, rho1, j))
		s = append(s, make(Factor[int32], r.FactorLen()))
		r.Factor(s[j], hat)
	}
	for i := range k {
		for j := range l {
			a = append(a, rejectNTT(rho, byte(j), byte(i)))
		}
		z = append(z, make(Poly[int32], 256))
		high, low = append(high, make(Poly[int32], 256)), append(low, make(Poly[int32], 256))
	}
	r.MatVec(z, a, s)
	for i := range z {
		for j, e := range boundedPoly(eta, rho1, l+i) {
			v := (z[i][j] + e + q) % q
			high[i][j] = (v + 1<<12 - 1) >> 13
			low[i][j] = 1<<12 - (v - high[i][j]<<13)
		}
	}
	if !bytes.Equal(append(slices.Clone(rho), pack(high, 10)...), pk) {
		t.Errorf("k = %d: public key differs", k)
	}
	if !bytes.HasSuffix(sk, pack(low, 13)) {
		t.Errorf("k = %d: the low parts in the secret key differ", k)
	}
}

// rejectNTT is algorithm 30 of FIPS 204.
func rejectNTT(rho []byte, s, r byte) (x NTT[int32]) {
	for b := shake128(2000, rho, []byte{s, r}); len(x) < 256; b = b[3:] {
		if v := int32(b[0]) | int32(b[1])<<8 | int32(b[2]&127)<<16; v < 8380417 {
			x = append(x, v)
		}
	}
	return x
}

// boundedPoly is algorithm 31 of FIPS 204.
func boundedPoly(eta int, rho []byte, nonce int) (x Poly[int32]) {
	for b := shake256(1000, rho, []byte{byte(nonce), byte(nonce >> 8)}); len(x) < 256; b = b[1:] {
		for _, v := range []byte{b[0] & 15, b[0] >> 4} {
			switch {
			case len(x) == 256:
			case eta == 2 && v < 15:
				x = append(x, 2-int32(v%5))
			case eta == 4 && v < 9:
				x = append(x, 4-int32(v))
			}
		}
	}
	return x
}
