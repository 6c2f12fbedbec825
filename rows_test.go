package residue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"residue/batch"
)

type batchFunc = func(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error)

// checkRow checks a row of the result of a batch.
func checkRow(t failer, name string, i int, got *big.Int, err error, want *big.Int, wantErr error) {
	t.Helper()
	reason := rowReason(err, i)
	switch {
	case !errors.Is(reason, wantErr):
		t.Errorf("%s: row %d: error %v, want %v", name, i, reason, wantErr)
	case wantErr != nil && got != nil:
		t.Errorf("%s: row %d failed, and is %x, not nil", name, i, got)
	case wantErr == nil && (got == nil || got.Cmp(want) != 0):
		t.Errorf("%s: row %d is %x, want %x", name, i, got, want)
	}
}

// randomBits returns a number of exactly the given number of bits.
func randomBits(r *rand.Rand, n int) *big.Int {
	if n == 0 {
		return new(big.Int)
	}
	x := big.NewInt(1)
	for x.BitLen() < n {
		k := min(64, n-x.BitLen())
		x.Lsh(x, uint(k)).Or(x, new(big.Int).SetUint64(r.Uint64()>>(64-k)))
	}
	return x
}

// mixedRows returns good and bad rows of every kind and of very different sizes, in
// random order.
func mixedRows(r *rand.Rand, n int) (ms, xs, ys []*big.Int, want []*big.Int, wantErr []error) {
	lengths := []int{0, 1, 2, 17, 63, 64, 65, 70, 128, 129, 200, 256, 500, 521}
	length := func() int { return lengths[r.IntN(len(lengths))] }
	large := new(big.Int).Lsh(big.NewInt(1), MaxBits)
	shared := randomBits(r, 256)
	for range n {
		m, x, y := randomBits(r, 1+length()), randomBits(r, length()), randomBits(r, length())
		switch r.IntN(8) {
		case 0:
			m.SetBit(m, 0, 1)
		case 1:
			m.Lsh(m, uint(r.IntN(100)))
		case 2:
			m = shared
		case 3:
			m = new(big.Int).Lsh(big.NewInt(1), uint(length()))
		}
		if r.IntN(4) == 0 {
			x = new(big.Int).Neg(x)
		}
		if r.IntN(4) == 0 {
			y = new(big.Int).Neg(y)
		}
		z, err := reference(m, x, y)
		switch r.IntN(30) {
		case 0:
			m, err = new(big.Int), ErrModulusZero
		case 1:
			m, err = new(big.Int).Neg(m), ErrModulusNegative
		case 2:
			m, err = large, ErrModulusTooLarge
		case 3:
			m, err = nil, ErrNil
		case 4:
			x, err = nil, ErrNil
		case 5:
			y, err = nil, ErrNil
		}
		ms, xs, ys, want, wantErr = append(ms, m), append(xs, x), append(ys, y), append(want, z), append(wantErr, err)
	}
	return ms, xs, ys, want, wantErr
}

func TestMixedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{0, 1, 2, 7, 8, 9, 17, 200} {
		ms, xs, ys, want, wantErr := mixedRows(r, n)
		for name, exp := range map[string]batchFunc{"ExpBatchBig": ExpBatchBig, "ExpBatchVartime": ExpBatchVartime} {
			zs, err := exp(t.Context(), ms, xs, ys)
			if len(zs) != n {
				t.Fatalf("%s: %d results for %d rows", name, len(zs), n)
			}
			for i := range zs {
				checkRow(t, name, i, zs[i], err, want[i], wantErr[i])
			}
			checkRowErrors(t, err, wantErr)
		}
	}
}

// checkRowErrors checks that an error names exactly the rows that should fail, in
// order.
func checkRowErrors(t *testing.T, err error, want []error) {
	t.Helper()
	rows, _ := err.(RowErrors)
	for i, reason := range want {
		if reason == nil {
			continue
		}
		if len(rows) == 0 || rows[0].Row != i || !strings.HasPrefix(rows[0].Error(), fmt.Sprintf("residue: row %d: ", i)) {
			t.Fatalf("row %d is not named where it should be", i)
		}
		rows = rows[1:]
	}
	if len(rows) > 0 {
		t.Errorf("row %d is named twice or should not be", rows[0].Row)
	}
}

func TestMixedRowsBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	const n = 60
	var outs, ms, xs, ys [][]byte
	var wantErr []error
	want := make([]*big.Int, n)
	for i := range n {
		m, x, y := randomBits(r, r.IntN(300)), randomBits(r, r.IntN(400)), randomBits(r, r.IntN(90))
		ms, xs, ys = append(ms, padded(m, r.IntN(4))), append(xs, padded(x, r.IntN(4))), append(ys, padded(y, r.IntN(4)))
		out, err := make([]byte, len(ms[i])), error(nil)
		switch {
		case m.Sign() == 0:
			err = ErrModulusZero
		case r.IntN(10) == 0:
			out, err = make([]byte, len(out)+1), ErrLength
		case r.IntN(10) == 0:
			out, err = out[1:], ErrLength
		case r.IntN(10) == 0:
			ms[i], out, err = make([]byte, MaxBits/8+1), make([]byte, MaxBits/8+1), ErrModulusTooLarge
		default:
			want[i] = x.Exp(x, y, m)
		}
		for k := range out {
			out[k] = 0xee
		}
		outs, wantErr = append(outs, out), append(wantErr, err)
	}
	err := ExpBatch(t.Context(), outs, ms, xs, ys)
	checkRowErrors(t, err, wantErr)
	for i := range n {
		var got *big.Int
		if wantErr[i] == nil {
			got = new(big.Int).SetBytes(outs[i])
		} else if bytes.Count(outs[i], []byte{0xee}) != len(outs[i]) {
			t.Errorf("row %d failed, and its out was written", i)
		}
		checkRow(t, "ExpBatch", i, got, err, want[i], wantErr[i])
	}
}

func TestColumns(t *testing.T) {
	one := []*big.Int{big.NewInt(1)}
	b := [][]byte{{1}}
	m, err := NewModulus([]byte{7})
	if err != nil {
		t.Fatal(err)
	}
	check := func(name string, err error) {
		t.Helper()
		if !errors.Is(err, ErrLength) {
			t.Errorf("%s: error %v, want %v", name, err, ErrLength)
		}
		if !strings.HasPrefix(err.Error(), "residue: ") {
			t.Errorf("%s: error %q does not start with the package's name", name, err)
		}
	}
	for _, exp := range []batchFunc{ExpBatchBig, ExpBatchVartime} {
		_, err := exp(t.Context(), nil, one, one)
		check("big, no moduli", err)
		_, err = exp(t.Context(), one, one, nil)
		check("big, no exponents", err)
	}
	_, err = m.ExpBatchBig(t.Context(), one, nil)
	check("one modulus, big", err)
	check("one modulus, no bases", m.ExpBatch(t.Context(), b, nil, b))
	check("one modulus, no exponents", m.ExpBatch(t.Context(), b, b, nil))
	check("no moduli", ExpBatch(t.Context(), b, nil, b, b))
	check("no bases", ExpBatch(t.Context(), b, b, nil, b))
	check("no exponents", ExpBatch(t.Context(), b, b, b, nil))
	check("long out", m.Exp(make([]byte, 2), nil, nil))
	check("short out", m.Exp(nil, nil, nil))
}

func TestAlias(t *testing.T) {
	for _, n := range []int64{7, 256, 1000, 65537} {
		m, err := NewModulusBig(big.NewInt(n))
		if err != nil {
			t.Fatal(err)
		}
		want := make([]byte, m.Size())
		x := big.NewInt(n - 2).FillBytes(make([]byte, m.Size()))
		if err := m.Exp(want, x, x); err != nil {
			t.Fatal(err)
		}
		check := func(name string, got []byte, err error) {
			t.Helper()
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("modulo %d, %s: %x (error %v), want %x", n, name, got, err, want)
			}
		}
		a := bytes.Clone(x)
		check("out is the base", a, m.Exp(a, a, x))
		a = bytes.Clone(x)
		check("out is the exponent", a, m.Exp(a, x, a))
		a = bytes.Clone(x)
		check("out is both", a, m.Exp(a, a, a))
		a = bytes.Clone(x)
		check("batch", a, m.ExpBatch(t.Context(), [][]byte{a}, [][]byte{a}, [][]byte{a}))
		a = big.NewInt(n).FillBytes(make([]byte, m.Size()))
		check("out is the modulus", a, ExpBatch(t.Context(), [][]byte{a}, [][]byte{a}, [][]byte{x}, [][]byte{x}))
	}
}

func TestModulusKeepsNothing(t *testing.T) {
	for _, n := range []byte{7, 12} {
		b := []byte{n}
		m, err := NewModulus(b)
		if err != nil {
			t.Fatal(err)
		}
		b[0] = 0
		bases := [][]byte{{5}, {5}, {5}}
		outs := [][]byte{{0}, {0}, {0}}
		if err := m.ExpBatch(t.Context(), outs, bases, bases); err != nil {
			t.Fatal(err)
		}
		if want := byte(3125 % int(n)); outs[2][0] != want {
			t.Errorf("5^5 mod %d = %d, want %d", n, outs[2][0], want)
		}
	}
}

func TestPanics(t *testing.T) {
	m, err := NewModulus([]byte{35})
	if err != nil {
		t.Fatal(err)
	}
	var noContext context.Context
	big20, bytes20 := slices.Repeat([]*big.Int{big.NewInt(3)}, 20), slices.Repeat([][]byte{{3}}, 20)
	for name, f := range map[string]func(){
		"Modulus.ExpBatch without a context":    func() { _ = m.ExpBatch(noContext, bytes20, bytes20, bytes20) },
		"Modulus.ExpBatchBig without a context": func() { _, _ = m.ExpBatchBig(noContext, big20, big20) },
		"ExpBatch without a context":            func() { _ = ExpBatch(noContext, bytes20, bytes20, bytes20, bytes20) },
		"ExpBatchBig without a context":         func() { _, _ = ExpBatchBig(noContext, big20, big20, big20) },
		"ExpBatchVartime without a context":     func() { _, _ = ExpBatchVartime(noContext, big20, big20, big20) },

		"the zero Modulus": func() { new(Modulus).Size() },
		"a nil *Modulus":   func() { _ = (*Modulus)(nil).Exp(nil, nil, nil) },
	} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "residue: ") {
					t.Errorf("%s: no panic that names the package", name)
				}
			}()
			f()
		}()
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ms, xs, ys, _, wantErr := mixedRows(rand.New(rand.NewPCG(9, 9)), 30)
	zs, err := ExpBatchBig(ctx, ms, xs, ys)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	for i := range zs {
		if zs[i] != nil {
			t.Errorf("row %d was computed", i)
		}
		if reason := rowReason(err, i); reason == nil || !errors.Is(reason, context.Canceled) && !errors.Is(reason, wantErr[i]) {
			t.Errorf("row %d: error %v", i, reason)
		}
	}
}

// TestCanceledMidway cancels batches of one very long row each, of every kind.
func TestCanceledMidway(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	odd := randomBits(r, 8192)
	odd.SetBit(odd, 0, 1)
	for name, m := range map[string]*big.Int{
		"odd":          odd,
		"power of two": new(big.Int).Lsh(big.NewInt(1), MaxBits-1),
	} {
		before := runtime.NumGoroutine()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		start := time.Now()
		x := randomBits(r, 4096)
		x.SetBit(x, 0, 1)
		y := randomBits(r, 1<<17)
		zs, err := ExpBatchBig(ctx, []*big.Int{m, m, m}, []*big.Int{x, x, x}, []*big.Int{y, y, y})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error %v, want %v", name, err, context.DeadlineExceeded)
		}
		if rows, _ := err.(RowErrors); len(rows) != len(zs) {
			t.Errorf("%s: %d rows failed, want all %d", name, len(rows), len(zs))
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%s: stopped after %v", name, d)
		}
		if n := goroutinesAfter(before); n > before {
			t.Errorf("%s: %d goroutines before, %d after", name, before, n)
		}
	}
}

// goroutinesAfter returns the number of goroutines once it is no more than
// before, or else after a second: one that has said it is done may still be
// counted for a moment.
func goroutinesAfter(before int) int {
	for end := time.Now().Add(time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// TestPartlyCanceled checks that the rows of a batch that is cut short are either
// right or reported.
func TestPartlyCanceled(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	m := randomBits(r, 1024)
	m.SetBit(m, 0, 1)
	const rows = 400
	xs, ys, ms := make([]*big.Int, rows), make([]*big.Int, rows), make([]*big.Int, rows)
	for i := range xs {
		xs[i], ys[i], ms[i] = big.NewInt(int64(i)), randomBits(r, 1024), m
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	zs, err := ExpBatchBig(ctx, ms, xs, ys)
	for i, z := range zs {
		reason := rowReason(err, i)
		if (z == nil) != errors.Is(reason, context.DeadlineExceeded) {
			t.Errorf("row %d: %x and error %v", i, z, reason)
		}
		if z != nil && i%20 == 0 && z.Cmp(new(big.Int).Exp(xs[i], ys[i], m)) != 0 {
			t.Errorf("row %d is wrong", i)
		}
	}
}

func TestConcurrent(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	for _, n := range []*big.Int{randomBits(r, 200), new(big.Int).Lsh(randomBits(r, 100), 9)} {
		n.SetBit(n, n.BitLen(), 1)
		m, err := NewModulusBig(n)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for i := range 8 {
					rows := 1 + (g+i)%10
					xs, ys := make([]*big.Int, rows), make([]*big.Int, rows)
					for k := range xs {
						xs[k], ys[k] = big.NewInt(int64(g*1000+i*10+k)), big.NewInt(int64(k+2))
					}
					zs, err := m.ExpBatchBig(context.Background(), xs, ys)
					if err != nil {
						t.Error(err)
						return
					}
					for k, z := range zs {
						if z.Cmp(new(big.Int).Exp(xs[k], ys[k], n)) != 0 {
							t.Errorf("%v^%v mod %v = %v", xs[k], ys[k], n, z)
						}
					}
				}
			})
		}
		wg.Wait()
	}
}

// TestRunWipesModuli checks that nothing is left of what a run prepared of moduli
// that only its rows have.
func TestRunWipesModuli(t *testing.T) {
	k, err := defaultKernel()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(61, 62))
	b := newRun(context.Background(), k, 2)
	for i := range 2 {
		n := new(big.Int).SetBit(randomBits(r, 512), 0, 1).Bytes()
		s := new(split)
		if err := s.init(n); err != nil {
			t.Fatal(err)
		}
		b.add(i, row{mod: s, out: make([]byte, len(n)), base: []byte{2}, exponent: []byte{3}, ebits: 8})
	}
	left := func(md *batch.Moduli) bool {
		for _, field := range []string{"n", "rr", "packed"} {
			if !zeroThroughout(reflect.ValueOf(md).Elem().FieldByName(field)) {
				return true
			}
		}
		return false
	}
	ws := borrowWorkspace()
	b.doVector(ws, chunk{lo: 0, hi: 1})
	first := ws.last.moduli
	if !left(first) {
		t.Fatal("the moduli are wiped while they may still be used")
	}
	b.doVector(ws, chunk{lo: 1, hi: 2})
	second := ws.last.moduli
	if left(first) {
		t.Error("moduli are left when others take their place")
	}
	returnWorkspace(ws)
	if left(second) {
		t.Error("moduli are left in pooled memory")
	}
	if b.failed != nil {
		t.Error(b.failed)
	}
}

// zeroThroughout reports whether all numbers in a slice or array of any depth are
// zero.
func zeroThroughout(v reflect.Value) bool {
	if k := v.Kind(); k != reflect.Slice && k != reflect.Array {
		return v.IsZero()
	}
	for i := range v.Len() {
		if !zeroThroughout(v.Index(i)) {
			return false
		}
	}
	return true
}
