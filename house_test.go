package residue

import (
	"math/big"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"residue/barrett"
	"residue/batch"
	"residue/internal/cpu"
	"residue/mont"
	"residue/pmns"
)

func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector pools drop what they get")
	}
	r := rand.New(rand.NewPCG(13, 13))
	known, err := pmns.Embedded("modp1024")
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]*big.Int{
		"odd":          new(big.Int).SetBit(randomBits(r, 512), 0, 1),
		"known prime":  known.P,
		"even":         new(big.Int).Lsh(randomBits(r, 500), 12),
		"power of two": new(big.Int).Lsh(big.NewInt(1), 200),
	} {
		m, err := NewModulusBig(n)
		if err != nil {
			t.Fatal(err)
		}
		// The base is longer than R, and so has to be reduced first.
		out, x, y := make([]byte, m.Size()), randomBits(r, 800).Bytes(), randomBits(r, 64).Bytes()
		check := func(what string, most float64, f func() error) {
			t.Helper()
			got := testing.AllocsPerRun(50, func() {
				if err := f(); err != nil {
					t.Fatal(err)
				}
			})
			if got > most {
				t.Errorf("%s, %s: %v allocations, at most %v", name, what, got, most)
			}
		}
		check("Exp", 0, func() error { return m.Exp(out, x, y) })
		check("Exp, short base", 0, func() error { return m.Exp(out, out, y) })

		const rows = 100
		outs, xs, ys := make([][]byte, rows), make([][]byte, rows), make([][]byte, rows)
		for i := range outs {
			outs[i], xs[i], ys[i] = make([]byte, m.Size()), x, y
		}
		check("ExpBatch", 20, func() error { return m.ExpBatch(t.Context(), outs, xs, ys) })
	}
}

func TestDependencies(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(goTool, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "residue").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, p := range strings.Fields(string(out)) {
		if p != "residue" && !strings.HasPrefix(p, "residue/") && !strings.HasPrefix(p, "golang.org/x/sys/") {
			t.Errorf("residue imports %s", p)
		}
	}
}

// packRows packs rows of the given lengths of odd parts and exponents.
func packRows(t *testing.T, k kernels, sizes [][2]int) ([]row, []int32, []chunk) {
	t.Helper()
	rows, order := make([]row, len(sizes)), make([]int32, len(sizes))
	for i, s := range sizes {
		rows[i] = row{mod: &split{oddBits: s[0]}, ebits: s[1]}
		if s[0] > 1 {
			rows[i].limbs = batch.Limbs(s[0])
		}
		order[i] = int32(i)
	}
	p := &packer{kernel: k}
	order, chunks := p.pack(rows, order)
	seen := make([]bool, len(rows))
	at := 0
	for _, c := range chunks {
		if c.lo != at || c.hi <= c.lo || c.hi > c.lo+batch.Lanes || c.way == single && c.hi != c.lo+1 {
			t.Fatalf("%v: chunk %v after %d rows", sizes, c, at)
		}
		at = c.hi
		for _, i := range order[c.lo:c.hi] {
			if seen[i] {
				t.Fatalf("row %d is done twice", i)
			}
			seen[i] = true
			if rows[i].limbs == 0 && c.way == inVector {
				t.Fatalf("row %d has no odd part and is in a vector", i)
			}
		}
	}
	if at != len(rows) {
		t.Fatalf("%d of %d rows are done", at, len(rows))
	}
	return rows, order, chunks
}

// everyKernel returns the kernels in use with each choice that this CPU can make.
func everyKernel(t *testing.T) map[string]kernels {
	t.Helper()
	ks := map[string]kernels{}
	for _, k := range batch.Kernels() {
		ks[k.Name()] = kernels{batch: k}
	}
	for _, k := range mont.Kernels() {
		k := kernels{batch: ks[k.Name()].batch, mont: k}
		for _, b := range barrett.Kernels() {
			if b.Name() == k.mont.Name() {
				k.barrett = b
			}
		}
		if k.batch == nil {
			t.Fatalf("package batch has no kernel %s", k.mont.Name())
		}
		ks[k.mont.Name()] = k
	}
	return ks
}

func TestPack(t *testing.T) {
	repeat := func(n int, size ...[2]int) (out [][2]int) {
		for range n {
			out = append(out, size...)
		}
		return out
	}
	a, small, short, none := [2]int{2048, 2048}, [2]int{1024, 1024}, [2]int{2048, 17}, [2]int{1, 100}
	ks := everyKernel(t)
	for _, c := range []struct {
		name            string
		sizes           [][2]int
		vectors, single int // with kernels of AVX512-IFMA
	}{
		{"nothing", nil, 0, 0},
		{"one", repeat(1, a), 0, 1},
		{"equal rows", repeat(16, a), 2, 0},
		{"one over", repeat(17, a), 2, 1},
		{"small rows ride along", append(repeat(7, a), repeat(1, small)...), 1, 0},
		{"small rows fill up", append(repeat(15, a), repeat(1, small)...), 2, 0},
		{"full vectors of each size", append(repeat(8, a), repeat(8, small)...), 2, 0},
		{"short exponents apart", repeat(8, a, short), 2, 0},
		{"mixed up", repeat(8, a, small, short), 3, 0},
		{"powers of two", repeat(1, a, none, none), 0, 3},
	} {
		for name, k := range ks {
			_, _, chunks := packRows(t, k, c.sizes)
			count := map[way]int{}
			for _, ch := range chunks {
				count[ch.way]++
			}
			if _, ok := vectorCosts[name]; !ok && count[inVector] > 0 {
				t.Errorf("%s: %s: %d vectors", c.name, name, count[inVector])
			}
			if name == cpu.IFMA512 && count[inVector] != c.vectors || name == cpu.IFMA512 && count[single] != c.single {
				t.Errorf("%s: %d vectors and %d rows by themselves, want %d and %d", c.name, count[inVector], count[single], c.vectors, c.single)
			}
		}
	}
	for range 100 {
		var sizes [][2]int
		for range rand.IntN(60) {
			sizes = append(sizes, [2]int{1 + rand.IntN(4)*500, rand.IntN(5) * rand.IntN(200)})
		}
		for _, k := range ks {
			packRows(t, k, sizes)
		}
	}
}

// TestOneRow: a row alone is never quicker in a vector, by more than a tenth.
// Modulus.Exp relies on that.
func TestOneRow(t *testing.T) {
	for name, k := range everyKernel(t) {
		vectors, ok := vectorCosts[name]
		for bits := 256; ok && bits <= MaxBits; bits += 127 {
			for _, ebits := range []int{1, 17, bits} {
				one, vector := k.singleCost(bits, ebits, false, false), vectors.of(batch.Limbs(bits), ebits, 1, false)
				if one > 1.1*vector {
					t.Errorf("%s, %d bits, %d of exponent: %.0f cycles, in a vector %.0f", name, bits, ebits, one, vector)
				}
			}
		}
	}
}

// TestSingleTimes: there are times for all engines, and they grow with the length.
func TestSingleTimes(t *testing.T) {
	for _, k := range mont.Kernels() {
		for bits := 1; bits <= MaxBits; bits += 61 {
			if singleTimes[k.Engine(bits)].at == nil {
				t.Fatalf("no times of %s", k.Engine(bits))
			}
		}
	}
	for _, k := range barrett.Kernels() {
		if barrettTimes[k.Engine()].at == nil {
			t.Fatalf("no times of %s in package barrett", k.Engine())
		}
	}
	checkTimes(t, singleTimes)
	checkTimes(t, barrettTimes)
}

func checkTimes(t *testing.T, times map[string]engineTimes) {
	t.Helper()
	for name, ts := range times {
		last := singleTime{}
		for bits := 1; bits <= MaxBits; bits += 61 {
			at := singleAt(times, name, bits)
			if at.square < last.square || at.product < last.product || at.setup < last.setup {
				t.Errorf("%s: %+v after %+v", name, at, last)
			}
			last = at
		}
		for i, want := range ts.at {
			if want.bits == 0 {
				continue // where a line begins
			}
			if at := singleAt(times, name, want.bits); at != want {
				t.Errorf("%s: %+v, want %+v", name, at, want)
			}
			if ts.steps && i > 0 {
				if at := singleAt(times, name, ts.at[i-1].bits+1); at != want {
					t.Errorf("%s: %+v one bit above a step, want %+v", name, at, want)
				}
			}
		}
	}
}

// TestBarrettOne: package barrett does single numbers where its times say that it is
// quicker, large moduli and short exponents, and gives what math/big does.
func TestBarrettOne(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 15))
	for name, k := range everyKernel(t) {
		for _, c := range []struct {
			bits, ebits int
			own, want   bool
		}{{16384, 16384, false, true}, {1024, 1024, false, false}, {1024, 1024, true, false}, {9000, 3, true, true}} {
			if _, by := k.oneCost(c.bits, c.ebits, c.own); by != c.want {
				t.Errorf("%s: %+v: by package barrett is %v", name, c, by)
			}
			n := new(big.Int).SetBit(randomBits(r, c.bits), 0, 1)
			n.SetBit(n, c.bits-1, 1)
			md, err := k.newOne(c.bits, n.Bytes(), c.ebits, c.own)
			if err != nil {
				t.Fatal(err)
			}
			x, e, out := randomBits(r, c.bits+100), big.NewInt(int64(r.IntN(8))), make([]byte, (c.bits+7)/8)
			if _, err := md.ExpBytes(t.Context(), out, x.Bytes(), e.Bytes(), 3); err != nil {
				t.Fatal(err)
			}
			if got, want := new(big.Int).SetBytes(out), x.Exp(x, e, n); got.Cmp(want) != 0 {
				t.Errorf("%s: %+v: %#x, want %#x", name, c, got, want)
			}
			md.Wipe()
		}
	}
}
