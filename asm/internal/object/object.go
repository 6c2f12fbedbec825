// Package object gets the machine code of assembly functions: what Go's own
// assembler and linker make of a file, taken out of a linked program.
package object

import (
	"debug/elf"
	"debug/gosym"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Function is an assembly function.
type Function struct {
	Name string
	Code []byte

	addr  uint64
	lines *gosym.Table
}

// Line returns the line of the source that the instruction at an offset comes from.
func (f *Function) Line(offset int) int {
	_, line, _ := f.lines.PCToLine(f.addr + uint64(offset))
	return line
}

// Source is the text of an assembly file and of the Go file that declares its
// functions, both of one package.
type Source struct {
	Asm, Stubs string
}

// ReadSource reads a pair of generated files, base.s and base.go.
func ReadSource(base string) (Source, error) {
	asm, err := os.ReadFile(base + ".s")
	if err != nil {
		return Source{}, fmt.Errorf("object: %w", err)
	}
	stubs, err := os.ReadFile(base + ".go")
	if err != nil {
		return Source{}, fmt.Errorf("object: %w", err)
	}
	return Source{string(asm), string(stubs)}, nil
}

var (
	textLine    = regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`)
	packageLine = regexp.MustCompile(`(?m)^package (\w+)$`)
)

// Names returns the names of the functions that the file defines.
func (s Source) Names() (names []string) {
	for _, m := range textLine.FindAllStringSubmatch(s.Asm, -1) {
		names = append(names, m[1])
	}
	return names
}

// Assemble builds a program for linux/amd64 that has nothing but the functions
// of the source in it, on any machine, and returns them by name.
func (s Source) Assemble() (map[string]*Function, error) {
	dir, err := os.MkdirTemp("", "residue-asm-")
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	defer os.RemoveAll(dir)
	pkg := packageLine.FindStringSubmatch(s.Stubs)
	if pkg == nil {
		return nil, errors.New("object: the stubs have no package clause")
	}
	files := map[string]string{
		"go.mod":                 "module probe\n\ngo 1.26\n",
		"main.go":                "package main\n\nimport \"probe/kernels\"\n\nfunc main() { println(len(kernels.Keep)) }\n",
		"kernels/code_amd64.s":   s.Asm,
		"kernels/stubs_amd64.go": s.Stubs,
		"kernels/keep.go":        fmt.Sprintf("package %s\n\nvar Keep = []any{%s}\n", pkg[1], strings.Join(s.Names(), ", ")),
	}
	if pkg[1] != "kernels" {
		files["main.go"] = strings.Replace(files["main.go"], "import ", "import kernels ", 1)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, fmt.Errorf("object: %w", err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
			return nil, fmt.Errorf("object: %w", err)
		}
	}
	program := filepath.Join(dir, "probe.elf")
	if err := build(dir, program, "."); err != nil {
		return nil, err
	}
	fs, err := Load(program, "probe/kernels")
	if err != nil {
		return nil, err
	}
	for _, name := range s.Names() {
		if fs[name] == nil {
			return nil, fmt.Errorf("object: function %s is not in the program", name)
		}
	}
	return fs, nil
}

// Product builds the command residue for linux/amd64 and returns the assembly
// functions of one of its packages, those that the linker has kept. root is the
// root of the repository.
func Product(root, pkg string) (map[string]*Function, error) {
	dir, err := os.MkdirTemp("", "residue-asm-")
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "residue.elf")
	if err := build(root, program, "./cmd/residue"); err != nil {
		return nil, err
	}
	return Load(program, pkg)
}

// build builds a program for linux/amd64, whatever the environment asks for.
func build(dir, output, pkg string) error {
	cmd := exec.Command("go", "build", "-o", output, pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "PWD="+dir)
	if pkg == "." {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("object: go build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// assembly marks the symbols of functions that are written in assembly: their
// calling convention is that of the stack.
const assembly = ".abi0"

// Load reads the assembly functions of a package from a linked program.
func Load(program, pkg string) (map[string]*Function, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("object: %s: %w", program, err)
	}
	text := f.Section(".text")
	if text == nil {
		return nil, fmt.Errorf("object: %s has no code", program)
	}
	code, err := text.Data()
	if err != nil {
		return nil, fmt.Errorf("object: %s: %w", program, err)
	}
	lines, err := lineTable(f, text.Addr)
	if err != nil {
		return nil, err
	}
	fs := map[string]*Function{}
	for _, sym := range symbols {
		name, ok := strings.CutPrefix(sym.Name, pkg+".")
		if !ok || !strings.HasSuffix(name, assembly) {
			continue
		}
		from := sym.Value - text.Addr
		if sym.Value < text.Addr || from+sym.Size > uint64(len(code)) {
			return nil, fmt.Errorf("object: %s is not in the code section", sym.Name)
		}
		name = strings.TrimSuffix(name, assembly)
		fs[name] = &Function{Name: name, Code: code[from : from+sym.Size], addr: sym.Value, lines: lines}
	}
	return fs, nil
}

func lineTable(f *elf.File, text uint64) (*gosym.Table, error) {
	section := f.Section(".gopclntab")
	if section == nil {
		return nil, errors.New("object: the program has no line table")
	}
	data, err := section.Data()
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text))
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	return table, nil
}
