// Package measure times short routines in core cycles on a machine whose clock
// it does not control and whose core others may share.
//
// The time-stamp counter does not tick at the core's frequency, and a neighbour
// on the same core takes vector slots without slowing a chain of additions. So
// every sample stands between two calibrations: a chain of dependent additions,
// one a cycle, says how long a cycle is; a loop of independent 512-bit VPMADD52
// and one of instructions that do nothing say whether the vector ports and the
// front end are free. (With a busy neighbour the queues are halved as well, and a
// kernel that depends on them slows down while its ports look free.) Samples
// whose calibrations disagree are dropped.
package measure

import (
	"math"
	"runtime"
	"slices"
	"time"
)

// The tolerances of a sample, and its parts' lengths.
const (
	chainTolerance = 0.01 // the two chains may differ by this much
	portTolerance  = 0.02 // the port loops may be this much above the limit
	frontTolerance = 0.05 // and the front-end loops above the best seen
	chainTurns     = 60   // turns of 16 additions
	portTurns      = 60   // turns of 16 madds
	frontTurns     = 60   // turns of 64 nops
	sampleCycles   = 4000 // repeat a short routine until it takes about this long
	enoughSamples  = 3000 // quiet samples after which more change nothing
)

// Meter measures routines one after the other on one thread.
type Meter struct {
	empty float64 // ticks between two reads of the counter with nothing between
	// Ticks that a calibration loop takes beside its turns: the reads of the
	// counter, the call, and the mispredicted end of the loop.
	chainEnds, portEnds, frontEnds float64
	port                           float64 // cycles a madd on a quiet core
	front                          float64 // cycles a turn of nops on a quiet core
}

// Result is what a measurement found.
type Result struct {
	// Cycles is the fewest core cycles that one call took; 0 where there is no
	// cycle counter.
	Cycles float64
	// Nanoseconds is the least wall-clock time that one call took.
	Nanoseconds float64
	// Quiet says whether the figures come from samples during which nobody else
	// used the core's vector ports. Where false they are upper bounds.
	Quiet bool
	// Samples is the number of samples that the figures were chosen from.
	Samples int
}

// NewMeter calibrates. The caller should stay on one thread: see
// [runtime.LockOSThread].
func NewMeter() *Meter {
	m := &Meter{}
	if !HasCycles() {
		return m
	}
	m.empty = least(func() {})
	m.chainEnds = 2*least(func() { addChain(chainTurns) }) - least(func() { addChain(2 * chainTurns) })
	m.portEnds = 2*least(func() { madds(portTurns) }) - least(func() { madds(2 * portTurns) })
	m.frontEnds = 2*least(func() { nops(frontTurns) }) - least(func() { nops(2 * frontTurns) })
	// A low quantile, not the least: one interrupted chain makes the ports look
	// faster than they are.
	m.port = m.quantile(m.madd)
	m.front = m.quantile(m.nop)
	// A core executes a whole number of madds a cycle.
	m.port = 1 / math.Round(1/m.port)
	return m
}

// MaddsPerCycle is the port limit: how many independent 512-bit VPMADD52 this
// core executes in a cycle; 0 if it has none or no cycle counter.
func (m *Meter) MaddsPerCycle() float64 {
	if !HasCycles() || m.port == 0 {
		return 0
	}
	return 1 / m.port
}

func ticks(f func()) uint64 {
	start := timestamp()
	f()
	return timestamp() - start
}

// least returns the fewest ticks that f took in many calls.
func least(f func()) float64 {
	best := uint64(math.MaxUint64)
	for range 4000 {
		best = min(best, ticks(f))
	}
	return float64(best)
}

// chain returns the ticks that one core cycle takes now.
func (m *Meter) chain() float64 {
	return (float64(ticks(func() { addChain(chainTurns) })) - m.chainEnds) / (16 * chainTurns)
}

// madd returns the ticks that one madd of many takes now.
func (m *Meter) madd() float64 {
	return (float64(ticks(func() { madds(portTurns) })) - m.portEnds) / (16 * portTurns)
}

// nop returns the ticks that one turn of nops takes now.
func (m *Meter) nop() float64 {
	return (float64(ticks(func() { nops(frontTurns) })) - m.frontEnds) / frontTurns
}

// quantile returns what the probe takes, in cycles, on a quiet core.
func (m *Meter) quantile(probe func() float64) float64 {
	ratios := make([]float64, 4000)
	for i := range ratios {
		c := m.chain()
		ratios[i] = probe() / c
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/50]
}

// Measure calls f over and over for at most the given time, and not much longer
// than it takes to see enough quiet samples.
func (m *Meter) Measure(f func(), limit time.Duration) Result {
	f() // warm the caches
	start := time.Now()
	f()
	once := time.Since(start)
	if !HasCycles() {
		return m.wallClock(f, once, limit)
	}
	repeat := 1
	if c := float64(ticks(f)) / m.chain(); c < sampleCycles {
		repeat = int(sampleCycles/c) + 1
	}
	body := func() {
		for range repeat {
			f()
		}
	}
	quiet, any := Result{Cycles: math.Inf(1), Quiet: true}, Result{Cycles: math.Inf(1)}
	var perTick float64 // nanoseconds
	for start, first := time.Now(), timestamp(); time.Since(start) < limit && quiet.Samples < enoughSamples; {
		front0, port0, chain0 := m.nop(), m.madd(), m.chain()
		t := float64(ticks(body)) - m.empty
		chain1, port1, front1 := m.chain(), m.madd(), m.nop()
		perTick = float64(time.Since(start).Nanoseconds()) / float64(timestamp()-first)
		if math.Abs(chain0-chain1) > chainTolerance*min(chain0, chain1) {
			continue
		}
		cycle := min(chain0, chain1)
		cycles := t / cycle / float64(repeat)
		any.add(cycles, t/float64(repeat))
		if max(port0, port1)/cycle <= m.port*(1+portTolerance) &&
			max(front0, front1)/cycle <= m.front*(1+frontTolerance) {
			quiet.add(cycles, t/float64(repeat))
		}
		runtime.Gosched()
	}
	r := quiet
	if r.Samples == 0 {
		r = any
	}
	if r.Samples == 0 {
		return m.wallClock(f, once, limit)
	}
	r.Nanoseconds *= perTick
	return r
}

// add keeps the fewest cycles, and the ticks that they took.
func (r *Result) add(cycles, ticks float64) {
	r.Samples++
	if cycles < r.Cycles {
		r.Cycles, r.Nanoseconds = cycles, ticks
	}
}

func (m *Meter) wallClock(f func(), once, limit time.Duration) Result {
	repeat := max(1, int(20*time.Microsecond/max(once, 1)))
	best, samples := time.Duration(math.MaxInt64), 0
	for start := time.Now(); samples == 0 || time.Since(start) < limit; samples++ {
		t := time.Now()
		for range repeat {
			f()
		}
		best = min(best, time.Since(t))
	}
	return Result{Nanoseconds: float64(best.Nanoseconds()) / float64(repeat), Samples: samples}
}
