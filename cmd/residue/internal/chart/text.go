package chart

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"residue/barrett/model"
)

// none stands in a cell for what there is not.
const none = "–"

// describe says in a few lines what the processor is, for all charts.
func describe(c *Choice) []string {
	p := c.Processor
	decides := "what need not be added is skipped by a branch that costs nothing"
	if p.Masked {
		decides = "what need not be added is masked and added (constant time)"
	}
	carry := "a carry into the higher of two words is part of the addition to the lower"
	if p.Carry > 0 {
		carry = fmt.Sprintf("a carry into the higher of two words costs %d", p.Carry)
	}
	scan := "by operand scanning (2 additions a multiplication)"
	if p.Scan == model.Product {
		scan = "by columns (3 additions a multiplication)"
	}
	leaf := "the best number of words"
	if c.Leaf > 0 {
		leaf = plural(c.Leaf, "word")
	}
	return []string{
		fmt.Sprintf("Words have %d bits. An addition costs 1 cycle, a multiplication %d; %s; %s; loops and calls cost nothing.", p.Word, p.Mul, carry, decides),
		fmt.Sprintf("Schoolbook products are made %s, and Karatsuba's method ends at %s.", scan, leaf),
	}
}

// memoryNote says what loads and stores change.
func (c *computer) memoryNote(chart *Chart) string {
	p := c.choice.Processor
	note := fmt.Sprintf("Memory is free in the first table and not in the second, where a load costs %d and a store %d: "+
		"an addition of numbers is %d cycles a word then instead of 1, so that Karatsuba's method ends at longer leaves",
		p.Load, p.Store, 1+2*p.Load+p.Store)
	free, memory := &chart.Free[chart.headline], &chart.Memory[chart.headline]
	var changes []string
	for _, f := range free.Points {
		if m := memory.at(f.Bits); m != nil {
			changes = append(changes, fmt.Sprintf("%s instead of %s at %d bits", decimal(m.Value), decimal(f.Value), f.Bits))
		}
	}
	if len(changes) == 0 {
		return note + "."
	}
	if last := len(changes) - 1; last > 1 {
		changes = []string{changes[0], changes[last]}
	}
	return fmt.Sprintf("%s. “%s”: %s.", note, free.Name, strings.Join(changes, ", "))
}

// Write writes charts as tables, each with what is assumed.
func Write(w io.Writer, c *Choice, charts []*Chart) error {
	var b strings.Builder
	for _, line := range describe(c) {
		wrap(&b, line)
	}
	for _, chart := range charts {
		chart.write(&b, c)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (chart *Chart) write(b *strings.Builder, c *Choice) {
	fmt.Fprintf(b, "\n%s (%s)\n", chart.Title, chart.Name)
	head := chart.Unit
	if chart.Unit == Times {
		head = fmt.Sprintf("cycles of %s, and how many times faster the others are", chart.Base)
	}
	fmt.Fprintf(b, "\n%s; memory is free\n", head)
	table(b, c, chart.Free)
	fmt.Fprintf(b, "\n%s; a load costs %d, a store %d\n", head, c.Processor.Load, c.Processor.Store)
	table(b, c, chart.Memory)
	fmt.Fprintln(b)
	for _, note := range chart.Notes {
		wrap(b, note)
	}
}

// lineLength is the length of lines of text.
const lineLength = 100

// wrap writes a paragraph.
func wrap(b *strings.Builder, paragraph string) {
	length := 0
	for word := range strings.FieldsSeq(paragraph) {
		n := utf8.RuneCountInString(word)
		switch {
		case length == 0:
		case length+1+n > lineLength:
			b.WriteByte('\n')
			length = 0
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += n
	}
	b.WriteByte('\n')
}

// table writes series as columns, a length a row.
func table(b *strings.Builder, c *Choice, all []Series) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells []string) { fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") }
	heads := []string{"bits"}
	for _, s := range all {
		heads = append(heads, s.Name)
	}
	row(heads)
	for _, nbits := range c.Bits {
		cells := []string{fmt.Sprint(nbits)}
		for i := range all {
			cells = append(cells, all[i].cell(nbits))
		}
		row(cells)
	}
	w.Flush()
}

func (s *Series) cell(nbits int) string {
	p := s.at(nbits)
	switch {
	case p == nil:
		return none
	case s.Unit == Cycles:
		return fmt.Sprint(p.Cycles)
	default:
		return decimal(p.Value)
	}
}

// decimal writes a value with two decimals, or with two digits if it is small.
func decimal(x float64) string {
	if x < 0.1 {
		return fmt.Sprintf("%.2g", x)
	}
	return fmt.Sprintf("%.2f", x)
}
