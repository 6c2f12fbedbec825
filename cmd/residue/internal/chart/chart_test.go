package chart

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"residue/barrett/model"
)

func choice() *Choice {
	return &Choice{
		Processor:  model.Processor{Word: 8, Mul: 2, Load: 2, Store: 2},
		Montgomery: model.FIOS, Folds: 2, Bits: []int{256, 512}, MHz: 16,
	}
}

func makeAll(t *testing.T, c *Choice, names ...string) []*Chart {
	t.Helper()
	charts, err := Make(c, names)
	if err != nil {
		t.Fatal(err)
	}
	return charts
}

// TestCharts: every chart has all lines at all lengths, and values that follow from
// cycles. Memory that costs something makes everything slower.
func TestCharts(t *testing.T) {
	c := choice()
	charts := makeAll(t, c)
	if len(charts) != len(Names()) {
		t.Fatalf("%d charts of %d", len(charts), len(Names()))
	}
	for i, chart := range charts {
		if chart.Name != Names()[i] || chart.Title == "" || len(chart.Notes) < 2 {
			t.Errorf("chart %d: name %q, title %q, %d notes", i, chart.Name, chart.Title, len(chart.Notes))
		}
		for s := range chart.Free {
			free, memory := chart.Free[s], chart.Memory[s]
			if len(free.Points) != len(c.Bits) || len(memory.Points) != len(c.Bits) || free.Name != memory.Name {
				t.Fatalf("%s: %q has %d points, %q %d", chart.Name, free.Name, len(free.Points), memory.Name, len(memory.Points))
			}
			for j, f := range free.Points {
				m := memory.Points[j]
				if m.Cycles <= f.Cycles || f.Cycles <= 0 || f.Bits != c.Bits[j] || m.Bits != c.Bits[j] {
					t.Errorf("%s: %s, %d bits: %d cycles, with memory %d", chart.Name, free.Name, f.Bits, f.Cycles, m.Cycles)
				}
				switch {
				case free.Unit == Cycles && f.Value != float64(f.Cycles),
					// 3/2 of a multiplication for each bit.
					free.Unit == Minutes && math.Abs(f.Value*60*16e6-1.5*float64(f.Bits*f.Cycles)) > 1,
					free.Unit == Times && !(f.Value > 0.5 && f.Value < 4):
					t.Errorf("%s: %s, %d bits: %v %s, %d cycles", chart.Name, free.Name, f.Bits, f.Value, free.Unit, f.Cycles)
				}
			}
		}
	}
	base, folded := charts[2].Free[0].Points[1], charts[2].Free[2].Points[1]
	if want := base.Value / float64(folded.Cycles); folded.Value != want {
		t.Errorf("one fold: %v times, want %v", folded.Value, want)
	}
}

// TestSlides: the figures of the slides, as far as they are words.
func TestSlides(t *testing.T) {
	if testing.Short() {
		t.Skip("counts multiplications of 2048 bits")
	}
	c := choice()
	c.Bits = []int{4096}
	chart := makeAll(t, c, "avr")[0]
	montgomery, folded := chart.Free[0].Points[0].Value, chart.Free[1].Points[0].Value
	if !(montgomery > 3.5 && montgomery < 4 && math.Round(folded) == 1) {
		t.Errorf("4096 bits: %.2f and %.2f minutes; the slides say almost 4, and 1", montgomery, folded)
	}
	c.Bits, c.Montgomery = []int{1024}, model.CIOS
	chart = makeAll(t, c, "barrett")[0]
	if ratio := chart.Free[1].Points[0].Value; math.Abs(ratio-2./3) > 0.01 {
		t.Errorf("schoolbook Barrett is %.3f of Montgomery; the slides say 2/3", ratio)
	}
}

// TestTooShort: lines have no points where a number has too few words.
func TestTooShort(t *testing.T) {
	c := choice()
	c.Processor.Word, c.Bits = 64, []int{256}
	for _, chart := range makeAll(t, c, "karatsuba", "iterated") {
		for i, want := range []int{1, 1, 1, 0, 0} {
			if got := len(chart.Free[i].Points); got != want {
				t.Errorf("%s: %s has %d points for 4 words", chart.Name, chart.Free[i].Name, got)
			}
		}
		var b bytes.Buffer
		if err := Write(&b, c, []*Chart{chart}); err != nil || !strings.Contains(b.String(), none) {
			t.Errorf("%s: %v, %s", chart.Name, err, &b)
		}
		if err := chart.WritePlot(&b, c, "svg"); err != nil {
			t.Error(err)
		}
	}
}

// TestRecords: JSON and CSV say the same.
func TestRecords(t *testing.T) {
	c := choice()
	charts := makeAll(t, c, "rsa", "avr")
	var j, v bytes.Buffer
	if err := errors.Join(WriteJSON(&j, c, charts), WriteCSV(&v, c, charts)); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&v).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(&j)
	for _, row := range rows[1:] {
		var object map[string]any
		if err := lines.Decode(&object); err != nil {
			t.Fatal(err)
		}
		if len(object) != len(row) {
			t.Fatalf("%d fields and %d columns", len(object), len(row))
		}
		for i, name := range rows[0] {
			if text, ok := object[name].(string); ok && text == row[i] {
				continue
			}
			if x, err := strconv.ParseFloat(row[i], 64); err != nil || object[name] != x {
				t.Errorf("%s is %v in JSON and %s in CSV", name, object[name], row[i])
			}
		}
	}
	if err := lines.Decode(new(any)); err != io.EOF {
		t.Errorf("JSON has more than the %d rows of CSV: %v", len(rows)-1, err)
	}
}

// TestPlots: an SVG is well-formed and names all lines and lengths; a PNG is a picture
// of as many colours as there are lines, at least.
func TestPlots(t *testing.T) {
	c := choice()
	for _, chart := range makeAll(t, c, "rsa", "avr") {
		var b bytes.Buffer
		if err := chart.WritePlot(&b, c, "svg"); err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if data, ok := token.(xml.CharData); ok {
				text.Write(data)
			}
		}
		for _, want := range []string{chart.Title, chart.Free[1].Name, "256", "512", "dashed"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: the plot does not say %q", chart.Name, want)
			}
		}

		if err := chart.WritePlot(&b, c, "png"); err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		colors := map[[3]uint32]bool{}
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				r, g, b, _ := picture.At(x, y).RGBA()
				colors[[3]uint32{r, g, b}] = true
			}
		}
		if len(colors) < len(chart.Free) {
			t.Errorf("%s: %d colours", chart.Name, len(colors))
		}
	}
}

func TestErrors(t *testing.T) {
	for what, change := range map[string]func(c *Choice){
		"3 bits":      func(c *Choice) { c.Processor.Word = 3 },
		"no lengths":  func(c *Choice) { c.Bits = nil },
		"too short":   func(c *Choice) { c.Bits = []int{MinBits - 1} },
		"too long":    func(c *Choice) { c.Bits = []int{MaxBits + 1} },
		"descending":  func(c *Choice) { c.Bits = []int{512, 256} },
		"no form":     func(c *Choice) { c.Montgomery = model.Barrett },
		"folds":       func(c *Choice) { c.Folds = 12 },
		"less folds":  func(c *Choice) { c.Folds = -1 },
		"leaf":        func(c *Choice) { c.Leaf = -1 },
		"clock":       func(c *Choice) { c.MHz = 0 },
		"not a clock": func(c *Choice) { c.MHz = math.NaN() },
	} {
		c := choice()
		change(c)
		if _, err := Make(c, nil); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, err := Make(choice(), []string{"toom"}); err == nil || !strings.Contains(err.Error(), "karatsuba") {
		t.Errorf("unknown chart: %v", err)
	}
}
