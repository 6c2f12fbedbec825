package measure

import (
	"math"
	"testing"
	"time"
)

const kernelCycles = 3200

var effort = Effort{Time: 100 * time.Millisecond, Most: 400 * time.Millisecond}

// near fails the test if got is not within a share of want.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within*want) {
		t.Errorf("%s = %.4f, want %.4f within %g %%", what, got, want, 100*within)
	}
}

// ms is milliseconds in a fake core's time.
const ms = 1e6

func TestQuietCore(t *testing.T) {
	c := newFakeCore()
	m := newMeter(c, true)
	near(t, "limit", m.MaddsPerCycle(), fakePorts, 0)
	near(t, "rate", m.PortRate(), fakePorts, 0.01)
	r := m.Measure(effort, func() { c.vector(kernelCycles) })
	near(t, "cycles", r.Cycles, kernelCycles, 0.002)
	near(t, "nanoseconds", r.Nanoseconds, kernelCycles/2.7, 0.002)
	if !r.Quiet || r.Samples != enoughQuiet || c.moves != 0 {
		t.Errorf("%+v after %d moves, want %d quiet samples and no move", r, c.moves, enoughQuiet)
	}
}

// The figure must be the truth, and not below it, whatever happens between.
func TestDisturbances(t *testing.T) {
	for _, tt := range []struct {
		name  string
		setUp func(*fakeCore)
	}{
		{"frequency steps", func(c *fakeCore) {
			c.ghz = func(at float64) float64 { return []float64{2.5, 2.8, 2.6}[int(at/(3*ms))%3] }
		}},
		{"interrupts", func(c *fakeCore) { c.interrupts = 0.02 }},
		{"a neighbour now and then", func(c *fakeCore) {
			c.neighbour = func(at float64, _ int) bool { return int(at/(7*ms))%2 == 0 }
		}},
		{"a neighbour at first", func(c *fakeCore) {
			c.neighbour = func(at float64, _ int) bool { return at < 1100*ms }
		}},
		{"a neighbour on one of two processors", func(c *fakeCore) {
			c.neighbour = func(_ float64, cpu int) bool { return cpu == 0 }
		}},
		{"all of it", func(c *fakeCore) {
			c.ghz = func(at float64) float64 { return []float64{2.5, 2.8, 2.6}[int(at/(5*ms))%3] }
			c.interrupts = 0.01
			c.neighbour = func(at float64, cpu int) bool { return int(at/(9*ms))%2 == cpu }
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newFakeCore()
			tt.setUp(c)
			m := newMeter(c, true)
			r := m.Measure(effort, func() { c.vector(kernelCycles) })
			near(t, "limit", m.MaddsPerCycle(), fakePorts, 0)
			near(t, "cycles", r.Cycles, kernelCycles, 0.004)
			if !r.Quiet {
				t.Errorf("%+v is not quiet", r)
			}
			if c.moves > 0 && !c.restored {
				t.Error("the thread stays bound to a processor")
			}
		})
	}
}

func TestBusyNeighbour(t *testing.T) {
	c := newFakeCore()
	c.neighbour = func(float64, int) bool { return true }
	m := newMeter(c, true)
	begun := c.passed
	r := m.Measure(effort, func() { c.vector(kernelCycles) })
	if r.Quiet {
		t.Errorf("%+v is quiet", r)
	}
	if r.Cycles < kernelCycles {
		t.Errorf("%.1f cycles, which is less than the truth, %d", r.Cycles, kernelCycles)
	}
	took := time.Duration(c.passed - begun)
	if took < effort.Most || took > effort.Most+50*time.Millisecond {
		t.Errorf("gave up after %v, want %v", took, effort.Most)
	}
}

func TestLongRoutine(t *testing.T) {
	c := newFakeCore()
	c.ghz = func(at float64) float64 { return []float64{2.5, 2.8}[int(at/(1*ms))%2] }
	m := newMeter(c, true)
	// Longer than the time allowed, and at a frequency that never stays.
	r := m.Measure(effort, func() {
		for range 1000 {
			c.vector(1e6)
		}
	})
	if r.Samples < 1 || !(r.Nanoseconds > 1e9/2.8) {
		t.Errorf("%+v", r)
	}
}

func TestCompare(t *testing.T) {
	c := newFakeCore()
	c.ghz = func(at float64) float64 { return 2.6 + 0.1*math.Sin(at/(100*ms)) }
	m := newMeter(c, true)
	calls := ""
	f, g, ratio := m.Compare(effort,
		func() { calls += "f"; c.vector(1e6) },
		func() { calls += "g"; c.spend(3e6) })
	near(t, "f", f.Cycles, 1e6, 0.01)
	near(t, "g", g.Cycles, 3e6, 0.01)
	near(t, "ratio", ratio, 3, 0.01)
	// Each is called twice in its turn, so that the other one's effects are over.
	if tail := calls[len(calls)-8:]; tail != "ffggffgg" {
		t.Errorf("the last calls were %s, want ffggffgg", tail)
	}
}

func TestWallClock(t *testing.T) {
	c := newFakeCore()
	m := newMeter(c, false)
	if m.MaddsPerCycle() != 0 {
		t.Errorf("%v madds a cycle without a cycle counter", m.MaddsPerCycle())
	}
	r := m.Measure(effort, func() { c.spend(2700) })
	near(t, "nanoseconds", r.Nanoseconds, 1000, 0.002)
	if r.Cycles != 0 || r.Quiet || r.Samples == 0 {
		t.Errorf("%+v, want samples without cycles and not known to be quiet", r)
	}
	f, g, ratio := m.Compare(effort, func() { c.spend(2700) }, func() { c.spend(5400) })
	near(t, "f", f.Nanoseconds, 1000, 0.002)
	near(t, "g", g.Nanoseconds, 2000, 0.002)
	near(t, "ratio", ratio, 2, 0.01)
}

// Whatever this machine is, it measures something.
func TestMachine(t *testing.T) {
	m := NewMeter()
	x := 0
	r := m.Measure(Effort{Time: 5 * time.Millisecond, Most: 10 * time.Millisecond}, func() {
		for i := range 1000 {
			x ^= i
		}
	})
	if !(r.Nanoseconds > 0) || r.Samples == 0 || (r.Cycles > 0) != HasCycles() || m.counts != HasCycles() {
		t.Errorf("%+v", r)
	}
}

func TestNothingIsAllocatedInASample(t *testing.T) {
	c := newFakeCore()
	m := newMeter(c, true)
	s := &m.series[0]
	f := func() { c.vector(kernelCycles) }
	repeat, long := m.repeats(f)
	s.start(f, repeat, long)
	if n := testing.AllocsPerRun(100, func() { s.add(m.sample(s)) }); n != 0 {
		t.Errorf("%v allocations a sample", n)
	}
}
