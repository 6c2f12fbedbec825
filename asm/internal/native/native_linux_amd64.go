package native

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"unsafe"
)

// Missing returns which of the given CPU features, named as /proc/cpuinfo does,
// this machine lacks: what the system does not enable is not there.
func Missing(features ...string) (missing []string) {
	info, _ := os.ReadFile("/proc/cpuinfo")
	var have []string
	for line := range strings.Lines(string(info)) {
		if name, flags, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "flags" {
			have = strings.Fields(flags)
			break
		}
	}
	for _, f := range features {
		if !slices.Contains(have, f) {
			missing = append(missing, f)
		}
	}
	return missing
}

// NewArea returns memory for a call's operands.
func NewArea(size int) (*Area, error) {
	b, err := pages(size, syscall.PROT_READ|syscall.PROT_WRITE)
	if err != nil {
		return nil, err
	}
	return &Area{uint64(uintptr(unsafe.Pointer(&b[0]))), b}, nil
}

// Free unmaps the memory.
func (a *Area) Free() error { return syscall.Munmap(a.Bytes) }

// Code is a function that can be executed.
type Code struct{ pages []byte }

// Load makes a function of machine code that refers to nothing but its arguments.
func Load(code []byte) (*Code, error) {
	b, err := pages(len(code), syscall.PROT_READ|syscall.PROT_WRITE)
	if err != nil {
		return nil, err
	}
	copy(b, code)
	if err := syscall.Mprotect(b, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	return &Code{b}, nil
}

// Call calls the function with the words of its arguments and results, by Go's
// stack convention (ABI0). It panics if there are more than MaxArgs.
func (c *Code) Call(words []uint64) {
	if len(words) > MaxArgs {
		panic("native: too many arguments")
	}
	var frame [MaxArgs]uint64
	copy(frame[:], words)
	call(&c.pages[0], &frame)
	copy(words, frame[:])
}

// Free unmaps the function.
func (c *Code) Free() error { return syscall.Munmap(c.pages) }

func pages(size, protection int) ([]byte, error) {
	b, err := syscall.Mmap(-1, 0, max(size, 1), protection, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	return b, nil
}

// call copies the frame to the stack, calls the code, and copies it back.
//
//go:noescape
func call(code *byte, frame *[MaxArgs]uint64)
