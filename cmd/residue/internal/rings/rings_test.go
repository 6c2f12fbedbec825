package rings

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"residue/negacyclic"
)

// schoolbook returns x·y modulo Xⁿ + 1 and q, in [0, q).
func schoolbook(x, y []int64, q int64) []int64 {
	n := len(x)
	sums := make([]big.Int, n)
	var t big.Int
	for i, a := range x {
		for j, b := range y {
			t.Mul(big.NewInt(a), big.NewInt(b))
			if i+j < n {
				sums[i+j].Add(&sums[i+j], &t)
			} else {
				sums[i+j-n].Sub(&sums[i+j-n], &t)
			}
		}
	}
	z := make([]int64, n)
	for i := range sums {
		z[i] = t.Mod(&sums[i], big.NewInt(q)).Int64()
	}
	return z
}

// TestMul multiplies in every ring by every method that takes it, on every kernel.
func TestMul(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fill := func(n int, f func() int64) []int64 {
		z := make([]int64, n)
		for i := range z {
			z[i] = f()
		}
		return z
	}
	any64 := func() int64 { return int64(r.Uint64()) }
	for _, ring := range []struct {
		q    int64
		n    int
		want []Method
	}{
		{3329, 256, []Method{NTT}},
		{8380417, 256, []Method{NTT}},
		{12289, 512, []Method{NTT}},
		{3, 4, []Method{NTT}},
		{7, 2, []Method{NTT}},
		{1<<31 - 1, 8, []Method{NTT}},
		{32749, 16, []Method{NTT}},
		{1 << 13, 256, []Method{Toom4, Karatsuba, Primes}},
		{1 << 14, 64, []Method{Toom4, Karatsuba, Primes}},
		{1 << 15, 64, []Method{Toom4, Karatsuba, Primes}},
		{1 << 16, 32, []Method{Toom4, Karatsuba, Primes}},
		{1 << 31, 64, []Method{Karatsuba}},
		{2, 2, []Method{Karatsuba, Primes}},
		{1 << 10, 512, []Method{Primes, Toom4, Karatsuba}},
		{1 << 29, 512, []Method{Toom4, Karatsuba}},
	} {
		var x, want [][]int64
		for _, f := range []func() int64{
			any64,
			func() int64 { return math.MinInt64 }, func() int64 { return math.MaxInt64 },
			func() int64 { return ring.q - 1 }, func() int64 { return -ring.q / 2 },
		} {
			x = append(x, fill(ring.n, f))
		}
		for i, a := range x {
			want = append(want, schoolbook(a, x[(i+1)%len(x)], ring.q))
		}
		for _, k := range negacyclic.Kernels() {
			var got []Method
			for _, method := range Methods {
				m, err := New(k, ring.q, ring.n, method)
				if err != nil {
					continue
				}
				what := fmt.Sprintf("%s, q = %d, n = %d, %s", k.Name(), ring.q, ring.n, method)
				if method == Auto {
					if m.Method != ring.want[0] {
						t.Errorf("%s is %s, want %s", what, m.Method, ring.want[0])
					}
				} else {
					got = append(got, method)
				}
				mul := m.Multiplier()
				z := make([]int64, ring.n)
				for i, a := range x {
					b := x[(i+1)%len(x)]
					if mul.Mul(z, a, b); !slices.Equal(z, want[i]) {
						t.Fatalf("%s: %d, want %d", what, z, want[i])
					}
					same := slices.Clone(a)
					if mul.Mul(same, same, b); !slices.Equal(same, want[i]) {
						t.Fatalf("%s: in place differs", what)
					}
				}
			}
			slices.Sort(got)
			if want := slices.Sorted(slices.Values(ring.want)); !slices.Equal(got, want) {
				t.Errorf("q = %d, n = %d: methods %v, want %v", ring.q, ring.n, got, want)
			}
		}
	}
}

// TestWords checks in words of how many bits rings are.
func TestWords(t *testing.T) {
	for _, tt := range []struct {
		q      int64
		method Method
		want   int
	}{
		{3329, NTT, 16},
		{32749, NTT, 16},
		{32771, NTT, 32},
		{1 << 13, Toom4, 16},
		{1 << 14, Toom4, 32},
		{1 << 15, Karatsuba, 16},
		{1 << 16, Karatsuba, 32},
		{1 << 10, Primes, 32},
	} {
		r, err := New(negacyclic.Kernels()[0], tt.q, 16, tt.method)
		if err != nil || r.Bits != tt.want {
			t.Errorf("q = %d, %s: %v, %v, want words of %d bits", tt.q, tt.method, r, err, tt.want)
		}
	}
}

func TestNo(t *testing.T) {
	k, err := negacyclic.Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		q      int64
		n      int
		method Method
		want   string
	}{
		{1, 256, Auto, "q is 1, want an odd prime"},
		{-8, 256, Auto, "q is -8, want an odd prime"},
		{3327, 256, Auto, "q is 3327, want an odd prime below 2^31 or a power of two from 2 to 2^31"},
		{1<<31 + 11, 256, Auto, "want an odd prime below 2^31"},
		{1 << 32, 256, Auto, "want an odd prime below 2^31 or a power of two from 2 to 2^31"},
		{1 << 13, 256, NTT, "q is 8192, want an odd prime below 2^31 for ntt"},
		{3329, 256, Toom4, "q is 3329, want a power of two from 2 to 2^31 for toom4"},
		{3329, 255, Auto, "n is 255"},
		{3329, 0, Auto, "n is 0"},
		{1 << 13, 1 << 17, Auto, "n is 131072"},
		{1 << 31, 256, Toom4, "k is 31"},
		{1 << 31, 256, Primes, "no primes for"},
	} {
		if _, err := New(k, tt.q, tt.n, tt.method); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("q = %d, n = %d, %s: %v, want %s", tt.q, tt.n, tt.method, err, tt.want)
		}
	}
	if _, err := ParseMethod("fft"); err == nil || err.Error() != `unknown method "fft" (known: auto, ntt, toom4, karatsuba, primes)` {
		t.Error(err)
	}
	if _, err := Lookup("rsa"); err == nil || !strings.Contains(err.Error(), "known: ml-kem, kyber, ml-dsa, ") {
		t.Error(err)
	}
}

// TestNames checks that every name is one ring's, and that there is that ring.
func TestNames(t *testing.T) {
	k, err := negacyclic.Default()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, named := range List {
		for _, name := range named.Names {
			if got, err := Lookup(strings.ToUpper(name)); err != nil || got.Q != named.Q || got.N != named.N || seen[name] {
				t.Errorf("%s: %v, %v", name, got, err)
			}
			seen[name] = true
		}
		if _, err := New(k, named.Q, named.N, Auto); err != nil {
			t.Error(err)
		}
	}
}

// TestCentre goes through all residues.
func TestCentre(t *testing.T) {
	for _, q := range []int64{2, 3, 8, 17, 1 << 13, 3329} {
		var z []int64
		for v := range q {
			z = append(z, v)
		}
		Centre(z, q)
		for v, c := range z {
			if 2*c < -q || 2*c >= q || (c-int64(v))%q != 0 {
				t.Fatal(fmt.Sprint("q = ", q, ": ", v, " became ", c))
			}
		}
	}
}
