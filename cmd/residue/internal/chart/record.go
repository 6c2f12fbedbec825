package chart

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
)

// record is a point for programs.
type record struct {
	Chart  string `json:"chart"`
	Series string `json:"series"`
	Unit   string `json:"unit"`
	Bits   int    `json:"bits"`
	// What the processor's operations cost.
	Word  int `json:"word"`
	Mul   int `json:"mul_cycles"`
	Carry int `json:"carry_cycles"`
	Load  int `json:"load_cycles"`
	Store int `json:"store_cycles"`

	Value  float64 `json:"value"`
	Leaf   int     `json:"leaf"` // 0 where there is none
	Cycles int     `json:"cycles"`
	// What was executed.
	Muls   int `json:"muls"`
	Adds   int `json:"adds"`
	Loads  int `json:"loads"`
	Stores int `json:"stores"`
}

// records calls f with every point of the charts.
func records(c *Choice, charts []*Chart, f func(r record) error) error {
	p := c.Processor
	for _, chart := range charts {
		for i, all := range [][]Series{chart.Free, chart.Memory} {
			for _, s := range all {
				for _, at := range s.Points {
					r := record{
						Chart: chart.Name, Series: s.Name, Unit: s.Unit, Bits: at.Bits,
						Word: p.Word, Mul: p.Mul, Carry: p.Carry,
						Value: at.Value, Leaf: at.Leaf, Cycles: at.Cycles,
						Muls: at.Count.Mul, Adds: at.Count.Add, Loads: at.Count.Load, Stores: at.Count.Store,
					}
					if i == 1 {
						r.Load, r.Store = p.Load, p.Store
					}
					if err := f(r); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// WriteJSON writes one JSON object a point.
func WriteJSON(w io.Writer, c *Choice, charts []*Chart) error {
	lines := json.NewEncoder(w)
	return records(c, charts, func(r record) error { return lines.Encode(r) })
}

// WriteCSV writes one line a point, after a header with the names of JSON's fields.
func WriteCSV(w io.Writer, c *Choice, charts []*Chart) error {
	lines := csv.NewWriter(w)
	if err := lines.Write([]string{
		"chart", "series", "unit", "bits", "word", "mul_cycles", "carry_cycles", "load_cycles", "store_cycles",
		"value", "leaf", "cycles", "muls", "adds", "loads", "stores",
	}); err != nil {
		return err
	}
	err := records(c, charts, func(r record) error {
		cells := []string{r.Chart, r.Series, r.Unit}
		for _, n := range []int{r.Bits, r.Word, r.Mul, r.Carry, r.Load, r.Store} {
			cells = append(cells, strconv.Itoa(n))
		}
		cells = append(cells, strconv.FormatFloat(r.Value, 'g', -1, 64))
		for _, n := range []int{r.Leaf, r.Cycles, r.Muls, r.Adds, r.Loads, r.Stores} {
			cells = append(cells, strconv.Itoa(n))
		}
		return lines.Write(cells)
	})
	lines.Flush()
	if err != nil {
		return err
	}
	return lines.Error()
}
