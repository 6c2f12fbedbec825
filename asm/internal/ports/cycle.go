package ports

import "residue/asm/internal/x86"

// Cycle is what a core starts to execute in one cycle: micro-operations, each on a
// port of its own.
type Cycle struct {
	model *Model
	wide  bool
	uops  []Set
	slots int
}

// NewCycle returns an empty cycle. wide says that 512-bit vectors are in use.
func NewCycle(m *Model, wide bool) *Cycle { return &Cycle{model: m, wide: wide} }

// Clear empties the cycle.
func (c *Cycle) Clear() { c.uops, c.slots = c.uops[:0], 0 }

// Take adds an instruction and returns true, or false if no slot or no port is left
// for it. An empty cycle takes any.
func (c *Cycle) Take(in *x86.Inst) bool {
	had := len(c.uops)
	for _, class := range Classes(in, false) {
		c.uops = append(c.uops, c.model.ports(class, c.wide)...)
	}
	n := slots(in, false)
	if c.slots > 0 && (c.slots+n > c.model.Width || !placeable(c.uops)) {
		c.uops = c.uops[:had]
		return false
	}
	c.slots += n
	return true
}

// placeable reports whether every micro-operation can have a port of its own: by
// Hall's theorem, if no set of ports is all that more of them than it has can use.
func placeable(uops []Set) bool {
	u := use{}
	for _, s := range uops {
		u[s]++
	}
	cycles, _ := u.bound()
	return cycles <= 1
}
