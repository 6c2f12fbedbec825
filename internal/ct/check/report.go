package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// result is what Valgrind saw of the tests of a package.
type result struct {
	tests  int
	leaks  []*event        // that should not be there
	caught map[string]bool // by the name of the function: the deliberate leaks
	noise  int             // events of the runtime alone, without secrets
}

// deliberate are the functions of package ct that leak on purpose.
var deliberate = []string{"leakBranch", "leakIndex", "leakLength", "leakInline", "leakCall", "leakBig"}

const ctPackage = "residue/internal/ct."

// event is an error in the sense of Valgrind: a branch or an address that depends
// on undefined memory, or an access to memory that is not the program's.
type event struct {
	Kind   string   `xml:"kind"`
	What   string   `xml:"what"`
	Aux    []string `xml:"auxwhat"`
	Stacks []stack  `xml:"stack"` // where it is, and what auxwhat tells of
}

type stack struct {
	Frames []frame `xml:"frame"` // innermost first
}

type frame struct {
	Func string `xml:"fn"`
	File string `xml:"file"`
	Line int    `xml:"line"`
}

// read reads a report in Valgrind's XML.
func read(in io.Reader) (*result, error) {
	r := &result{caught: make(map[string]bool)}
	d := xml.NewDecoder(in)
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "error" {
			var e event
			if err := d.DecodeElement(&e, &start); err != nil {
				return nil, err
			}
			r.add(e)
		}
	}
}

func (r *result) add(e event) {
	switch name := e.deliberately(); {
	case e.Kind == "ClientCheck": // ct.IsSecret says yes
	case strings.HasPrefix(e.Kind, "Leak_"): // of memory; that is the collector's
	case name != "":
		r.caught[name] = true
	case e.ofSecret() || e.ofProject():
		r.leaks = append(r.leaks, &e)
	default:
		r.noise++
	}
}

// ofSecret reports whether what the event depends on was declared secret. That
// is enough, wherever the event is: in our code, or in what it called.
func (e *event) ofSecret() bool {
	if len(e.Stacks) < 2 {
		return false
	}
	for _, f := range e.Stacks[1].Frames {
		if strings.HasPrefix(f.Func, ctPackage) {
			return true
		}
	}
	return false
}

// ofProject reports whether the event happened in this module or in what it
// called. Valgrind does not always know where a value came from.
func (e *event) ofProject() bool {
	for _, f := range e.frames() {
		if rest, ok := strings.CutPrefix(f.Func, "residue"); ok && rest != "" && strings.Contains("./_", rest[:1]) {
			return true
		}
	}
	return false
}

// deliberately returns the function that leaks on purpose in which the event
// happened.
func (e *event) deliberately() string {
	for _, f := range e.frames() {
		for _, name := range deliberate {
			if f.Func == ctPackage+name {
				return name
			}
		}
	}
	return ""
}

func (e *event) frames() []frame {
	if len(e.Stacks) == 0 {
		return nil
	}
	return e.Stacks[0].Frames
}

// String tells what happened and where, down to the test.
func (e *event) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Kind, e.What)
	for _, f := range e.frames() {
		if strings.HasPrefix(f.Func, "testing.") || strings.HasPrefix(f.Func, "runtime.goexit") {
			break
		}
		fmt.Fprintf(&b, "\n        %s (%s:%d)", f.Func, f.File, f.Line)
	}
	return b.String()
}

// maxLeaksShown is how many leaks an error text shows.
const maxLeaksShown = 20

// verdict is an error that names what leaks, or says why nothing has been shown.
func (r *result) verdict() error {
	if r.tests == 0 {
		return errors.New("no test named TestSecret… ran")
	}
	for _, name := range deliberate {
		if !r.caught[name] {
			return fmt.Errorf("the deliberate leak %s%s was not seen", ctPackage, name)
		}
	}
	if len(r.leaks) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d branches or addresses depend on a secret", len(r.leaks))
	for i, e := range r.leaks {
		if i == maxLeaksShown {
			fmt.Fprintf(&b, "\n    and %d more", len(r.leaks)-i)
			break
		}
		fmt.Fprintf(&b, "\n    %v", e)
	}
	return errors.New(b.String())
}
