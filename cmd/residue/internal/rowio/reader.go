package rowio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Options say how to read rows.
type Options struct {
	File   string // the name that rows and errors carry
	Format Format
	MaxRow int // longest row in bytes; 0 is DefaultMaxRow
}

// Reader reads the rows of one file.
type Reader[R any] struct {
	lines  *lineReader
	opts   Options
	kind   kind[R]
	fields []field
	format Format // Auto until the first line has told
	header csvHeader
	cells  [][]byte
	line   int // of the last line read
	size   int // bytes read since the last row
}

// NewReader returns a reader of the rows in r, of the kind whose shared values are given:
// a [Shared] for exponentiations, a [SharedProduct] for products.
func NewReader[R any](r io.Reader, opts Options, shared kind[R]) *Reader[R] {
	if opts.MaxRow == 0 {
		opts.MaxRow = DefaultMaxRow
	}
	return &Reader[R]{
		lines: newLineReader(r, opts.MaxRow, readBuffer), opts: opts,
		kind: shared, fields: shared.fields(), format: opts.Format,
	}
}

// Format returns the format of the rows, which is Auto while nothing has told.
func (r *Reader[R]) Format() Format { return r.format }

// FileError is what is wrong with a file as a whole, so that no row of it can be
// read.
type FileError struct {
	File string
	Line int
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }

func (r *Reader[R]) fileError(err error) error {
	return &FileError{File: r.opts.File, Line: r.line, Err: err}
}

// Next returns the next row, which may be one that has an error itself. The error
// of Next is io.EOF at the end, a *FileError, or the input's; there are no more
// rows after it.
func (r *Reader[R]) Next() (row R, err error) {
	for {
		line, err := r.readLine()
		var long *longLine
		switch {
		case errors.As(err, &long):
			if r.format == CSV && r.header == nil {
				return row, r.fileError(err)
			}
			return r.finish(row, long), nil
		case err != nil:
			return row, err
		case len(bytes.TrimSpace(line)) == 0:
			continue
		}
		if r.format == Auto {
			r.format = detect(line)
		}
		if r.format == CSV && r.header == nil {
			if r.header, err = parseHeader(line, r.fields, r.kind.columns()); err != nil {
				return row, r.fileError(err)
			}
			continue
		}
		err = r.parse(&row, line)
		return r.finish(row, err), nil
	}
}

// readLine returns the next line, without the byte order mark.
func (r *Reader[R]) readLine() ([]byte, error) {
	line, size, err := r.lines.next()
	r.size += size
	if size > 0 {
		r.line++
	}
	if err == nil && r.line == 1 {
		if bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
			return nil, r.fileError(errUTF16)
		}
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return line, err
}

// detect tells the format from a file's first line that is not blank.
func detect(line []byte) Format {
	if c := bytes.TrimSpace(line)[0]; c == '{' || c == '[' {
		return JSON
	}
	return CSV
}

// parse sets row from a line.
func (r *Reader[R]) parse(row *R, line []byte) (err error) {
	if r.format == CSV {
		r.cells, err = splitCSV(line, r.cells[:0])
		if err == nil {
			err = parseCSV(r.kind, r.header, row, r.cells)
		}
	} else {
		err = parseJSON(r.kind, r.fields, row, line)
	}
	if err == nil {
		err = r.kind.complete(row)
	}
	return err
}

// finish adds to a row where it is, and what is wrong with it.
func (r *Reader[R]) finish(row R, err error) R {
	h := r.kind.head(&row)
	h.File, h.Line, h.Size, h.Err = r.opts.File, r.line, r.size, err
	r.size = 0
	return row
}

// String names the format, as a flag does.
func (f Format) String() string {
	switch f {
	case Auto:
		return "auto"
	case JSON:
		return "json"
	case CSV:
		return "csv"
	}
	return fmt.Sprintf("Format(%d)", int(f))
}
