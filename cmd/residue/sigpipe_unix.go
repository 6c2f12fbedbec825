//go:build unix

package main

import (
	"errors"
	"os/signal"
	"syscall"
)

// ignoreSIGPIPE makes a write to a pipe that nobody reads any more an error like
// others, rather than the end of the process.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }

// isBrokenPipe reports whether nobody reads the output any more, which needs no
// message.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
