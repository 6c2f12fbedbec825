package chart

import (
	"fmt"
	"slices"
	"strings"

	"residue/barrett/model"
)

// Chart is a chart of the slides.
type Chart struct {
	Name  string
	Title string
	// Unit is what values are: Times or Minutes.
	Unit string
	// Base is what the series are compared with. Its values are cycles.
	Base string
	// Free has the series with free memory, the base first, and Memory the same with
	// loads and stores that cost something.
	Free, Memory []Series
	// scale says what the values are, along the axis.
	scale string
	// headline is the series that the note on memory tells of.
	headline int
	// Notes say what is assumed, and what changes when memory is not free.
	Notes []string
}

// The units of values.
const (
	Times   = "times"
	Minutes = "minutes"
	Cycles  = "cycles"
)

// Series is a line of a chart.
type Series struct {
	Name   string
	Unit   string
	Points []Point
}

// Point is a point of a line.
type Point struct {
	Bits   int
	Value  float64 // in the chart's unit; cycles for the base
	Leaf   int     // words up to which products were made by the schoolbook method, or 0
	Cycles int     // of the operation
	Count  model.Count
}

// at returns the point for a length, or nil.
func (s *Series) at(nbits int) *Point {
	i := slices.IndexFunc(s.Points, func(p Point) bool { return p.Bits == nbits })
	if i < 0 {
		return nil
	}
	return &s.Points[i]
}

// charts are the charts in the order of the slides.
var charts = []struct {
	name string
	make func(c *computer) (*Chart, error)
}{
	{"karatsuba", karatsuba},
	{"barrett", barrett},
	{"folding", folding},
	{"iterated", iterated},
	{"rsa", rsa},
	{"avr", avr},
}

// Names returns the names of the charts.
func Names() []string {
	var names []string
	for _, c := range charts {
		names = append(names, c.name)
	}
	return names
}

// Make makes the charts of these names, all if there are none.
func Make(choice *Choice, names []string) ([]*Chart, error) {
	if err := choice.Validate(); err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("unknown chart %q (known: %s)", name, strings.Join(Names(), ", "))
		}
	}
	c := newComputer(choice)
	var made []*Chart
	for _, one := range charts {
		if len(names) > 0 && !slices.Contains(names, one.name) {
			continue
		}
		chart, err := one.make(c)
		if err != nil {
			return nil, err
		}
		chart.Name = one.name
		chart.Notes = append(chart.Notes, c.memoryNote(chart))
		made = append(made, chart)
	}
	return made, nil
}

// line is a series to be: an operation, and what it is compared with if that is not
// the base of the chart.
type line struct {
	name string
	operation
	against *operation
}

// compare makes a chart of how many times faster operations are than a base.
// headline is the line that the note on memory tells of.
func (c *computer) compare(title, baseName string, base operation, lines []line, headline string, notes ...string) (*Chart, error) {
	chart := &Chart{Title: title, Unit: Times, Base: baseName, scale: "times faster", Notes: notes}
	if !slices.ContainsFunc(lines, func(l line) bool { return l.against != nil }) {
		chart.scale += " than " + baseName
	}
	chart.headline = 1 + slices.IndexFunc(lines, func(l line) bool { return l.name == headline })
	for _, memory := range []bool{false, true} {
		all := make([]Series, 1+len(lines))
		all[0] = Series{Name: baseName, Unit: Cycles}
		for i, l := range lines {
			all[i+1] = Series{Name: l.name, Unit: Times}
		}
		for _, nbits := range c.choice.Bits {
			p, err := c.point(base, nbits, memory)
			if err != nil {
				return nil, err
			}
			if p != nil {
				p.Value = float64(p.Cycles)
				all[0].Points = append(all[0].Points, *p)
			}
			for i, l := range lines {
				p, err := c.ratio(l, base, nbits, memory)
				if err != nil {
					return nil, err
				}
				if p != nil {
					all[i+1].Points = append(all[i+1].Points, *p)
				}
			}
		}
		chart.set(memory, all)
	}
	return chart, nil
}

// set sets the series with free memory or the others.
func (chart *Chart) set(memory bool, all []Series) {
	if memory {
		chart.Memory = all
	} else {
		chart.Free = all
	}
}

// ratio is a point of a line.
func (c *computer) ratio(l line, base operation, nbits int, memory bool) (*Point, error) {
	if l.against != nil {
		base = *l.against
	}
	p, err := c.point(l.operation, nbits, memory)
	if err != nil || p == nil {
		return nil, err
	}
	b, err := c.point(base, nbits, memory)
	if err != nil || b == nil {
		return nil, err
	}
	p.Value = float64(b.Cycles) / float64(p.Cycles)
	return p, nil
}
