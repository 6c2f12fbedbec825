//go:build !(linux && amd64)

package native

import "errors"

var errOther = errors.New("native: not linux/amd64")

// Missing returns all of the given CPU features.
func Missing(features ...string) []string { return features }

// NewArea returns an error.
func NewArea(int) (*Area, error) { return nil, errOther }

// Free returns an error.
func (*Area) Free() error { return errOther }

// Code is a function that can be executed: there is none.
type Code struct{}

// Load returns an error.
func Load([]byte) (*Code, error) { return nil, errOther }

// Call panics.
func (*Code) Call([]uint64) { panic(errOther) }

// Free returns an error.
func (*Code) Free() error { return errOther }
