//go:build !unix

package main

import (
	"errors"
	"io"
)

func ignoreSIGPIPE() {}

func isBrokenPipe(err error) bool { return errors.Is(err, io.ErrClosedPipe) }
