package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"residue/cmd/residue/internal/rowio"
)

// results is the sink of commands that compute rows: records to the output, messages
// and progress to standard error.
type results[R item] struct {
	begun    time.Time
	out      output
	format   rowio.Format
	stderr   io.Writer
	progress *progress
	several  bool // files, so that an error record has to name its file
	column   string
	write    func(w *rowio.Writer, row R) error

	w         *rowio.Writer
	rows, bad int
	unflushed struct{ rows, bytes int }
}

func (r *results[R]) start(input rowio.Format) error {
	if r.format == rowio.Auto {
		r.format = input
	}
	r.w = rowio.NewWriter(r.out, r.format, r.column)
	return r.w.Header()
}

func (r *results[R]) row(row R) error {
	h := row.head()
	r.rows++
	r.unflushed.rows++
	r.unflushed.bytes += h.Size
	if h.Err == nil {
		return r.write(r.w, row)
	}
	r.bad++
	text := reason(h.Err)
	fmt.Fprintf(r.progress.messages(r.stderr), "%s:%d: %s\n", h.File, h.Line, text)
	if r.several {
		text = h.File + ": " + text
	}
	return r.w.Error(h, text)
}

func (r *results[R]) flush() error {
	r.progress.add(r.unflushed.rows, r.unflushed.bytes)
	r.unflushed.rows, r.unflushed.bytes = 0, 0
	return r.w.Flush()
}

// close ends the output, and returns what the command ends with, for a pipeline
// that ended with err.
func (r *results[R]) close(err error) error {
	if err == nil {
		if err := r.out.commit(); err != nil {
			return err
		}
		if r.bad > 0 {
			return &statusError{status: exitBad}
		}
		return nil
	}
	if name, keepErr := r.out.abandon(); name != "" && keepErr == nil {
		err = fmt.Errorf("%w (the results so far are in %s)", err, name)
	}
	if errors.Is(err, context.Canceled) {
		return &statusError{exitInterrupted, fmt.Errorf("interrupted%s",
			strings.TrimPrefix(err.Error(), context.Canceled.Error()))}
	}
	return err
}

// summary is the command's last line.
func (r *results[R]) summary(kernel string) {
	bad := ""
	if r.bad > 0 {
		bad = fmt.Sprintf(" (%d bad)", r.bad)
	}
	elapsed := time.Since(r.begun)
	fmt.Fprintf(r.stderr, "%s%s in %.2f s, %s, kernel %s\n",
		count(int64(r.rows)), bad, elapsed.Seconds(), rate(int64(r.rows), elapsed), kernel)
}
