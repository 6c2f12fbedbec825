package machine

import (
	"encoding/binary"
	"fmt"
)

// Memory is what a program can see: buffers with guards between them. Every byte
// has a shadow that says what may be done with it.
type Memory struct {
	base    uint64
	data    []byte
	shadow  []byte
	used    int
	buffers []Span
}

// The bits of a shadow byte.
const (
	readable = 1 << iota // by the call that is executed
	writable
	defined // something has been written there
	secret  // and depends on a secret
)

// guard is what lies around every buffer, in bytes: more than a vector, so that
// what is read or written just beside a buffer is in no other.
const guard = 256

// guardByte fills the guards.
const guardByte = 0xa5

// NewMemory returns memory of the given size at an address, a multiple of 64.
func NewMemory(base uint64, size int) *Memory {
	m := &Memory{base: base, data: make([]byte, size), shadow: make([]byte, size)}
	for i := range m.data {
		m.data[i] = guardByte
	}
	return m
}

// Base is the address of the memory's first byte.
func (m *Memory) Base() uint64 { return m.base }

// Bytes is the contents, guards included.
func (m *Memory) Bytes() []byte { return m.data }

// Span is a buffer or a part of one.
type Span struct {
	Name string // of the buffer
	Addr uint64
	Len  int // bytes
	mem  *Memory
}

// Alloc returns a new buffer of undefined bytes. Its address is skew more than a
// multiple of 64. It panics if the memory is too small.
func (m *Memory) Alloc(name string, size, skew int) Span {
	from := (m.used+guard+63)/64*64 + skew
	m.used = from + size
	if m.used+guard > len(m.data) {
		panic(fmt.Sprintf("machine: no room for %d bytes of %s", size, name))
	}
	b := Span{name, m.base + uint64(from), size, m}
	m.buffers = append(m.buffers, b)
	return b
}

// Slice returns bytes from to to of the span. It panics if there are none.
func (s Span) Slice(from, to int) Span {
	if from < 0 || to < from || to > s.Len {
		panic(fmt.Sprintf("machine: bytes %d to %d of %d of %s", from, to, s.Len, s.Name))
	}
	s.Addr, s.Len = s.Addr+uint64(from), to-from
	return s
}

func (s Span) offset() int { return int(s.Addr - s.mem.base) }

// Bytes is the contents of the span.
func (s Span) Bytes() []byte { return s.mem.data[s.offset() : s.offset()+s.Len] }

// Word returns 64-bit word i.
func (s Span) Word(i int) uint64 { return binary.LittleEndian.Uint64(s.Bytes()[8*i:]) }

// SetWord sets 64-bit word i. It does not define it.
func (s Span) SetWord(i int, v uint64) { binary.LittleEndian.PutUint64(s.Bytes()[8*i:], v) }

// Define says that the span holds something: secrets or not.
func (s Span) Define(secrets bool) {
	bits := byte(defined)
	if secrets {
		bits |= secret
	}
	sh := s.shadows()
	for i := range sh {
		sh[i] = bits
	}
}

// Defined reports whether all of the span holds something.
func (s Span) Defined() bool { return s.mem.allowed(s.offset(), s.Len, defined) }

// Overlaps reports whether two spans have bytes in common.
func (s Span) Overlaps(t Span) bool {
	return s.Addr < t.Addr+uint64(t.Len) && t.Addr < s.Addr+uint64(s.Len)
}

// Undefine says that what the span holds must not matter.
func (s Span) Undefine() { clear(s.shadows()) }

func (s Span) shadows() []byte { return s.mem.shadow[s.offset() : s.offset()+s.Len] }

// Access is what a call may do with a span.
type Access uint8

// The kinds of access.
const (
	Read      Access = readable
	Write     Access = writable
	ReadWrite Access = readable | writable
)

// Grant is leave to access a span.
type Grant struct {
	Span
	Access Access
}

func grantAll(gs []Grant) {
	for _, g := range gs {
		sh := g.shadows()
		for i := range sh {
			sh[i] |= byte(g.Access)
		}
	}
}

func revokeAll(gs []Grant) {
	for _, g := range gs {
		sh := g.shadows()
		for i := range sh {
			sh[i] &^= readable | writable
		}
	}
}

// every has the given shadow bits for eight bytes at once.
func every(bits byte) uint64 { return uint64(bits) * 0x0101010101010101 }

// allowed reports whether n bytes at an offset have all the given shadow bits.
func (m *Memory) allowed(offset, n int, bits byte) bool {
	if offset < 0 || offset+n > len(m.shadow) {
		return false
	}
	sh := m.shadow[offset : offset+n]
	for len(sh) >= 8 {
		if w := every(bits); binary.LittleEndian.Uint64(sh)&w != w {
			return false
		}
		sh = sh[8:]
	}
	for _, b := range sh {
		if b&bits != bits {
			return false
		}
	}
	return true
}

// anySecret reports whether one of n bytes at an offset is secret.
func (m *Memory) anySecret(offset, n int) bool {
	sh := m.shadow[offset : offset+n]
	for len(sh) >= 8 {
		if binary.LittleEndian.Uint64(sh)&every(secret) != 0 {
			return true
		}
		sh = sh[8:]
	}
	for _, b := range sh {
		if b&secret != 0 {
			return true
		}
	}
	return false
}

// written says that n bytes at an offset have been written.
func (m *Memory) written(offset, n int, secrets bool) {
	bits := byte(defined)
	if secrets {
		bits |= secret
	}
	sh := m.shadow[offset : offset+n]
	for i := range sh {
		sh[i] = sh[i]&^(defined|secret) | bits
	}
}

// Describe names an address by the buffer that it is in or nearest to.
func (m *Memory) Describe(addr uint64) string {
	best, distance := "", uint64(1)<<63
	for _, b := range m.buffers {
		from, to := b.Addr, b.Addr+uint64(b.Len)
		var d uint64
		switch {
		case addr < from:
			d = from - addr
		case addr >= to:
			d = addr - to + 1
		}
		if d < distance {
			best, distance = fmt.Sprintf("%s%+d (of %d bytes)", b.Name, int64(addr-from), b.Len), d
		}
	}
	if distance > 1<<20 {
		return fmt.Sprintf("%#x, which is near no buffer", addr)
	}
	return best
}
