package rowio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// DefaultMaxRow is how long a row may be, in bytes, unless a limit is given: room
// for 16384-bit numbers (4096 digits) many times over, and for exponents of
// millions of bits.
const DefaultMaxRow = 1 << 20

// readBuffer is how much is read at a time: more than a hundred rows of 2048 bits.
const readBuffer = 256 << 10

// lineReader splits its input into lines of bounded length.
type lineReader struct {
	r     *bufio.Reader
	limit int    // longest line, in bytes, without its end
	long  []byte // a line that does not fit r's buffer
}

func newLineReader(r io.Reader, limit, buffer int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, buffer), limit: limit}
}

// next returns the next line without its end (LF or CRLF), valid until the next
// call, and the number of bytes that it took with it. A line over the limit is
// read past without being kept, and is a *longLine error. After the last line,
// which may lack its newline, the error is io.EOF.
func (l *lineReader) next() (line []byte, size int, err error) {
	l.long = l.long[:0]
	for tooLong := false; ; {
		part, err := l.r.ReadSlice('\n')
		size += len(part)
		more := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !more && (!errors.Is(err, io.EOF) || size == 0) {
			return nil, size, err
		}
		line = part
		if more || size > len(part) {
			tooLong = tooLong || size-len("\r\n") > l.limit
			if !tooLong {
				l.long = append(l.long, part...)
			}
			line = l.long
		}
		if more {
			continue
		}
		line = trimEnd(line)
		if tooLong || len(line) > l.limit {
			return nil, size, &longLine{limit: l.limit}
		}
		return line, size, nil
	}
}

// trimEnd removes LF or CRLF.
func trimEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
		if n > 1 && line[n-2] == '\r' {
			line = line[:n-2]
		}
	}
	return line
}

// longLine is the error for a row over the size limit.
type longLine struct{ limit int }

func (e *longLine) Error() string {
	return fmt.Sprintf("the row is longer than the limit of %d bytes", e.limit)
}
