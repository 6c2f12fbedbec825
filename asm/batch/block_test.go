package batch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"residue/asm/internal/gofile"
)

// TestMadds walks through the routines with the arguments that the product gives
// them: they execute as many madds as the formulas of residue/batch say, and
// touch no vector outside their operands.
func TestMadds(t *testing.T) {
	routines := walkable(t, Files()[0])
	for _, w := range Widths {
		for _, tiles := range []int{1, 2, 3, 5} {
			s := w * tiles
			for _, tt := range []struct {
				name string
				args map[string]int
				want int
			}{
				{"MulMont%d", map[string]int{"z": s, "x": s, "y": s, "n": s, "ninv": 1, "work": s}, 4 * s * s},
				{"MulMontFull%d", map[string]int{"z": s, "x": s, "y": s, "n": s, "ninv": 1, "work": s}, 4*s*s + s},
				{"Reduce%d", map[string]int{"z": s, "t": 2 * s, "n": s, "ninv": 1, "work": s}, 2 * s * s},
				{"ReduceFull%d", map[string]int{"z": s, "t": 2 * s, "n": s, "ninv": 1, "work": s}, 2*s*s + s},
				{"Mul%d", map[string]int{"z": 2 * s, "x": s, "y": s}, 2 * s * s},
				{"Square%d", map[string]int{"t": 2 * s, "x": s, "raw": 2 * s, "edge": 2 * w}, s*s + s},
			} {
				r := routines["ifma512"+fmt.Sprintf(tt.name, w)]
				check(t, r, tt.args, map[string]int{"tiles": tiles}, tt.want)
			}
		}
	}
}

func TestBlockMadds(t *testing.T) {
	routines := walkable(t, BlockFile())
	for _, w := range BlockWidths {
		for tiles := 1; tiles <= 8; tiles++ {
			s := w * tiles
			low := routines[fmt.Sprintf("ifma512MulLow%d", w)]
			check(t, low, map[string]int{"z": s, "x": s, "y": s}, map[string]int{"tiles": tiles}, s*s)
			for block := 1; block <= tiles; block++ {
				k := w * block
				ints := map[string]int{"block": block, "tiles": tiles}
				// t is one column longer than the sum: it takes the carry.
				add := routines[fmt.Sprintf("ifma512AddQuotient%d", w)]
				check(t, add, map[string]int{"z": s, "t": s + 2, "q": k, "n": s}, ints, 2*k*s-(k-1)*(k-1))
				full := routines[fmt.Sprintf("ifma512AddQuotientFull%d", w)]
				check(t, full, map[string]int{"z": s, "t": k + s + 1, "q": k, "n": s}, ints, 2*k*s)
			}
		}
	}
}

func check(t *testing.T, r *routine, vectors, ints map[string]int, want int) {
	t.Helper()
	got, err := r.walk(vectors, ints)
	if err != nil {
		t.Fatalf("%s(%v, %v): %v", r.name, vectors, ints, err)
	}
	if got != want {
		t.Errorf("%s(%v): %d madds, want %d", r.name, ints, got, want)
	}
}

// routine is the text of one function, as far as a walk needs it: what decides
// which instructions are executed is in the general registers alone.
type routine struct {
	name   string
	code   [][]string // opcode, operands
	labels map[string]int
}

// walkable returns the routines of a file by name.
func walkable(t *testing.T, f gofile.File) map[string]*routine {
	t.Helper()
	texts, err := f.Render()
	if err != nil {
		t.Fatal(err)
	}
	routines := map[string]*routine{}
	var r *routine
	for line := range strings.Lines(string(texts[f.Dir+"/"+f.Base+".s"])) {
		code, _, _ := strings.Cut(strings.TrimSpace(line), "//")
		switch {
		case strings.HasPrefix(code, "TEXT ·"):
			name, _, _ := strings.Cut(strings.TrimPrefix(code, "TEXT ·"), "(")
			r = &routine{name: name, labels: map[string]int{}}
			routines[name] = r
		case r == nil || code == "":
		case strings.HasSuffix(code, ":"):
			r.labels[strings.TrimSuffix(code, ":")] = len(r.code)
		default:
			op, operands, _ := strings.Cut(code, " ")
			r.code = append(r.code, append([]string{op}, strings.Split(operands, ", ")...))
		}
	}
	return routines
}

// region is where an operand lies in the walk's address space.
type region struct{ from, to int64 }

// walker is the state of a walk.
type walker struct {
	args    map[string]int64
	regions []region
	regs    map[string]int64
	flags   int64 // sign and zero of the last result
}

// walk executes the general instructions of the routine, checks the addresses of
// the others, and returns the number of madds. Operands are given by their
// lengths in vectors.
func (r *routine) walk(vectors, ints map[string]int) (madds int, err error) {
	if r == nil {
		return 0, fmt.Errorf("no such routine")
	}
	w := &walker{args: map[string]int64{}, regs: map[string]int64{}}
	for name, n := range vectors {
		base := int64(len(w.regions)+1) << 32
		w.args[name] = base
		w.regions = append(w.regions, region{base, base + int64(vectorBytes*n)})
	}
	for name, n := range ints {
		w.args[name] = int64(n)
	}
	for pc := 0; r.code[pc][0] != "RET"; pc++ {
		op, operands := r.code[pc][0], r.code[pc][1:]
		switch {
		case strings.HasPrefix(op, "V"):
			if strings.HasPrefix(op, "VPMADD52") {
				madds++
			}
			for _, o := range operands {
				if strings.Contains(o, "(") && !w.inside(w.address(o)) {
					return 0, fmt.Errorf("%s %s is outside of all operands", op, strings.Join(operands, ", "))
				}
			}
		case strings.HasPrefix(op, "J"):
			jump, err := w.jumps(op)
			if err != nil {
				return 0, err
			}
			if jump {
				pc = r.labels[operands[0]] - 1
			}
		default:
			if err := w.execute(op, operands); err != nil {
				return 0, err
			}
		}
	}
	return madds, nil
}

func (w *walker) inside(addr int64) bool {
	for _, g := range w.regions {
		if addr >= g.from && addr+vectorBytes <= g.to {
			return true
		}
	}
	return false
}

func (w *walker) execute(op string, operands []string) error {
	last := operands[len(operands)-1]
	switch op {
	case "PCALIGN":
		return nil
	case "MOVQ", "MOVL":
		w.regs[last] = w.value(operands[0])
		return nil
	case "LEAQ":
		w.regs[last] = w.address(operands[0])
		return nil
	case "ADDQ":
		w.regs[last] += w.value(operands[0])
	case "SUBQ":
		w.regs[last] -= w.value(operands[0])
	case "INCQ":
		w.regs[last]++
	case "DECQ":
		w.regs[last]--
	case "IMUL3Q":
		w.regs[last] = w.value(operands[0]) * w.value(operands[1])
	case "XORL":
		w.regs[last] ^= w.value(operands[0])
	case "CMOVQGT":
		if w.flags > 0 {
			w.regs[last] = w.value(operands[0])
		}
		return nil
	case "CMPQ":
		w.flags = w.value(operands[0]) - w.value(operands[1])
		return nil
	case "TESTQ":
		w.flags = w.value(operands[0]) & w.value(operands[1])
		return nil
	default:
		return fmt.Errorf("%s is not known to the walk", op)
	}
	w.flags = w.regs[last]
	return nil
}

func (w *walker) jumps(op string) (bool, error) {
	switch op {
	case "JMP":
		return true, nil
	case "JEQ", "JZ":
		return w.flags == 0, nil
	case "JNE", "JNZ":
		return w.flags != 0, nil
	case "JB": // nothing here is beyond 2^63
		return w.flags < 0, nil
	case "JAE":
		return w.flags >= 0, nil
	}
	return false, fmt.Errorf("%s is not known to the walk", op)
}

var (
	argument = regexp.MustCompile(`^(\w+)\+\d+\(FP\)$`)
	memory   = regexp.MustCompile(`^(-?\w*)\((\w+)\)(?:\((\w+)\*(\d)\))?$`)
)

// value is what an operand of a general instruction holds.
func (w *walker) value(o string) int64 {
	if imm, ok := strings.CutPrefix(o, "$"); ok {
		return number(imm)
	}
	if m := argument.FindStringSubmatch(o); m != nil {
		return w.args[m[1]]
	}
	return w.regs[o]
}

// address is where an operand in memory is.
func (w *walker) address(o string) int64 {
	m := memory.FindStringSubmatch(o)
	addr := w.regs[m[2]]
	if m[1] != "" {
		addr += number(m[1])
	}
	if m[3] != "" {
		addr += w.regs[m[3]] * number(m[4])
	}
	return addr
}

func number(s string) int64 {
	if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		return n
	}
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		panic(err)
	}
	return int64(n)
}
