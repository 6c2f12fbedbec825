package residue

import (
	"math/big"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"residue/batch"
	"residue/internal/cpu"
)

func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector pools drop what they get")
	}
	r := rand.New(rand.NewPCG(13, 13))
	for name, n := range map[string]*big.Int{
		"odd":          new(big.Int).SetBit(randomBits(r, 512), 0, 1),
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

// packRows packs rows of the given limbs and exponent lengths.
func packRows(t *testing.T, kernel string, sizes [][2]int) ([]row, []int32, []chunk) {
	t.Helper()
	rows, order := make([]row, len(sizes)), make([]int32, len(sizes))
	for i, s := range sizes {
		rows[i] = row{mod: &split{t: 1 - min(1, s[0]), oddBits: 1}, limbs: s[0], ebits: s[1]}
		order[i] = int32(i)
	}
	p := &packer{cost: kernelCosts[kernel], width: batch.Lanes}
	order, chunks := p.pack(rows, order)
	seen := make([]bool, len(rows))
	at := 0
	for _, c := range chunks {
		if c.lo != at || c.hi <= c.lo || c.hi > c.lo+batch.Lanes {
			t.Fatalf("%v: chunk %v after %d rows", sizes, c, at)
		}
		at = c.hi
		for _, i := range order[c.lo:c.hi] {
			if seen[i] {
				t.Fatalf("row %d is done twice", i)
			}
			seen[i] = true
			if (rows[i].limbs == 0) != (rows[order[c.lo]].limbs == 0) {
				t.Fatalf("row %d has no odd part and shares a vector", i)
			}
		}
	}
	if at != len(rows) {
		t.Fatalf("%d of %d rows are done", at, len(rows))
	}
	return rows, order, chunks
}

func TestPack(t *testing.T) {
	repeat := func(n int, size ...[2]int) (out [][2]int) {
		for range n {
			out = append(out, size...)
		}
		return out
	}
	a, small, short, none := [2]int{40, 2048}, [2]int{20, 1024}, [2]int{40, 17}, [2]int{0, 100}
	for _, c := range []struct {
		name  string
		sizes [][2]int
		ifma  int // vectors
	}{
		{"nothing", nil, 0},
		{"equal rows", repeat(16, a), 2},
		{"one over", repeat(17, a), 3},
		{"small rows ride along", append(repeat(4, a), repeat(4, small)...), 1},
		{"small rows fill up", append(repeat(9, a), repeat(7, small)...), 2},
		{"full vectors of each size", append(repeat(8, a), repeat(8, small)...), 2},
		{"short exponents apart", repeat(8, a, short), 2},
		{"mixed up", repeat(8, a, small, short), 3},
		{"powers of two alone", repeat(3, a, none), 1 + 3},
	} {
		if _, _, chunks := packRows(t, cpu.IFMA512, c.sizes); len(chunks) != c.ifma {
			t.Errorf("%s: %d vectors, want %d", c.name, len(chunks), c.ifma)
		}
		// Where only lanes in use cost, nothing may ride in a larger vector.
		for _, kernel := range []string{cpu.ADX, cpu.Generic} {
			rows, order, chunks := packRows(t, kernel, c.sizes)
			for _, ch := range chunks {
				for _, i := range order[ch.lo:ch.hi] {
					if !rows[i].likeSize(&rows[order[ch.lo]]) {
						t.Errorf("%s: %s: rows of unlike size share a vector", c.name, kernel)
					}
				}
			}
		}
	}
	for range 100 {
		var sizes [][2]int
		for range rand.IntN(60) {
			sizes = append(sizes, [2]int{rand.IntN(4) * 10, rand.IntN(5) * rand.IntN(200)})
		}
		packRows(t, cpu.IFMA512, sizes)
		packRows(t, cpu.Generic, sizes)
	}
}
