package residue

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"residue/internal/testvectors"
)

// testCase is a line of cases.jsonl: one known fault of some library.
type testCase struct {
	ID       string
	Op       string
	Inputs   map[string]any
	Expected any
	Wrong    any
}

// caseOps are the operations that are exponentiations, or that exponentiations
// tell. Left out: what is below this package (montmul, sqr, modsub, pmns_mul,
// negacyclic_mul, mod_then_mod32, signed_barrett, compress, mlkem_coeff_check), what
// is above it (rsa_crt_fault, emsa_pkcs1v15_sha256, dh_public_check), and number theory
// that is not an exponentiation (modsqrt, jacobi, batch_gcd, is_prime,
// is_safe_prime).
var caseOps = map[string]func(t *testing.T, c *testCase){
	"modexp":           func(t *testing.T, c *testCase) { c.check(t, c.num("mod"), c.num("base"), c.num("exp")) },
	"fixedbase_exp":    func(t *testing.T, c *testCase) { c.check(t, c.num("mod"), c.num("base"), c.num("exp")) },
	"modinv":           func(t *testing.T, c *testCase) { c.check(t, c.num("n"), c.num("a"), big.NewInt(-1)) },
	"modsqr":           func(t *testing.T, c *testCase) { c.check(t, c.num("n"), c.num("a"), big.NewInt(2)) },
	"mod":              func(t *testing.T, c *testCase) { c.check(t, c.num("n"), c.num("x"), big.NewInt(1)) },
	"rsa_crt":          checkRSA,
	"modexp_bytes":     checkBytesCase,
	"modexp_batch":     checkBatchCase,
	"batch_inv":        checkBatchInverse,
	"modmul":           checkModMul,
	"multiexp":         checkMultiExp,
	"paillier_enc":     checkPaillier,
	"rsa_sign_bytes":   checkSign,
	"rsa_verify_bytes": checkVerify,
}

func TestCases(t *testing.T) {
	ran := map[string]int{}
	for line := range testvectors.Cases(t) {
		c := new(testCase)
		if err := json.Unmarshal(line, c); err != nil {
			t.Fatal(err)
		}
		if check := caseOps[c.Op]; check != nil {
			ran[c.Op]++
			t.Run(c.ID, func(t *testing.T) { check(t, c) })
		}
	}
	for op := range caseOps {
		if ran[op] == 0 {
			t.Errorf("no case of %s", op)
		}
	}
}

// caseErrors are the errors for the reasons in expected values.
var caseErrors = map[string]error{
	"ERR:zero-modulus":     ErrModulusZero,
	"ERR:negative-modulus": ErrModulusNegative,
	"ERR:not-invertible":   ErrNotInvertible,
}

// check checks every form of x^y mod m.
func (c *testCase) check(t *testing.T, m, x, y *big.Int) {
	t.Helper()
	want, wantErr := parseExpected(t, c.Expected)
	if wrong, ok := c.Wrong.(string); ok && want != nil && want.Cmp(parseHex(t, wrong)) == 0 {
		t.Error("the wrong answer would pass")
	}
	checkForms(t, m, x, y, want, wantErr)
}

func (c *testCase) num(name string) *big.Int {
	x, ok := new(big.Int).SetString(c.Inputs[name].(string), 16)
	if !ok {
		panic("not a hex number: " + name)
	}
	return x
}

func (c *testCase) nums(t *testing.T, name string) []*big.Int {
	var xs []*big.Int
	for _, s := range c.Inputs[name].([]any) {
		xs = append(xs, parseHex(t, s.(string)))
	}
	return xs
}

func parseHex(t *testing.T, s string) *big.Int {
	t.Helper()
	x, ok := new(big.Int).SetString(s, 16)
	if !ok {
		t.Fatalf("%q is not a hex number", s)
	}
	return x
}

func parseExpected(t *testing.T, v any) (*big.Int, error) {
	t.Helper()
	s := v.(string)
	if !strings.HasPrefix(s, "ERR:") {
		return parseHex(t, s), nil
	}
	err := caseErrors[s]
	if err == nil {
		t.Fatalf("no error stands for %s", s)
	}
	return nil, err
}

func parseBytes(t *testing.T, v any) []byte {
	t.Helper()
	b, err := hex.DecodeString(v.(string))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func checkBytesCase(t *testing.T, c *testCase) {
	m, err := NewModulus(parseBytes(t, c.Inputs["mod"]))
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, m.Size())
	if err := m.Exp(out, parseBytes(t, c.Inputs["base"]), parseBytes(t, c.Inputs["exp"])); err != nil {
		t.Fatal(err)
	}
	c.checkOut(t, out)
}

// checkOut checks bytes, leading zeros included.
func (c *testCase) checkOut(t *testing.T, out []byte) {
	t.Helper()
	want := parseBytes(t, c.Expected)
	if c.Wrong != nil && bytes.Equal(want, parseBytes(t, c.Wrong)) {
		t.Error("the wrong answer would pass")
	}
	if !bytes.Equal(out, want) {
		t.Errorf("got %x, want %x", out, want)
	}
}

func checkBatchCase(t *testing.T, c *testCase) {
	c.checkBatch(t, c.nums(t, "mod"), c.nums(t, "base"), c.nums(t, "exp"))
}

func checkBatchInverse(t *testing.T, c *testCase) {
	as := c.nums(t, "a")
	ms, ys := make([]*big.Int, len(as)), make([]*big.Int, len(as))
	for i := range as {
		ms[i], ys[i] = c.num("n"), big.NewInt(-1)
	}
	c.checkBatch(t, ms, as, ys)
}

// checkBatch checks rows together and one by one.
func (c *testCase) checkBatch(t *testing.T, ms, xs, ys []*big.Int) {
	expected := c.Expected.([]any)
	for name, exp := range map[string]batchFunc{"ExpBatchBig": ExpBatchBig, "ExpBatchVartime": ExpBatchVartime} {
		zs, err := exp(t.Context(), ms, xs, ys)
		for i := range ms {
			want, wantErr := parseExpected(t, expected[i])
			if wrong, ok := c.Wrong.([]any); ok && want != nil && want.Cmp(parseHex(t, wrong[i].(string))) == 0 {
				t.Errorf("row %d: the wrong answer would pass", i)
			}
			checkRow(t, name, i, zs[i], err, want, wantErr)
		}
	}
	for i := range ms {
		want, wantErr := parseExpected(t, expected[i])
		checkForms(t, ms[i], xs[i], ys[i], want, wantErr)
	}
}

// checkModMul checks 4ab = (a + b)² − (a − b)².
func checkModMul(t *testing.T, c *testCase) {
	a, b, n := c.num("a"), c.num("b"), c.num("n")
	want := parseHex(t, c.Expected.(string))
	for _, f := range forms {
		if f.bytes {
			continue
		}
		sum, err1 := f.exp(n, new(big.Int).Add(a, b), big.NewInt(2))
		difference, err2 := f.exp(n, new(big.Int).Sub(a, b), big.NewInt(2))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		got := sum.Sub(sum, difference)
		got.Sub(got, new(big.Int).Lsh(want, 2))
		if got.Mod(got, n).Sign() != 0 {
			t.Errorf("%s: squares contradict the product", f.name)
		}
	}
}

func checkMultiExp(t *testing.T, c *testCase) {
	m, xs, ys := c.num("mod"), c.nums(t, "base"), c.nums(t, "exp")
	n, err := NewModulusBig(m)
	if err != nil {
		t.Fatal(err)
	}
	zs, err := n.ExpBatchBig(t.Context(), xs, ys)
	if err != nil {
		t.Fatal(err)
	}
	got := big.NewInt(1)
	for _, z := range zs {
		got.Mul(got, z).Mod(got, m)
	}
	if want := parseHex(t, c.Expected.(string)); got.Cmp(want) != 0 {
		t.Errorf("got %x, want %x", got, want)
	}
}

// checkPaillier checks (1 + mn)·r^n mod n².
func checkPaillier(t *testing.T, c *testCase) {
	n, m, r := c.num("n"), c.num("m"), c.num("r")
	nn := new(big.Int).Mul(n, n)
	if c.Expected == "ERR:bad-randomness" {
		checkForms(t, nn, r, big.NewInt(-1), nil, ErrNotInvertible)
		return
	}
	g := new(big.Int).Mul(m, n)
	g.Add(g, big.NewInt(1))
	want := parseHex(t, c.Expected.(string))
	for _, f := range forms {
		rn, err := f.exp(nn, r, n)
		if err != nil {
			t.Fatal(err)
		}
		gm, err := f.exp(nn, new(big.Int).Add(n, big.NewInt(1)), m)
		if err != nil {
			t.Fatal(err)
		}
		if gm.Cmp(new(big.Int).Mod(g, nn)) != 0 {
			t.Errorf("%s: (1 + n)^m = %x", f.name, gm)
		}
		got := rn.Mul(rn, gm)
		if got.Mod(got, nn).Cmp(want) != 0 {
			t.Errorf("%s: got %x, want %x", f.name, got, want)
		}
	}
}

// checkRSA checks signatures by exponentiation with d. What the signer must refuse
// before it comes to that is not for this package.
func checkRSA(t *testing.T, c *testCase) {
	if c.Expected == "ERR:message-out-of-range" {
		t.Skip("for the signer to refuse")
	}
	c.check(t, c.num("n"), c.num("m"), c.num("d"))
}

func checkSign(t *testing.T, c *testCase) {
	m, err := NewModulusBig(c.num("n"))
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, m.Size())
	if err := m.Exp(out, c.num("m").Bytes(), c.num("d").Bytes()); err != nil {
		t.Fatal(err)
	}
	c.checkOut(t, out)
	if c.Wrong != nil {
		short := parseBytes(t, c.Wrong)
		if err := m.Exp(make([]byte, len(short)), c.num("m").Bytes(), c.num("d").Bytes()); !errors.Is(err, ErrLength) {
			t.Errorf("a result of %d bytes: error %v, want %v", len(short), err, ErrLength)
		}
	}
}

// checkVerify checks the exponentiation, which is right in all cases: the length of
// the signature is for the verifier to check.
func checkVerify(t *testing.T, c *testCase) {
	m, err := NewModulusBig(c.num("n"))
	if err != nil {
		t.Fatal(err)
	}
	sig, out := parseBytes(t, c.Inputs["sig"]), make([]byte, m.Size())
	if err := m.Exp(out, sig, c.num("e").Bytes()); err != nil {
		t.Fatal(err)
	}
	accept := len(sig) == m.Size() && new(big.Int).SetBytes(out).Cmp(c.num("m")) == 0
	if accept != (c.Expected == "accept") {
		t.Errorf("accepted: %v, want %v", accept, c.Expected)
	}
}

// TestAWSLC checks the exponentiation vectors of AWS-LC.
func TestAWSLC(t *testing.T) {
	v := map[string]*big.Int{}
	n := 0
	for line := range testvectors.Lines(t, "vectors", "modexp", "aws-lc-mod_exp.txt") {
		name, value, ok := strings.Cut(string(line), " = ")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		v[name] = parseHex(t, strings.TrimSpace(value))
		if name == "M" { // the last line of each
			n++
			checkForms(t, v["M"], v["A"], v["E"], v["ModExp"], nil)
			clear(v)
		}
	}
	if n < 140 {
		t.Errorf("%d vectors, at least 140 expected", n)
	}
}
