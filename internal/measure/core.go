package measure

import "time"

// core is what measurements need of the machine. Tests bring one of their own.
type core interface {
	// ticks reads the time-stamp counter, after everything before it has finished.
	ticks() uint64
	// adds executes turns of [unroll] additions that wait for each other: a core
	// cycle each.
	adds(turns int)
	// madds executes turns of [unroll] independent 512-bit VPMADD52: as many a cycle
	// as the core has ports for them.
	madds(turns int)
	// nops executes turns of [nopsPerTurn] instructions that do nothing: as many a cycle as the
	// front end delivers.
	nops(turns int)
	// now reads the clock on the wall.
	now() time.Duration
	// move moves the thread to another processor, where that can be done; restore
	// undoes all moves.
	move()
	restore()
}

const (
	unroll      = 16 // additions or madds in a turn
	nopsPerTurn = 64
)

// machine is the core that this runs on.
type machine struct {
	affinity
	begun time.Time
}

func (*machine) ticks() uint64        { return timestamp() }
func (*machine) adds(turns int)       { addChain(turns) }
func (*machine) madds(turns int)      { madds(turns) }
func (*machine) nops(turns int)       { nops(turns) }
func (m *machine) now() time.Duration { return time.Since(m.begun) }
