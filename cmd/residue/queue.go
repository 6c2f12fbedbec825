package main

import (
	"sync"
	"time"
)

// queue holds the rows that have been read and are not being computed yet. One
// goroutine puts rows in, another takes all that are there as a batch.
//
// While the computation is busy, rows gather into a batch that fills vectors and
// keeps every core at work. When the reader has to wait for input and there is
// nothing else to do, the rows that have arrived are a batch, so that a program
// at the other end of a pipe gets its answers without having to close it.
type queue[R item] struct {
	mu      sync.Mutex
	changed sync.Cond
	rows    []R
	bytes   int
	work    float64
	limits  limits
	waiting bool // the reader is waiting for its input
	ended   bool // there will be no more rows
	stopped bool // nobody wants any more rows
}

// limits bound a batch. It is full with rows or bytes, or with work once it has
// least rows.
type limits struct {
	rows  int
	bytes int
	work  float64
	least int
}

// batchTime is how long a batch should take: short enough for progress to be
// seen, and long enough for the ends of batches, where cores run out of work, not
// to matter.
const batchTime = 300 * time.Millisecond

// batchLimits bound the memory that rows take by that of a few thousand a core.
// The work is that of a few hundred exponentiations of 2048 bits, until tune knows better.
func batchLimits(cores int) limits {
	const lanes = 8
	return limits{rows: 2048 * cores, bytes: cores << 21, work: 4e8, least: 2 * lanes * cores}
}

// tune sets the work of a batch from how long it took to do some.
func (q *queue[R]) tune(done float64, took time.Duration) {
	if took < batchTime/10 && done < 1e8 {
		return // too little to tell
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.limits.work = done * float64(batchTime) / float64(max(took, time.Millisecond))
	q.changed.Broadcast() // for put as well: there may be room now
}

func newQueue[R item](l limits) *queue[R] {
	q := &queue[R]{limits: l}
	q.changed.L = &q.mu
	return q
}

func (q *queue[R]) full() bool {
	return len(q.rows) >= q.limits.rows || q.bytes >= q.limits.bytes ||
		q.work >= q.limits.work && len(q.rows) >= q.limits.least
}

// put adds a row, when there is room. It reports whether rows are still wanted.
func (q *queue[R]) put(row R) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.full() && !q.stopped {
		q.changed.Wait()
	}
	q.rows = append(q.rows, row)
	q.bytes += row.head().Size
	if row.head().Err == nil {
		q.work += row.work()
	}
	if q.full() {
		q.changed.Broadcast()
	}
	return !q.stopped
}

// wait tells whether the reader is waiting for its input.
func (q *queue[R]) wait(waiting bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = waiting
	if waiting && len(q.rows) > 0 {
		q.changed.Broadcast()
	}
}

// end tells that there are no more rows.
func (q *queue[R]) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.changed.Broadcast()
}

// stop makes put and take return at once.
func (q *queue[R]) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	q.changed.Broadcast()
}

// take returns the next batch, or nil when there are no more.
func (q *queue[R]) take() []R {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.full() && !q.ended && !q.stopped && (!q.waiting || len(q.rows) == 0) {
		q.changed.Wait()
	}
	if q.stopped {
		return nil
	}
	rows := q.rows
	q.rows, q.bytes, q.work = nil, 0, 0
	q.changed.Broadcast()
	return rows
}
