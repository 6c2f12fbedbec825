//go:build valgrind && linux && amd64

package ct

import (
	"runtime"
	"unsafe"
)

func public[T bool | int | uint64](v T) T {
	request(makeDefined, unsafe.Pointer(&v), unsafe.Sizeof(v))
	return v
}

// Watched reports whether the program runs under memcheck.
func Watched() bool {
	var x [1]uint64
	Secret(x[:])
	return IsSecret(x[:])
}

// Secret declares that the contents of x are secret: no branch and no address may
// depend on them, nor on what is computed from them.
func Secret[T any](x []T) { about(makeUndefined, x) }

// Declassify declares that the contents of x may be known.
func Declassify[T any](x []T) { about(makeDefined, x) }

// IsSecret reports whether any part of x is secret or was computed from secrets.
func IsSecret[T any](x []T) bool { return about(checkDefined, x) != 0 }

// about makes a request about the memory of x.
func about[T any](number uintptr, x []T) uintptr {
	p := unsafe.SliceData(x)
	answer := request(number, unsafe.Pointer(p), uintptr(len(x))*unsafe.Sizeof(*p))
	runtime.KeepAlive(x)
	return answer
}

// Requests of a program to memcheck, by their documented numbers (section 4.7 of
// Valgrind's manual): the name of the tool in the top bytes, and a count.
const (
	makeUndefined = 'M'<<24 | 'C'<<16 | 1
	makeDefined   = 'M'<<24 | 'C'<<16 | 2
	checkDefined  = 'M'<<24 | 'C'<<16 | 5 // answers with the address of what is not
)

// request makes a request about size bytes at p and returns memcheck's answer; 0
// when the program does not run under Valgrind.
//
//go:noescape
func request(number uintptr, p unsafe.Pointer, size uintptr) uintptr
