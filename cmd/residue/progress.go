package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// isTerminal reports whether a stream is a terminal that can redraw a line.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// progress is a bar on a terminal: rows, rows a second and, when the length of
// the input is known, how much of it is done and how long the rest will take. A
// nil *progress shows nothing.
type progress struct {
	container *mpb.Progress
	bar       *mpb.Bar
	rows      atomic.Int64
	begun     time.Time
}

// newProgress shows a bar for an input of size bytes, or of unknown size if that
// is 0.
func newProgress(w io.Writer, size int64) *progress {
	p := &progress{begun: time.Now()}
	p.container = mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(100*time.Millisecond))
	options := []mpb.BarOption{
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Any(p.rowsDone)),
	}
	if size > 0 {
		options = append(options, mpb.AppendDecorators(
			decor.Percentage(), decor.Any(func(s decor.Statistics) string {
				return " " + remaining(time.Since(p.begun), s.Current, s.Total)
			})))
		p.bar = p.container.New(size, mpb.BarStyle(), options...)
	} else {
		p.bar = p.container.New(0, mpb.SpinnerStyle().PositionLeft(), options...)
	}
	return p
}

func (p *progress) rowsDone(decor.Statistics) string {
	rows := p.rows.Load()
	return fmt.Sprintf("%s, %s ", count(rows), rate(rows, time.Since(p.begun)))
}

// remaining estimates how long the rest will take, from how long it took so far.
func remaining(elapsed time.Duration, done, total int64) string {
	if done <= 0 || total <= done {
		return ""
	}
	left := time.Duration(float64(elapsed) / float64(done) * float64(total-done))
	return left.Round(time.Second).String() + " left"
}

// count is a number of rows, for people.
func count(rows int64) string {
	if rows == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", rows)
}

// rate is a number of rows a second, for people.
func rate(rows int64, elapsed time.Duration) string {
	if elapsed <= 0 {
		return "0 rows/s"
	}
	perSecond := float64(rows) / elapsed.Seconds()
	if perSecond < 100 {
		return fmt.Sprintf("%.3g rows/s", perSecond)
	}
	return fmt.Sprintf("%.0f rows/s", perSecond)
}

// add counts rows that are done and the bytes of input that they took.
func (p *progress) add(rows, bytes int) {
	if p == nil {
		return
	}
	p.rows.Add(int64(rows))
	p.bar.IncrBy(bytes)
}

// messages returns where messages go while the bar is shown on w: above it.
func (p *progress) messages(w io.Writer) io.Writer {
	if p == nil {
		return w
	}
	return p.container
}

// end takes the bar away.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.bar.Abort(true)
	p.container.Wait()
}
