//go:build !amd64 || purego

package cpu

// has is empty: all is portable Go.
var has map[string]bool
