// Command check runs tests named TestSecret… under Valgrind's memcheck, and fails
// if a branch or an address depends on what they declare secret
// (docs/constant-time.md):
//
//	go run ./internal/ct/check [package ...]
//
// If no packages are named, it takes those that have such tests: the ones with a
// file secret_test.go.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	packages := os.Args[1:]
	err := available()
	if err == nil && len(packages) == 0 {
		packages, err = find()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
	ok := true
	for _, p := range packages {
		start := time.Now()
		r, err := watch(p)
		if err == nil {
			err = r.verdict()
		}
		if err != nil {
			ok = false
			fmt.Printf("FAIL  %s: %v\n", p, err)
			continue
		}
		fmt.Printf("ok    %s: %d tests, nothing depends on a secret; every deliberate leak is seen (%.1fs)\n",
			p, r.tests, time.Since(start).Seconds())
	}
	if !ok {
		os.Exit(1)
	}
}

// available says why packages cannot be checked on this machine.
func available() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return fmt.Errorf("runs on linux/amd64, not on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		return fmt.Errorf("valgrind is not installed: %w", err)
	}
	return nil
}

const tags = "valgrind purego"

// find returns the packages that have tests to be watched.
func find() ([]string, error) {
	const format = `{{range .TestGoFiles}}{{if eq . "secret_test.go"}}{{$.ImportPath}}{{end}}{{end}}`
	out, err := exec.Command("go", "list", "-tags", tags, "-f", format, "residue/...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	packages := strings.Fields(string(out))
	if len(packages) == 0 {
		return nil, fmt.Errorf("no package has a file secret_test.go")
	}
	return packages, nil
}

// watch builds the tests of a package, runs them under Valgrind and returns what
// that saw.
func watch(pkg string) (*result, error) {
	dir, err := os.MkdirTemp("", "residue-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary, report := filepath.Join(dir, "test"), filepath.Join(dir, "report.xml")

	build := exec.Command("go", "test", "-c", "-tags", tags, "-o", binary, pkg)
	// The debug information that Valgrind 3.19 can read: with it, reports name the
	// functions that are inlined.
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOEXPERIMENT=nodwarf5")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", build.Args, err, out)
	}
	if _, err := os.Stat(binary); err != nil {
		return nil, fmt.Errorf("no tests")
	}

	// Goroutines' stacks are kilobytes apart. Valgrind must not take a switch from
	// one to another for a large frame, or it would forget what it knows of all that
	// lies between them.
	const maxFrame = "--max-stackframe=16384"
	run := exec.Command("valgrind", "--tool=memcheck", "--track-origins=yes", "--leak-check=no",
		"--error-limit=no", "--num-callers=50", maxFrame, "--xml=yes", "--xml-file="+report,
		binary, "-test.v", "-test.run=^TestSecret")
	// Nor does it know the frames of goroutines that are interrupted anywhere.
	run.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1", "GOGC=off", "RESIDUE_KERNEL=")
	var out bytes.Buffer
	run.Stdout, run.Stderr = &out, &out
	if err := run.Run(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out.String())
	}

	f, err := os.Open(report)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("report of valgrind: %w", err)
	}
	r.tests = strings.Count(out.String(), "\n--- PASS: TestSecret")
	if skipped := strings.Count(out.String(), "--- SKIP"); skipped > 0 {
		return nil, fmt.Errorf("%d tests were skipped\n%s", skipped, out.String())
	}
	return r, nil
}
