package rowio

import (
	"bytes"
	"fmt"
	"slices"
)

// csvHeader says what every column is: the index of a field, fieldID or fieldOther.
type csvHeader []int

// parseHeader reads the header line. Every field must have a column or a value without
// one, and no field two.
func parseHeader(line []byte, fields []field, columns string) (csvHeader, error) {
	cells, err := splitCSV(line, nil)
	if err != nil {
		return nil, err
	}
	var h csvHeader
	own := 0 // columns that are fields
	for _, cell := range cells {
		name := bytes.ToLower(cell)
		f := fieldNamed(fields, name)
		if f != fieldOther && slices.Contains(h, f) {
			return nil, fmt.Errorf("the CSV header has two columns %q", name)
		}
		if f >= 0 {
			own++
		}
		h = append(h, f)
	}
	if own == 0 {
		return nil, fmt.Errorf("neither a JSON object nor a CSV header with the %s", columns)
	}
	for i, f := range fields {
		switch {
		case f.given || slices.Contains(h, i):
		case f.flag == "":
			return nil, fmt.Errorf("the CSV header has no column %q", f.name)
		default:
			return nil, fmt.Errorf("the CSV header has no column %q, and %s is not given", f.name, f.flag)
		}
	}
	return h, nil
}

// parseCSV sets row from the cells of a record. An empty cell is no value. As in
// parseJSON, a row with a bad value still has its id.
func parseCSV[R any](k kind[R], h csvHeader, row *R, cells [][]byte) error {
	if len(cells) != len(h) {
		return fmt.Errorf("%d CSV columns, want the header's %d", len(cells), len(h))
	}
	var wrong error
	for i, cell := range cells {
		switch f := h[i]; {
		case f == fieldOther || len(cell) == 0:
		case f == fieldID:
			k.head(row).ID = textID(cell)
		default:
			if err := k.setText(row, f, cell); err != nil && wrong == nil {
				wrong = err
			}
		}
	}
	return wrong
}

// splitCSV appends the cells of a line to cells, without the space around them.
// A cell may be quoted, with quotes inside it doubled, and ends with its line.
func splitCSV(line []byte, cells [][]byte) ([][]byte, error) {
	for {
		line = bytes.TrimLeft(line, " \t")
		var cell []byte
		if len(line) > 0 && line[0] == '"' {
			var ok bool
			if cell, line, ok = cutQuoted(line[1:]); !ok {
				return cells, fmt.Errorf("CSV column %d: the quote is not closed", len(cells)+1)
			}
			line = bytes.TrimLeft(line, " \t\r")
			if len(line) > 0 && line[0] != ',' {
				return cells, fmt.Errorf("CSV column %d: text after the closing quote", len(cells)+1)
			}
		} else {
			end := bytes.IndexByte(line, ',')
			if end < 0 {
				end = len(line)
			}
			cell, line = bytes.TrimRight(line[:end], " \t\r"), line[end:]
		}
		cells = append(cells, cell)
		if len(line) == 0 {
			return cells, nil
		}
		line = line[1:]
	}
}

// cutQuoted returns the contents of a quoted cell and what follows its quote.
func cutQuoted(text []byte) (cell, rest []byte, ok bool) {
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return nil, nil, false
		}
		if i+1 == len(text) || text[i+1] != '"' {
			if cell == nil {
				return text[:i], text[i+1:], true
			}
			return append(cell, text[:i]...), text[i+1:], true
		}
		cell = append(cell, text[:i+1]...)
		text = text[i+2:]
	}
}

// appendCell appends a cell, quoted if it has to be.
func appendCell(dst []byte, text string) []byte {
	if !needsQuotes(text) {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for i := range len(text) {
		if text[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, text[i])
	}
	return append(dst, '"')
}

func needsQuotes(text string) bool {
	if text == "" {
		return false
	}
	for i := range len(text) {
		switch text[i] {
		case ',', '"', '\n', '\r':
			return true
		}
	}
	first, last := text[0], text[len(text)-1]
	return first == ' ' || first == '\t' || last == ' ' || last == '\t'
}
