package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"

	"residue/internal/cpu"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"residue": main})
}

func TestScripts(t *testing.T) {
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("RESIDUE_KERNEL", "")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":  scriptStatus,
			"bigrow":  scriptBigRow,
			"windows": scriptWindows,
			"utf16":   scriptUTF16,
		},
		// [kernel:NAME] is for what needs a kernel that not all machines have.
		Condition: func(condition string) (bool, error) {
			name, ok := strings.CutPrefix(condition, "kernel:")
			if !ok {
				return false, fmt.Errorf("unknown condition %q", condition)
			}
			return slices.Contains(append(cpu.Runnable(), cpu.RunnableForRings()...), name), nil
		},
		RequireExplicitExec: true,
	})
}

// scriptStatus runs a command that must end with the given status.
func scriptStatus(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: status N command [args]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// scriptBigRow writes a file whose second row is over the default limit and whose
// third has a modulus of 16385 bits, between good rows of up to that size.
func scriptBigRow(ts *testscript.TestScript, _ bool, args []string) {
	var b bytes.Buffer
	row := func(base, mod string) { fmt.Fprintf(&b, `{"base":"%s","exp":"2","mod":"%s"}`+"\n", base, mod) }
	zeros := strings.Repeat("0", 4095)
	row("1", "8"+zeros)
	row(strings.Repeat("0", 1<<20)+"1", "5")
	row("1", "10"+zeros)
	row("0x"+strings.Repeat("0", 1<<20-64)+"1", "5")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o666))
}

// scriptWindows gives a file a byte order mark and CRLF, and takes its last
// newline.
func scriptWindows(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.TrimSuffix(ts.ReadFile(args[0]), "\n")
	text = "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// scriptUTF16 turns a file into what some shells write.
func scriptUTF16(ts *testscript.TestScript, _ bool, args []string) {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + ts.ReadFile(args[0]))) {
		b = append(b, byte(u), byte(u>>8))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o666))
}
