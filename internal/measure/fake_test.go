package measure

import (
	"math/rand/v2"
	"time"
)

// fakeCore is a core in its own time, which only its instructions let pass.
type fakeCore struct {
	passed float64 // nanoseconds
	rng    *rand.Rand

	ghz        func(at float64) float64       // of the core, at a time in nanoseconds
	neighbour  func(at float64, cpu int) bool // is busy then on that processor
	interrupts float64                        // probability that a loop is interrupted
	cpu        int
	moves      int
	restored   bool
}

// The fake's counter, and what its parts take on a quiet core.
const (
	fakeTicksPerNs   = 2.1
	fakeEmptyCycles  = 80
	fakePorts        = 2
	fakeFrontCycles  = 65. / 6
	fakeLoopEnds     = 12
	fakeInterruption = 20000 // cycles
)

func newFakeCore() *fakeCore {
	return &fakeCore{
		rng:       rand.New(rand.NewPCG(1, 2)),
		ghz:       func(float64) float64 { return 2.7 },
		neighbour: func(float64, int) bool { return false },
	}
}

// spend lets cycles pass.
func (c *fakeCore) spend(cycles float64) {
	if c.rng.Float64() < c.interrupts {
		cycles += fakeInterruption
	}
	c.passed += cycles / c.ghz(c.passed)
}

func (c *fakeCore) busy() bool { return c.neighbour(c.passed, c.cpu) }

// vector spends the cycles of vector code, of which a neighbour takes some.
func (c *fakeCore) vector(cycles float64) {
	if c.busy() {
		cycles *= 1.05 + 0.5*c.rng.Float64()
	}
	c.spend(cycles)
}

func (c *fakeCore) ticks() uint64 {
	c.spend(fakeEmptyCycles)
	return uint64(c.passed*fakeTicksPerNs) &^ 1
}

func (c *fakeCore) adds(turns int)  { c.spend(fakeLoopEnds + float64(turns)*unroll) }
func (c *fakeCore) madds(turns int) { c.vector(fakeLoopEnds + float64(turns)*unroll/fakePorts) }

func (c *fakeCore) nops(turns int) {
	cycles := float64(turns) * fakeFrontCycles
	if c.busy() {
		cycles *= 1.3 + 0.7*c.rng.Float64()
	}
	c.spend(fakeLoopEnds + cycles)
}

func (c *fakeCore) now() time.Duration {
	c.spend(100)
	return time.Duration(c.passed)
}

func (c *fakeCore) move()    { c.cpu, c.moves, c.restored = 1-c.cpu, c.moves+1, false }
func (c *fakeCore) restore() { c.cpu, c.restored = 0, true }
