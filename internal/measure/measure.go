// Package measure times routines in core cycles on a machine whose clock it does
// not control and whose cores others may share.
//
// The time-stamp counter does not tick at the core's frequency, and a neighbour
// on the same core takes vector slots without slowing a chain of additions. So
// every sample stands between two calibrations: a chain of dependent additions,
// one a cycle, says how long a cycle is; a loop of independent 512-bit VPMADD52
// and one of instructions that do nothing say whether the vector ports and the
// front end are free. (With a busy neighbour the queues are halved as well, and a
// kernel that depends on them slows down while its ports look free.) A sample
// whose chains disagree has no known cycle and is not counted in cycles; one
// whose loops run at the core's limits is quiet; and figures are a low quantile
// of the quiet samples, not the least, which one disturbed chain would set.
package measure

import (
	"runtime"
	"time"
)

// Meter measures routines one after the other. It is not safe for concurrent use.
type Meter struct {
	core   core
	counts bool // there is a cycle counter

	cal calibration

	series [2]series
}

// Effort is how long to measure.
type Effort struct {
	// Time is how long to look for quiet samples. It is less if there are many soon.
	Time time.Duration
	// Most is how long to go on while there are hardly any.
	Most time.Duration
}

// Result is what a measurement found.
type Result struct {
	// Cycles is the core cycles that one call takes; 0 where there is no cycle
	// counter, or where the frequency changed during all samples.
	Cycles float64
	// Nanoseconds is the time on the wall that one call takes.
	Nanoseconds float64
	// Quiet says whether the figures come from samples during which nobody else
	// used the core. Where false they are upper bounds.
	Quiet bool
	// Samples is the number of samples that the figures were chosen from.
	Samples int
}

// NewMeter calibrates a meter. That takes some hundredths of a second, and up to
// a second next to a busy neighbour.
func NewMeter() *Meter {
	return newMeter(&machine{begun: time.Now()}, HasCycles())
}

// NewWallMeter returns a meter that does not count cycles: for routines that run
// on several cores.
func NewWallMeter() *Meter {
	return newMeter(&machine{begun: time.Now()}, false)
}

func newMeter(c core, counts bool) *Meter {
	m := &Meter{core: c, counts: counts}
	for i := range m.series {
		m.series[i].init()
	}
	if counts {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		m.calibrate()
	}
	return m
}

// MaddsPerCycle is the port limit: how many independent 512-bit VPMADD52 the core
// executes in a cycle; 0 if it has none or no cycle counter.
func (m *Meter) MaddsPerCycle() float64 {
	if !m.counts {
		return 0
	}
	return m.cal.limit()
}

// PortRate is the rate that the port limit was taken from: what was measured,
// where the limit is a whole number.
func (m *Meter) PortRate() float64 { return m.cal.rate }

// Measure measures f.
func (m *Meter) Measure(e Effort, f func()) Result {
	s := m.series[:1]
	m.run(e, s, f)
	return s[0].result(m.wanted(s))
}

// Compare measures f and g, which take turns, so that what changes with time
// changes for both. ratio is the median of g's time over f's, sample by sample.
func (m *Meter) Compare(e Effort, f, g func()) (rf, rg Result, ratio float64) {
	s := m.series[:2]
	m.run(e, s, f, g)
	wanted := m.wanted(s)
	return s[0].result(wanted), s[1].result(wanted), ratioOf(&s[0], &s[1])
}

// The shape of a measurement.
const (
	sampleCycles = 10000 // repeat a short routine until it takes this long
	// and, on the wall's clock, which may be coarse, this long.
	sampleTime  = time.Millisecond
	longCycles  = 50000
	twiceCycles = 10e6
	longWarmUps = 3

	leastRounds = 3
	enoughQuiet = 2000 // quiet samples after which more change nothing

	// A core with less than one quiet sample in quietShare for this long is left.
	patience   = 25 * time.Millisecond
	quietShare = 10
	// The calibrations that are tried on the next one, if none has succeeded yet.
	patrolAttempts = 4
)

// run fills the series with samples of the routines.
func (m *Meter) run(e Effort, ss []series, fs ...func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer m.core.restore()
	for i, f := range fs {
		repeat, long := m.repeats(f)
		ss[i].start(f, repeat, long)
		ss[i].twice = long && len(fs) > 1 && m.ticks(f) < twiceCycles*m.chain()
	}
	begun, first := m.core.now(), m.counter()
	look := patrol{meter: m, at: begun}
	for n := 1; ; n++ {
		for i := range ss {
			ss[i].add(m.sample(&ss[i]))
		}
		now := m.core.now()
		if n >= leastRounds && m.enough(ss, now-begun, e) {
			break
		}
		if m.counts && look.around(now, n, ss) {
			n = 0
		}
	}
	perTick := 1.0
	if ticks := m.counter() - first; m.counts && ticks > 0 {
		perTick = float64(m.core.now()-begun) / float64(ticks)
	}
	for i := range ss {
		ss[i].perTick = perTick
	}
}

// patrol looks for neighbours now and then.
type patrol struct {
	meter         *Meter
	at            time.Duration // of the last look,
	quiet, rounds int           // and what there was then
}

// around leaves a core that is loud. It reports whether the meter was calibrated
// anew, so that older samples do not count.
func (p *patrol) around(now time.Duration, rounds int, ss []series) (anew bool) {
	if now-p.at < patience {
		return false
	}
	m, quiet := p.meter, len(ss[0].quiet)
	if (quiet-p.quiet)*quietShare < rounds-p.rounds {
		m.core.move()
		for range patrolAttempts {
			if m.cal.settled {
				break
			}
			anew = m.attempt()
		}
	}
	if anew {
		for i := range ss {
			ss[i].empty()
		}
		quiet, rounds = 0, 0
	}
	p.at, p.quiet, p.rounds = m.core.now(), quiet, rounds
	return anew
}

// enough reports whether no more samples are needed.
func (m *Meter) enough(ss []series, elapsed time.Duration, e Effort) bool {
	quiet := enoughQuiet
	for i := range ss {
		quiet = min(quiet, len(ss[i].quiet))
	}
	switch {
	case quiet == enoughQuiet:
		return true
	case elapsed < e.Time:
		return false
	}
	return !m.counts || quiet >= m.wanted(ss) || elapsed >= e.Most
}

// wanted returns how many quiet samples it takes to believe them: a few, and where
// there are many samples not just the few that looked quiet by chance. A neighbour
// can come and go during a long one, and then it takes a good part of them.
func (m *Meter) wanted(ss []series) int {
	for i := range ss {
		if ss[i].long {
			return max(leastRounds, ss[0].samples/10)
		}
	}
	return max(leastRounds, min(30, ss[0].samples/50))
}

// counter returns the time-stamp counter, if there is one.
func (m *Meter) counter() uint64 {
	if !m.counts {
		return 0
	}
	return m.core.ticks()
}

// repeats warms f up and returns how many calls make a sample, and whether one is
// so long that the frequency moves meanwhile.
func (m *Meter) repeats(f func()) (n int, long bool) {
	f()
	if !m.counts {
		begun := m.core.now()
		f()
		return int(sampleTime/max(m.core.now()-begun, sampleTime/1000)) + 1, false
	}
	cycles := m.ticks(f) / m.chain()
	return int(sampleCycles/max(cycles, 10)) + 1, cycles > longCycles
}

// sample takes one sample of a series.
func (m *Meter) sample(s *series) sample {
	if !m.counts {
		begun := m.core.now()
		s.body()
		return sample{ticks: float64(m.core.now()-begun) / s.calls}
	}
	if s.long {
		return m.longSample(s)
	}
	front0, port0, chain0 := m.front(), m.port(), m.chain()
	ticks := m.bodyTicks(s)
	m.core.nops(frontTurns)
	m.core.madds(portTurns)
	m.core.adds(chainTurns)
	chain1, port1, front1 := m.chain(), m.port(), m.front()

	r := sample{ticks: ticks, front: max(front0/chain0, front1/chain1)}
	r.quiet = m.cal.quietFront(r.front, frontTolerance) &&
		m.cal.quietPort(port0/chain0) && m.cal.quietPort(port1/chain1)
	if apart(chain0, chain1) <= chainTolerance {
		r.cycles = ticks / ((chain0 + chain1) / 2)
	}
	return r
}

// longSample is sample for a long routine. Its calibrations have no vector loop: a
// core that has executed none for a while slows down for the first ones, and for
// whatever comes after them, by more than a neighbour does. For the same reason a
// routine of some milliseconds is called once before.
func (m *Meter) longSample(s *series) sample {
	if s.twice {
		s.body()
	}
	m.core.adds(chainTurns)
	front0, chain0 := m.front(), m.chain()
	ticks := m.bodyTicks(s)
	for range longWarmUps {
		m.core.nops(frontTurns)
		m.core.adds(chainTurns)
	}
	chain1, front1 := m.chain(), m.front()

	r := sample{ticks: ticks, front: max(front0/chain0, front1/chain1)}
	r.quiet = m.cal.quietFront(r.front, longFrontTolerance)
	if apart(chain0, chain1) <= longTolerance {
		r.cycles = ticks / ((chain0 + chain1) / 2)
	}
	return r
}

// bodyTicks returns the ticks that a call takes. The caller executes the calibration
// loops once before it measures them again: a long routine, or a neighbour in that
// time, has thrown their code out of the nearest caches, and the first chain looks
// some per cent longer than it is.
func (m *Meter) bodyTicks(s *series) float64 {
	start := m.core.ticks()
	s.body()
	return (float64(m.core.ticks()-start) - m.cal.empty) / s.calls
}

// quietPort reports whether madds that take so many cycles had the ports to
// themselves. Ports that are faster than they can be are a chain that was disturbed.
func (c *calibration) quietPort(madd float64) bool {
	return c.settled && apart(madd, 1/c.limit()) <= portTolerance
}

// quietFront reports whether front-end loops that take so many cycles a turn had the
// front end to themselves.
func (c *calibration) quietFront(turn, tolerance float64) bool {
	return c.settled && turn <= c.front*(1+tolerance)
}
