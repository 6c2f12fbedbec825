package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"residue/internal/measure"
)

// none stands in a cell for what does not apply or was not measured.
const none = "–"

// WriteTables writes records for people: the operations in cycles, then
// what is measured against math/big, then batches of rows, then rings.
func WriteTables(w io.Writer, m *measure.Meter, records []Record) error {
	var short, exps, batches, rings []Record
	loud := false
	for _, r := range records {
		switch {
		case r.System == SystemNegacyclic:
			rings = append(rings, r)
		case r.Op == OpExp || r.Op == OpReduce:
			exps = append(exps, r)
		case r.Op == OpExpBatch:
			batches = append(batches, r)
		default:
			short = append(short, r)
		}
		loud = loud || r.Quiet != nil && !*r.Quiet
	}
	var b strings.Builder
	fmt.Fprintln(&b, machineLine(m, records))
	shortTable(&b, short)
	expTable(&b, exps)
	batchTable(&b, batches)
	ringTable(&b, rings)
	if loud {
		fmt.Fprintln(&b, "\n* A neighbour used the core all the time: no more than an upper bound.")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// machineLine says what the figures stand on.
func machineLine(m *measure.Meter, records []Record) string {
	if m.MaddsPerCycle() == 0 {
		return "no cycle counter for this CPU: times are the wall's"
	}
	text := fmt.Sprintf("port limit: %.0f multiply-adds a cycle (measured: %.3f)", m.MaddsPerCycle(), m.PortRate())
	least, most := 0., 0.
	for _, r := range records {
		if r.Cycles == 0 || !*r.Quiet {
			continue
		}
		ghz := r.Cycles / r.NS
		if least == 0 {
			least = ghz
		}
		least, most = min(least, ghz), max(most, ghz)
	}
	switch {
	case most == 0:
	case most-least < 0.02:
		text += fmt.Sprintf("; core clock: %.2f GHz", most)
	default:
		text += fmt.Sprintf("; core clock: %.2f to %.2f GHz", least, most)
	}
	return text + "; one thread"
}

func shortTable(w io.Writer, records []Record) {
	if len(records) == 0 {
		return
	}
	t := newTable(w, "system", "op", "bits", "limbs", "kernel", "variant", "block",
		"cycles", "madds", "share", "schoolbook", "ns", "over full")
	for i := range records {
		r := &records[i]
		t.row(r.System, r.Op, fmt.Sprint(r.Bits), limbs(r), r.Kernel, text(r.Variant), count(r.Block),
			cycles(r), count(r.Madds), percent(r.Share), percent(r.SchoolbookShare),
			fmt.Sprintf("%.0f", r.NS), overFull(r, records))
	}
	t.end()
}

// limbs is the cell of the digits of a number: of pmns, coefficients times words.
func limbs(r *Record) string {
	if r.N > 0 {
		return fmt.Sprintf("%d×%d", r.N, r.S)
	}
	return count(r.Limbs)
}

func expTable(w io.Writer, records []Record) {
	if len(records) == 0 {
		return
	}
	t := newTable(w, "system", "op", "bits", "limbs", "kernel", "variant", "block",
		"numbers", "cycles", "a number", "math/big", "speedup", "median")
	for i := range records {
		r := &records[i]
		t.row(r.System, r.Op, fmt.Sprint(r.Bits), limbs(r), r.Kernel, text(r.Variant), count(r.Block),
			count(r.Lanes), cycles(r), microseconds(r.NSPerOp), microseconds(r.MathBigNS),
			fmt.Sprintf("%.2f", r.Speedup), fmt.Sprintf("%.2f", r.SpeedupMedian))
	}
	t.end()
}

func batchTable(w io.Writer, records []Record) {
	if len(records) == 0 {
		return
	}
	t := newTable(w, "op", "bits", "kernel", "rows", "cores", "seconds", "rows/s", "scaling")
	for _, r := range records {
		scaling := none
		if r.Scaling > 0 {
			scaling = fmt.Sprintf("%.2f", r.Scaling)
		}
		t.row(r.Op, fmt.Sprint(r.Bits), r.Kernel, fmt.Sprint(r.Rows), fmt.Sprint(r.Cores),
			fmt.Sprintf("%.3f", time.Duration(r.NS).Seconds()), fmt.Sprintf("%.0f", r.RowsPerSecond), scaling)
	}
	t.end()
}

func ringTable(w io.Writer, records []Record) {
	if len(records) == 0 {
		return
	}
	t := newTable(w, "system", "op", "ring", "n", "method", "words", "kernel", "matrix", "cycles", "ns", "scratch")
	for i := range records {
		r := &records[i]
		t.row(r.System, r.Op, r.Ring, fmt.Sprint(r.N), r.Method, fmt.Sprintf("%d bits", r.Word), r.Kernel, text(r.Matrix),
			cycles(r), fmt.Sprintf("%.0f", r.NS), fmt.Sprintf("%d bytes", *r.Scratch))
	}
	t.end()
}

// overFull is how much faster a truncated reduction is than the full one in the
// same blocks.
func overFull(r *Record, records []Record) string {
	if r.Variant != Variants[0] {
		return none
	}
	for i := range records {
		f := &records[i]
		if f.Variant == Variants[1] && f.Op == r.Op && f.Kernel == r.Kernel && f.Bits == r.Bits && f.Block == r.Block && f.Set == r.Set {
			if r.Cycles > 0 && f.Cycles > 0 {
				return fmt.Sprintf("%+.1f %%", 100*(f.Cycles/r.Cycles-1))
			}
			return fmt.Sprintf("%+.1f %%", 100*(f.NS/r.NS-1))
		}
	}
	return none
}

// cycles is the cell of a record's cycles, with a mark if they are an upper bound.
func cycles(r *Record) string {
	if r.Cycles == 0 {
		return none
	}
	mark := ""
	if r.Quiet != nil && !*r.Quiet {
		mark = "*"
	}
	return fmt.Sprintf("%.0f%s", r.Cycles, mark)
}

func text(s string) string {
	if s == "" {
		return none
	}
	return s
}

func count(n int) string {
	if n == 0 {
		return none
	}
	return fmt.Sprint(n)
}

func percent(share float64) string {
	if share == 0 {
		return none
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

func microseconds(ns float64) string {
	if ns < 10e3 {
		return fmt.Sprintf("%.3f µs", ns/1e3)
	}
	return fmt.Sprintf("%.1f µs", ns/1e3)
}

// table is a table with its columns aligned to the right.
type table struct{ w *tabwriter.Writer }

func newTable(w io.Writer, heads ...string) table {
	fmt.Fprintln(w)
	t := table{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
	t.row(heads...)
	return t
}

func (t table) row(cells ...string) { fmt.Fprintln(t.w, strings.Join(cells, "\t")+"\t") }

func (t table) end() { t.w.Flush() }
