package measure

import (
	"math"
	"slices"
	"time"
)

// calibration is what is known of the core.
type calibration struct {
	empty float64 // ticks between two reads of the counter
	// Ticks that a calibration loop takes beside its turns: the reads of the
	// counter, the call, and the way into and out of the loop.
	chainEnds, portEnds, frontEnds float64

	rate  float64 // madds a cycle
	front float64 // cycles of a turn of the front-end loop

	// settled says that this is a core without neighbours: what else is measured is
	// compared with it.
	settled bool
}

// The lengths of the calibration loops, in turns. An error of four ticks in the
// ends is 0.1 % of the chain, which the figures stand on; the others only tell
// quiet from loud.
const (
	chainTurns = 240
	portTurns  = 120
	frontTurns = 60
)

// The tolerances of a calibration, in proportion.
const (
	chainTolerance = 0.005 // two chains may differ by this much
	portTolerance  = 0.02  // the port loop may be this far from the limit
	frontTolerance = 0.02  // the front-end loop may be this much above its limit
	// The same around a long routine.
	longTolerance      = 0.1
	longFrontTolerance = 0.05
	// On a quiet core the front-end loop takes the same time over and over: from the
	// quick ones to the median there is less than this.
	frontSpread = 0.01
	// There, too, the ends of chains are the same over and over: their quartiles are
	// less than this apart, in proportion to the chain.
	endsSpread = 0.003
	// A core that shares its front end with a busy neighbour has half of it, also
	// over and over. What has IFMA has a front end for more than this a cycle.
	leastFrontRate = 3.5
)

const (
	probes          = 300         // of an attempt
	calibrationMost = time.Second // after which a meter starts uncalibrated
)

// calibrate calibrates until the core is quiet or time has passed.
func (m *Meter) calibrate() {
	for begun := m.core.now(); !m.attempt() && m.core.now()-begun < calibrationMost; {
	}
}

// attempt calibrates anew, and reports whether the meter is now calibrated on a
// quiet core. Of calibrations on loud cores the least loud stays.
func (m *Meter) attempt() bool {
	old := m.cal
	steady := m.ends()
	madd, front := m.probe()
	if len(madd) == 0 {
		m.cal = old
		return false
	}
	m.cal.rate = 1 / low(madd)
	m.cal.front = middle(front)
	m.cal.settled = steady && len(madd) >= probes/2 && distance(m.cal.rate) <= portTolerance/2 &&
		m.cal.front <= low(front)*(1+frontSpread) && (nopsPerTurn+1)/m.cal.front >= leastFrontRate
	if m.cal.settled {
		return true
	}
	rate := max(old.rate, m.cal.rate) // a neighbour's madds take from it
	if old.rate > 0 && old.front <= m.cal.front {
		m.cal = old
	}
	m.cal.rate = rate
	return false
}

// ends measures what the loops take beside their turns, and reports whether that
// was steady.
func (m *Meter) ends() (steady bool) {
	var spread float64
	m.cal = calibration{empty: m.least(func() {})}
	m.cal.portEnds, _ = m.endsOf(m.core.madds, portTurns)
	m.cal.frontEnds, _ = m.endsOf(m.core.nops, frontTurns)
	m.cal.chainEnds, spread = m.endsOf(m.core.adds, chainTurns)
	return spread <= endsSpread*m.chain()*chainTurns*unroll
}

// distance is how far a rate is from a whole number, in proportion: a quiet core
// executes a whole number of madds a cycle.
func distance(rate float64) float64 {
	whole := max(1, math.Round(rate))
	return math.Abs(rate-whole) / whole
}

// limit is the number of madds a cycle that a quiet core executes.
func (c *calibration) limit() float64 { return max(1, math.Round(c.rate)) }

// probe returns the cycles of a madd and of a turn of the front-end loop, each
// measured many times between chains that agree.
func (m *Meter) probe() (madd, front []float64) {
	for range probes {
		chain0 := m.chain()
		p, f := m.port(), m.front()
		chain1 := m.chain()
		if apart(chain0, chain1) <= chainTolerance {
			cycle := (chain0 + chain1) / 2
			madd = append(madd, p/cycle)
			front = append(front, f/cycle)
		}
	}
	return madd, front
}

// endsOf returns what a loop takes beside its turns: twice a loop less a loop of
// twice the turns. The two stand next to each other, so that they are executed at
// the same frequency; the median leaves out what was interrupted. spread is how far
// apart the quartiles are.
func (m *Meter) endsOf(loop func(turns int), turns int) (ends, spread float64) {
	all := make([]float64, probes)
	for i := range all {
		one := m.loop(loop, turns)
		all[i] = 2*one - m.loop(loop, 2*turns)
	}
	ends = middle(all)
	return ends, all[len(all)*3/4] - all[len(all)/4]
}

// least returns the fewest ticks that f takes.
func (m *Meter) least(f func()) float64 {
	best := math.Inf(1)
	for range 10 * probes {
		best = min(best, m.ticks(f))
	}
	return best
}

// ticks returns the ticks that f takes, and the reads of the counter with it.
func (m *Meter) ticks(f func()) float64 {
	start := m.core.ticks()
	f()
	return float64(m.core.ticks() - start)
}

// loop returns the ticks that a calibration loop takes, its ends with it.
func (m *Meter) loop(loop func(turns int), turns int) float64 {
	start := m.core.ticks()
	loop(turns)
	return float64(m.core.ticks() - start)
}

// chain returns the ticks that one core cycle takes now.
func (m *Meter) chain() float64 {
	return (m.loop(m.core.adds, chainTurns) - m.cal.chainEnds) / (chainTurns * unroll)
}

// port returns the ticks that one madd of many takes now.
func (m *Meter) port() float64 {
	return (m.loop(m.core.madds, portTurns) - m.cal.portEnds) / (portTurns * unroll)
}

// front returns the ticks that one turn of the front-end loop takes now.
func (m *Meter) front() float64 {
	return (m.loop(m.core.nops, frontTurns) - m.cal.frontEnds) / frontTurns
}

// apart is the difference of two positive numbers, in proportion.
func apart(x, y float64) float64 { return math.Abs(x-y) / min(x, y) }

// low returns the value that 5 % of v are below. The least would be wrong: a
// calibration that was interrupted makes what stands beside it look faster than it
// is.
func low(v []float64) float64 { return quantile(v, 0.05) }

// middle returns the median of v.
func middle(v []float64) float64 { return quantile(v, 0.5) }

// quantile sorts v and returns the value that a share of it is below.
func quantile(v []float64, share float64) float64 {
	slices.Sort(v)
	return v[int(float64(len(v))*share)]
}
