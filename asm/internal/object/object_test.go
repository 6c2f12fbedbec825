package object

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestProduct: the functions that tests look at are, byte by byte, those in the
// command that is built of the same files.
func TestProduct(t *testing.T) {
	for dir, least := range map[string]int{"batch": 100, "internal/wordmont": 4, "mont": 42, "pmns": 44} {
		testProduct(t, dir, least)
	}
}

// testProduct looks at the functions of a package, of which the command has at
// least so many.
func testProduct(t *testing.T, dir string, least int) {
	shipped, err := Product("../../..", "residue/"+dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../../" + dir + "/*_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, file := range files {
		source, err := ReadSource(strings.TrimSuffix(file, ".s"))
		if err != nil {
			t.Fatal(err)
		}
		fns, err := source.Assemble()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range source.Names() {
			fn := shipped[name]
			if fn == nil {
				t.Logf("%s is not in the command", name)
				continue
			}
			kept++
			if !bytes.Equal(fn.Code, fns[name].Code) {
				t.Errorf("%s is not what the command has", name)
			}
		}
	}
	if kept < least {
		t.Errorf("the command has %d of the functions of %s", kept, dir)
	}
}

// TestAssembleErrors: what the assembler says is passed on.
func TestAssembleErrors(t *testing.T) {
	_, err := Source{Asm: "TEXT ·f(SB), 4, $0-0\n\tNOTHING\n", Stubs: "package p\n\nfunc f()\n"}.Assemble()
	if err == nil || !strings.Contains(err.Error(), "NOTHING") {
		t.Errorf("error %v", err)
	}
	_, err = Source{Asm: "TEXT ·f(SB), 4, $0-0\n\tRET\n", Stubs: "func f()\n"}.Assemble()
	if err == nil || !strings.Contains(err.Error(), "package clause") {
		t.Errorf("error %v", err)
	}
}
