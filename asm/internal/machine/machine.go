// Package machine executes the machine code of kernels, strictly: whatever a
// kernel must not do is a [Fault].
//
//   - It may access the bytes that its contract names, and no other.
//   - What it stores, where it branches and what it addresses may not depend on
//     registers, flags or memory that nobody has set. Memory that is not set must
//     not even be loaded.
//   - Neither a branch nor an address may depend on a secret. Every register,
//     flag and byte carries a mark that says whether it was computed from
//     secrets; so a run without a fault shows this for all secrets, not only for
//     those of the run.
//   - It keeps the registers that Go's calling convention reserves, and executes
//     VZEROUPPER before it returns if it has used wide vectors.
//
// A load or store under a mask counts as one of the whole vector, since hardware may
// touch all of it.
package machine

import (
	"encoding/binary"
	"fmt"

	"residue/asm/internal/x86"
)

// Vector is a vector register.
type Vector [8]uint64

// Machine is a processor with one program at a time.
type Machine struct {
	Mem   *Memory
	Trace *Trace // nil: not recorded
	Steps int    // executed instructions
	Limit int    // of the instructions of a call: it ends programs that would not end

	gp             [16]uint64
	v              [32]Vector
	k              [8]uint64
	cf, zf, sf, of bool

	defined, secret x86.Set
	tainted         bool // the instruction in progress depends on a secret
	vague           bool // it depends on what is not set
	wide            bool // wide vectors have been used since the last VZEROUPPER

	stack, frame Span
	program      *Program
	step         int
	fault        error
	tmp          Vector
}

// Call is a call of a program.
type Call struct {
	Program *Program
	Args    []uint64
	Secret  uint64 // bit i: argument i is a secret
	Results int    // words of the results, behind the arguments
	Grants  []Grant
}

// Fault is the error of a program that does what it must not.
type Fault struct {
	Where  string // program, offset, instruction
	Reason string
}

func (f *Fault) Error() string { return "machine: " + f.Where + ": " + f.Reason }

const (
	stackBytes = 4096
	frameWords = 16
)

// New returns a machine with the given memory, of which it takes a stack.
func New(mem *Memory) *Machine {
	// The frame is behind the return address, and that behind the stack.
	all := mem.Alloc("stack", stackBytes+8+8*frameWords, 0)
	mem.buffers[len(mem.buffers)-1].Len = stackBytes + 8
	m := &Machine{Mem: mem, Limit: 1 << 28, stack: all.Slice(0, stackBytes), frame: all.Slice(stackBytes+8, all.Len)}
	m.frame.Name = "arguments"
	mem.buffers = append(mem.buffers, m.frame)
	return m
}

// reserved are the registers that a function must leave as they are.
var reserved = []x86.Reg{x86.SP, x86.BP, x86.R14}

// Run calls a program.
func (m *Machine) Run(c Call) error {
	if len(c.Args)+c.Results > frameWords {
		return fmt.Errorf("machine: %s: more than %d words of arguments and results", c.Program.Name, frameWords)
	}
	args, results := m.frame.Slice(0, 8*len(c.Args)), m.frame.Slice(8*len(c.Args), 8*(len(c.Args)+c.Results))
	for i, a := range c.Args {
		args.SetWord(i, a)
		args.Slice(8*i, 8*i+8).Define(c.Secret>>i&1 != 0)
	}
	results.Undefine()
	m.stack.Undefine()
	grants := append([]Grant{{m.stack, ReadWrite}, {args, ReadWrite}, {results, ReadWrite}}, c.Grants...)
	grantAll(grants)
	defer revokeAll(grants)
	m.reset()
	kept := m.gp
	m.program, m.step, m.fault = c.Program, 0, nil
	for last := m.Steps + m.Limit; m.step >= 0; {
		if m.step >= len(c.Program.Insts) {
			m.step--
			m.fail("nothing follows")
		} else {
			m.execute(&c.Program.Insts[m.step])
		}
		if m.fault == nil && m.Steps > last {
			m.fail("%d instructions and no end", m.Limit)
		}
		if m.fault != nil {
			return m.fault
		}
	}
	m.step = len(c.Program.Insts) - 1 // for the messages
	for _, r := range reserved {
		if m.gp[r] != kept[r] {
			m.fail("%v is changed", r)
		}
	}
	if m.wide {
		m.fail("no VZEROUPPER since the last wide vector")
	}
	return m.fault
}

// Result returns result i of the last call, which had so many arguments.
func (m *Machine) Result(args, i int) uint64 { return m.frame.Word(args + i) }

// reset fills the registers with litter that no program may make use of.
func (m *Machine) reset() {
	for i := range m.gp {
		m.gp[i] = 0xbad0_0000_0000_0000 + uint64(i)
	}
	for i := range m.v {
		for l := range m.v[i] {
			m.v[i][l] = 0xbad1_0000_0000_0000 + uint64(8*i+l)
		}
	}
	for i := range m.k {
		m.k[i] = 0xbad2_0000_0000_0000 + uint64(i)
	}
	m.gp[x86.SP] = m.frame.Addr - 8
	m.defined, m.secret, m.wide = x86.SetOf(x86.SP), 0, false
}

// fail ends the program with a fault, the first that there is.
func (m *Machine) fail(format string, args ...any) {
	if m.fault == nil {
		m.fault = &Fault{m.program.at(m.step), fmt.Sprintf(format, args...)}
	}
}

// execute executes one instruction and moves on to the next. A program that has
// returned is at step −1.
func (m *Machine) execute(in *x86.Inst) {
	m.Steps++
	missing := in.Reads &^ m.defined
	m.vague = missing != 0
	if m.vague && (in.Op == x86.J || missing&in.Addr != 0) {
		m.fail("depends on %v, which is not set", missing.First())
		return
	}
	if m.Trace != nil {
		m.Trace.add(event{program: m.program, step: m.step})
	}
	m.program.Runs[m.step]++
	if in.Op != x86.LEA && m.secret&in.Addr != 0 { // LEA accesses nothing
		m.fail("the address depends on a secret: %v", (m.secret & in.Addr).First())
		return
	}
	m.tainted = m.secret&in.Reads != 0
	next := m.step + 1
	switch in.Op {
	case x86.J:
		if m.tainted {
			m.fail("the branch depends on a secret: %v", (m.secret & in.Reads).First())
		}
		if m.holds(in.Cond) {
			next = m.program.jumps[m.step]
		}
	case x86.JMP:
		next = m.program.jumps[m.step]
	case x86.RET:
		if m.gp[x86.SP] != m.frame.Addr-8 {
			m.fail("returns with the stack pointer %d bytes off", int64(m.gp[x86.SP]-m.frame.Addr)+8)
		}
		next = -1
	default:
		semantics[in.Op](m, in)
	}
	m.defined = m.defined&^in.Spoils | in.Writes
	m.secret &^= in.Spoils | in.Writes
	if m.tainted {
		m.secret |= in.Writes
	}
	if m.vague {
		m.defined &^= in.Writes &^ in.Addr // a stack pointer is set all the same
	}
	if m.fault == nil {
		m.step = next
	}
}

// holds reports whether a condition is true (SDM volume 1, appendix B).
func (m *Machine) holds(c x86.Cond) bool {
	var t bool
	switch c >> 1 {
	case 0:
		t = m.of
	case 1:
		t = m.cf
	case 2:
		t = m.zf
	case 3:
		t = m.cf || m.zf
	case 4:
		t = m.sf
	case 6:
		t = m.sf != m.of
	case 7:
		t = m.zf || m.sf != m.of
	}
	return t != (c&1 != 0)
}

func (m *Machine) address(a *x86.Mem) uint64 {
	addr := uint64(int64(a.Disp))
	if a.Base != x86.NoRg {
		addr += m.gp[a.Base]
	}
	if a.Index != x86.NoRg {
		addr += m.gp[a.Index] * uint64(a.Scale)
	}
	return addr
}

// load returns n bytes at an address, or nil after a fault.
func (m *Machine) load(addr uint64, n int) []byte {
	m.record(reads, addr, n)
	offset := int(addr - m.Mem.base)
	if !m.Mem.allowed(offset, n, readable|defined) {
		what := "which this call must not read"
		if m.Mem.allowed(offset, n, readable) {
			what = "which is not all set"
		}
		m.fail("reads %d bytes at %s, %s", n, m.Mem.Describe(addr), what)
		return nil
	}
	if m.Mem.anySecret(offset, n) {
		m.tainted = true
	}
	return m.Mem.data[offset : offset+n]
}

// store returns the n bytes at an address to be overwritten, or nil after a fault.
func (m *Machine) store(addr uint64, n int) []byte {
	m.record(writes, addr, n)
	offset := int(addr - m.Mem.base)
	if m.vague && m.program.Insts[m.step].Op != x86.PUSH {
		m.fail("stores what depends on %v, which is not set", (m.program.Insts[m.step].Reads &^ m.defined).First())
		return nil
	}
	if !m.Mem.allowed(offset, n, writable) {
		m.fail("writes %d bytes at %s, which this call must not write", n, m.Mem.Describe(addr))
		return nil
	}
	return m.Mem.data[offset : offset+n]
}

func (m *Machine) record(a access, addr uint64, n int) {
	if m.Trace != nil {
		m.Trace.add(event{m.program, m.step, a, addr, n})
	}
}

// loadWord returns the little-endian word of n ≤ 8 bytes at an address.
func (m *Machine) loadWord(addr uint64, n int) uint64 {
	var buf [8]byte
	copy(buf[:], m.load(addr, n))
	return binary.LittleEndian.Uint64(buf[:])
}

// storeWord stores the low n ≤ 8 bytes of a word.
func (m *Machine) storeWord(addr uint64, n int, v uint64) {
	if dst := m.store(addr, n); dst != nil {
		var buf [8]byte
		binary.LittleEndian.PutUint64(buf[:], v)
		copy(dst, buf[:])
		m.Mem.written(int(addr-m.Mem.base), n, m.tainted)
	}
}

// StackEnd is the address behind the stack and the arguments.
func (m *Machine) StackEnd() uint64 { return m.frame.Addr + uint64(m.frame.Len) }
