package chart

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Formats are the formats that plots can have.
var Formats = []string{"svg", "png"}

// The size of a plot.
const (
	plotWidth  = 8 * vg.Inch
	plotHeight = 5 * vg.Inch
)

// WritePlot writes a chart as a plot: lines for free memory, dashed ones of the same
// colour for memory that is not.
func (chart *Chart) WritePlot(w io.Writer, c *Choice, format string) error {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s\nwords of %d bits, a multiplication %d cycles; dashed: a load %d, a store %d",
		chart.Title, c.Processor.Word, c.Processor.Mul, c.Processor.Load, c.Processor.Store)
	p.Title.Padding = vg.Points(8)
	p.X.Label.Text = "bits"
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = lengths(c.Bits)
	p.Y.Label.Text = chart.scale
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	for i, all := range [][]Series{chart.Free, chart.Memory} {
		for color, s := range all {
			if s.Unit != chart.Unit || len(s.Points) == 0 {
				continue
			}
			if err := addLine(p, &s, color, i == 1); err != nil {
				return err
			}
		}
	}
	// A logarithmic axis needs some length, and the legend some room above the lines.
	p.X.Min, p.X.Max = float64(c.Bits[0])/1.1, float64(c.Bits[len(c.Bits)-1])*1.1
	room := legendLine * float64(len(chart.Free)+1)
	if chart.Unit == Minutes {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		p.Y.Min /= 2
		p.Y.Max *= math.Pow(p.Y.Max/p.Y.Min, room)
	} else {
		p.Y.Max += room * (p.Y.Max - p.Y.Min)
	}
	to, err := p.WriterTo(plotWidth, plotHeight, format)
	if err != nil {
		return err
	}
	_, err = to.WriteTo(w)
	return err
}

// legendLine is the height of a line of the legend, as a part of the axis.
const legendLine = 0.06

// addLine adds a series to a plot.
func addLine(p *plot.Plot, s *Series, color int, dashed bool) error {
	var xys plotter.XYs
	for _, at := range s.Points {
		xys = append(xys, plotter.XY{X: float64(at.Bits), Y: at.Value})
	}
	line, points, err := plotter.NewLinePoints(xys)
	if err != nil {
		return err
	}
	line.Color = plotutil.Color(color)
	line.Width = vg.Points(1.5)
	points.Color = line.Color
	points.Shape = draw.CircleGlyph{}
	points.Radius = vg.Points(2)
	p.Add(line, points)
	if dashed {
		line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	} else {
		p.Legend.Add(s.Name, line)
	}
	return nil
}

// lengths marks an axis at the lengths that were chosen, but for those that stand
// too close to the one before to be read.
type lengths []int

// Ticks returns the marks.
func (l lengths) Ticks(_, _ float64) []plot.Tick {
	var ticks []plot.Tick
	last := 0.
	for _, n := range slices.Sorted(slices.Values(l)) {
		x, label := float64(n), strconv.Itoa(n)
		if math.Log2(x/max(last, 1)) < 0.25 {
			label = ""
		} else {
			last = x
		}
		ticks = append(ticks, plot.Tick{Value: x, Label: label})
	}
	return ticks
}
