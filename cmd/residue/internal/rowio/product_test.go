package rowio

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// product reads the one row of a text.
func product(t testing.TB, text string, shared SharedProduct) Product {
	t.Helper()
	rows, err := readAll(t, NewReader(strings.NewReader(text), Options{File: "f"}, shared))
	if err != nil || len(rows) != 1 {
		t.Fatalf("%q: %d rows, %v", text, len(rows), err)
	}
	return rows[0]
}

func TestProducts(t *testing.T) {
	const least, most = "-9223372036854775808", "9223372036854775807"
	ends := []int64{math.MinInt64, math.MaxInt64}
	b := []int64{7}
	for _, tt := range []struct {
		text   string
		shared SharedProduct
		want   Product
	}{
		{`{"a":[1, -2],"b":[0,-0],"q":3329,"n":2}`, SharedProduct{}, Product{A: []int64{1, -2}, B: []int64{0, 0}, Q: 3329, N: 2}},
		{`{"a":[` + least + `,` + most + `],"b":[],"q":"2^13","n":"512"}`, SharedProduct{}, Product{A: ends, B: []int64{}, Q: 8192, N: 512}},
		{`{"a":[1],"b":null,"q":null}`, SharedProduct{b, 17, 4}, Product{A: []int64{1}, B: b, Q: 17, N: 4}},
		{`{"a":[1],"b":[2],"q":5,"n":8}`, SharedProduct{b, 17, 4}, Product{A: []int64{1}, B: []int64{2}, Q: 5, N: 8}},
		{"a,b,q,n\n" + least + " " + most + ",\"[1, 2]\",2^3,2\n", SharedProduct{}, Product{A: ends, B: []int64{1, 2}, Q: 8, N: 2}},
		{"n,a\n, 3\t-4 \n", SharedProduct{b, 17, 4}, Product{A: []int64{3, -4}, B: b, Q: 17, N: 4}},
		{"b,a\n\"1,2\",3\n", SharedProduct{nil, 17, 4}, Product{A: []int64{3}, B: []int64{1, 2}, Q: 17, N: 4}},
	} {
		row := product(t, tt.text, tt.shared)
		if row.Err != nil || !slices.Equal(row.A, tt.want.A) || !slices.Equal(row.B, tt.want.B) || row.Q != tt.want.Q || row.N != tt.want.N {
			t.Errorf("%s: %+v, want %+v", tt.text, row, tt.want)
		}
	}
}

func TestBadProducts(t *testing.T) {
	shared := SharedProduct{Q: 17, N: 2}
	for text, want := range map[string]string{
		`{"b":[1]}`:                             `missing field "a"`,
		`{"a":[1]}`:                             `missing field "b", and --b is not given`,
		`{"a":"1 2","b":[1]}`:                   "a: want an array of integers",
		`{"a":1,"b":[1]}`:                       "a: want an array of integers",
		`{"a":[1,2.5],"b":[1]}`:                 "a: the coefficient of X^1 is not an integer",
		`{"a":[1e2],"b":[1]}`:                   "a: the coefficient of X^0 is not an integer",
		`{"a":[1],"b":["1"]}`:                   "b: the coefficient of X^0 is not an integer",
		`{"a":[1],"b":[[1]]}`:                   "b: the coefficient of X^0 is not an integer",
		`{"a":[1],"b":[3,null]}`:                "b: the coefficient of X^1 is not an integer",
		`{"a":[9223372036854775808],"b":[]}`:    "a: the coefficient of X^0 is out of the range from -9223372036854775808 to 9223372036854775807",
		`{"a":[0,-9223372036854775809],"b":[]}`: "a: the coefficient of X^1 is out of the range from -9223372036854775808 to 9223372036854775807",
		`{"a":[99999999999999999999],"b":[]}`:   "a: the coefficient of X^0 is out of the range from -9223372036854775808 to 9223372036854775807",
		`{"a":[1],"b":[1],"q":0}`:               `q: "0" is neither a number from 2 on, in decimal, nor a power of two, as 2^13 is`,
		`{"a":[1],"b":[1],"q":"2^63"}`:          `q: "2^63" is not a power of two, as 2^13 is`,
		`{"a":[1],"b":[1],"q":[1]}`:             `q: "[1]" is neither a number from 2 on, in decimal, nor a power of two, as 2^13 is`,
		`{"a":[1],"b":[1],"n":-1}`:              `n: "-1" is not a number of coefficients`,
		`{"a":[1],"b":[1],"n":2.0}`:             `n: "2.0" is not a number of coefficients`,
		`{"a":[1],"a":[1],"b":[1]}`:             `duplicate field "a"`,
		`{"a":[1,],"b":[1]}`:                    `not JSON: unexpected ']' at position 9`,
		`{"a":[NaN,2],"b":[1]}`:                 `not JSON: unexpected 'N' at position 7`,
		`{"a":[1,01],"b":[1]}`:                  `not JSON: unexpected '1' at position 10`,
		`{"a":[1 2],"b":[1]}`:                   `not JSON: unexpected '2' at position 9`,
		`{"a":[1,-,2],"b":[1]}`:                 `not JSON: unexpected ',' at position 10`,
		"a,b\n1 x,2\n":                          "a: the coefficient of X^1 is not an integer",
		"a,b\n1--2,2\n":                         "a: the coefficient of X^0 is not an integer",
		"a,b\n[1 2,2\n":                         "a: the brackets around the coefficients do not match",
		"a,b\n1 2],2\n":                         "a: the brackets around the coefficients do not match",
		"a,b\n[1] 2,2\n":                        "a: the brackets around the coefficients do not match",
	} {
		if row := product(t, text, shared); row.Err == nil || row.Err.Error() != want {
			t.Errorf("%s: %v, want %s", text, row.Err, want)
		}
	}
	for text, want := range map[string]string{
		"a,q\n":   `f:1: the CSV header has no column "b", and --b is not given`,
		"b,n\n":   `f:1: the CSV header has no column "a"`,
		"x,id\n":  "f:1: neither a JSON object nor a CSV header with the columns a and b",
		"a,b,a\n": `f:1: the CSV header has two columns "a"`,
	} {
		_, err := readAll(t, NewReader(strings.NewReader(text), Options{File: "f"}, shared))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	_, err := readAll(t, NewReader(strings.NewReader("a,b\n"), Options{File: "f"}, SharedProduct{}))
	if want := `f:1: the CSV header has no column "q", and --q or --ring is not given`; err == nil || err.Error() != want {
		t.Errorf("no ring: %v, want %s", err, want)
	}
}

// FuzzCoefficients compares the parser of coefficients with encoding/json and math/big, for
// texts that are arrays, and checks that others do not pass for longer lists than they are.
func FuzzCoefficients(f *testing.F) {
	for _, s := range []string{"[1,2]", "[ -3 , 4 ]", "1 2", "[", "[]", "", "[1", "1]", "[1,,2]", "[18446744073709551616]", "-", "[1.0]", "[null]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseCoefficients([]byte(text))
		if n := len(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,[]", r) })); err == nil && len(got) != n {
			t.Fatalf("%q: %d coefficients, want %d", text, len(got), n)
		}
		var list []*big.Int
		if json.Unmarshal([]byte(text), &list) != nil || strings.ContainsAny(text, "\r\n") {
			return
		}
		fit := !slices.ContainsFunc(list, func(x *big.Int) bool { return x == nil || !x.IsInt64() })
		if fit != (err == nil) && strings.Contains(text, "[") {
			t.Fatalf("%q: %v, want an error: %v", text, err, !fit)
		}
		for i := range got {
			if list[i].Int64() != got[i] {
				t.Fatalf("%q: %d, want %d", text, got, list)
			}
		}
	})
}

// TestCoefficientsWriter checks that others read what is written.
func TestCoefficientsWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SliceOf(rapid.Int64()).Draw(t, "c")
		var b bytes.Buffer
		w := NewWriter(&b, JSON, "c")
		check(t, w.Header(), w.Coefficients(&Head{}, c), w.Coefficients(&Head{ID: textID([]byte("x"))}, c), w.Flush())
		d := json.NewDecoder(&b)
		for _, id := range []string{"", "x"} {
			var got struct {
				ID string
				C  []int64
			}
			check(t, d.Decode(&got))
			if got.ID != id || !slices.Equal(got.C, c) {
				t.Fatalf("%+v, want %q and %d", got, id, c)
			}
		}
		b.Reset()
		w = NewWriter(&b, CSV, "c")
		check(t, w.Header(), w.Coefficients(&Head{}, c), w.Error(&Head{}, "wrong"), w.Flush())
		records, err := csv.NewReader(&b).ReadAll()
		check(t, err)
		if len(records) != 3 || !slices.Equal(records[0], []string{"id", "c", "error"}) || !slices.Equal(records[2], []string{"", "", "wrong"}) {
			t.Fatalf("%q", records)
		}
		back, err := ParseCoefficients([]byte(records[1][1]))
		check(t, err)
		if !slices.Equal(back, c) || !utf8.ValidString(records[1][1]) {
			t.Fatalf("%d, want %d", back, c)
		}
	})
}
