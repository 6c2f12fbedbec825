// Residue computes with large numbers modulo large numbers, and with polynomials, many at
// a time:
//
//	residue exp rows.jsonl      base^exp mod mod for every row of a file
//	residue info                this CPU, and the kernels that it can run
//	residue selftest            known answers through every one of them
//	residue bench               how fast it is, in core cycles and against math/big
//	residue pmns new PRIME      parameters for the prime, as a JSON document
//	residue ring mul rows.jsonl products of polynomials modulo X^n + 1 and q
//	residue model               methods compared on an abstract processor
//
// Every subcommand has its own help: residue exp --help.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
)

// cli is the command line.
type cli struct {
	Exp      expCmd      `cmd:"" help:"Compute base^exp mod mod for every row of a file."`
	Info     infoCmd     `cmd:"" help:"Show this CPU, the kernels that it can run and the one in use."`
	Selftest selftestCmd `cmd:"" help:"Run known answers through every kernel that this CPU can run."`
	Bench    benchCmd    `cmd:"" help:"Measure what this machine does, in core cycles."`
	PMNS     pmnsCmd     `cmd:"" name:"pmns" help:"Polynomial modular number systems: parameters for primes."`
	Ring     ringCmd     `cmd:"" help:"Products of polynomials modulo X^n + 1 and q."`
	Model    modelCmd    `cmd:"" help:"Compare methods of modular multiplication on an abstract processor."`

	Version kong.VersionFlag `help:"Print the version and exit."`
}

const description = "Arithmetic on large numbers modulo large numbers, and on polynomials, many at a time, " +
	"constant time, at the speed of this CPU's vector units.\n\n" +
	"Exit status: 0 all is well; 1 some rows were bad or a test failed; " +
	"2 the command could not run, or not to its end; 130 it was interrupted."

// The exit statuses.
const (
	exitOK          = 0
	exitBad         = 1
	exitCannotRun   = 2
	exitInterrupted = 130
)

// env is what a command has of the outside world.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// statusError ends the command with a status of its own. Without an err it is
// silent: all has been said.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

func main() {
	ignoreSIGPIPE()
	os.Exit(run(os.Args[1:], &env{os.Stdin, os.Stdout, os.Stderr}))
}

// run runs the command and returns its exit status.
func run(args []string, e *env) (status int) {
	type exited int // what kong wants to end with, after --help or --version
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exited:
			status = int(r)
		default:
			panic(r)
		}
	}()
	parser := kong.Must(&cli{},
		kong.Name("residue"),
		kong.Description(description),
		kong.Vars{"version": "residue " + version()},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Writers(e.stdout, e.stderr),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.Bind(e),
	)
	kctx, err := parser.Parse(args)
	if err != nil {
		if !isBrokenPipe(err) { // of --help
			fmt.Fprintf(e.stderr, "residue: %v\nTry: %s --help\n", err, understood(err))
		}
		return exitCannotRun
	}
	return exitStatus(kctx.Run(), e.stderr)
}

// understood returns the words of a command line that name a command, up to what was wrong.
func understood(err error) string {
	words := "residue"
	if wrong := (*kong.ParseError)(nil); errors.As(err, &wrong) {
		for _, p := range wrong.Context.Path {
			if p.Command != nil {
				words += " " + p.Command.Name
			}
		}
	}
	return words
}

// exitStatus says what went wrong, and returns the status for it.
func exitStatus(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	status := exitCannotRun
	var own *statusError
	if errors.As(err, &own) {
		status, err = own.status, own.err
	}
	if err != nil && !isBrokenPipe(err) {
		fmt.Fprintf(stderr, "residue: %s\n", reason(err))
	}
	return status
}
