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
	record []byte
}

// NewWriter returns a writer of records to w in the given format; Auto is JSON.
// Records are buffered until Flush.
func NewWriter(w io.Writer, format Format) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 64<<10), format: format}
}

// Header writes what comes before the first record: in CSV, the names of the
// columns.
func (w *Writer) Header() error {
	if w.format != CSV {
		return nil
	}
	_, err := w.w.WriteString("id,result,error\n")
	return err
}

// Result writes the result of a row.
func (w *Writer) Result(row *Row, z *big.Int) error {
	b := w.record[:0]
	if w.format == CSV {
		b = appendCell(b, row.ID.plain())
		b = append(b, ',')
		b = AppendHex(b, z)
		b = append(b, ",\n"...)
	} else {
		b = appendID(b, row.ID)
		b = append(b, `"result":"`...)
		b = AppendHex(b, z)
		b = append(b, "\"}\n"...)
	}
	return w.write(b)
}

// Error writes the record of a row that has no result, so that records and rows
// stay in step.
func (w *Writer) Error(row *Row, reason string) error {
	b := w.record[:0]
	if w.format == CSV {
		b = appendCell(b, row.ID.plain())
		b = append(b, ",,"...)
		b = appendCell(b, reason)
		b = append(b, '\n')
	} else {
		b = appendID(b, row.ID)
		b = append(b, `"line":`...)
		b = strconv.AppendInt(b, int64(row.Line), 10)
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
