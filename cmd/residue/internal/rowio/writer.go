package rowio

import (
	"bufio"
	"io"
	"math/big"
	"strconv"
)

// Writer writes one record a row.
type Writer struct {
	w      *bufio.Writer
	format Format
	column string
	record []byte
}

// NewWriter returns a writer of records to w in the given format; Auto is JSON. column is
// the name of what holds a row's result. Records are buffered until Flush.
func NewWriter(w io.Writer, format Format, column string) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 64<<10), format: format, column: column}
}

// Header writes what comes before the first record: in CSV, the names of the
// columns.
func (w *Writer) Header() error {
	if w.format != CSV {
		return nil
	}
	_, err := w.w.WriteString("id," + w.column + ",error\n")
	return err
}

// Number writes the result of a row, a number z ≥ 0, in hex.
func (w *Writer) Number(h *Head, z *big.Int) error {
	b := w.begin(h)
	if w.format == CSV {
		return w.end(AppendHex(b, z))
	}
	return w.end(append(AppendHex(append(b, '"'), z), '"'))
}

// Coefficients writes the result of a row, a polynomial: in JSON an array, in CSV a cell
// with blanks between numbers.
func (w *Writer) Coefficients(h *Head, c []int64) error {
	b := w.begin(h)
	separator := byte(' ')
	if w.format != CSV {
		b, separator = append(b, '['), ','
	}
	for i, v := range c {
		if i > 0 {
			b = append(b, separator)
		}
		b = strconv.AppendInt(b, v, 10)
	}
	if w.format != CSV {
		b = append(b, ']')
	}
	return w.end(b)
}

// begin returns what comes before a row's result.
func (w *Writer) begin(h *Head) []byte {
	b := w.record[:0]
	if w.format == CSV {
		return append(appendCell(b, h.ID.plain()), ',')
	}
	b = append(appendID(b, h.ID), '"')
	b = append(b, w.column...)
	return append(b, `":`...)
}

// end writes a record, of which what comes after the result is missing.
func (w *Writer) end(b []byte) error {
	if w.format == CSV {
		return w.write(append(b, ",\n"...))
	}
	return w.write(append(b, "}\n"...))
}

// Error writes the record of a row that has no result, so that records and rows
// stay in step.
func (w *Writer) Error(h *Head, reason string) error {
	b := w.record[:0]
	if w.format == CSV {
		b = appendCell(b, h.ID.plain())
		b = append(b, ",,"...)
		b = appendCell(b, reason)
		b = append(b, '\n')
	} else {
		b = appendID(b, h.ID)
		b = append(b, `"line":`...)
		b = strconv.AppendInt(b, int64(h.Line), 10)
		b = append(b, `,"error":`...)
		b = appendQuoted(b, reason)
		b = append(b, "}\n"...)
	}
	return w.write(b)
}

// Flush writes the records that are still buffered.
func (w *Writer) Flush() error { return w.w.Flush() }

func (w *Writer) write(record []byte) error {
	w.record = record
	_, err := w.w.Write(record)
	return err
}

// appendID opens a JSON record, with the id if there is one.
func appendID(dst []byte, id ID) []byte {
	dst = append(dst, '{')
	if id.IsZero() {
		return dst
	}
	dst = append(dst, `"id":`...)
	dst = id.appendJSON(dst)
	return append(dst, ',')
}
