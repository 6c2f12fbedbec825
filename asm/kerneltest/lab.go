// Package kerneltest runs the kernels that the product ships, as machine code, in
// the machine of residue/asm/internal/machine, and on the CPU as well where that
// has their instructions.
//
// A [Lab] knows how to call a routine and what its contract lets it touch. [Batch],
// [Words], [Mont], [PMNS] and [NTT16] put routines together as the product does, up to
// exponentiation.
// The tests compare results with math/big and traces of runs with one another.
package kerneltest

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strings"

	"residue/asm/internal/machine"
	"residue/asm/internal/native"
	"residue/asm/internal/object"
)

// Routine is an assembly function with the names of its parameters.
type Routine struct {
	*machine.Program
	Params  []string
	Results int // words
	// Features are what a CPU needs to execute it, as /proc/cpuinfo has them.
	Features []string
	code     *native.Code
}

// Features of the CPU that each file of kernels needs, by the name of the kernel.
var features = map[string][]string{
	"ifma512":         {"avx512f", "avx512dq", "avx512ifma", "avx512_vbmi2"},
	"ifma256":         {"avx512f", "avx512vl", "avx512dq", "avx512ifma", "avx512_vbmi2"},
	"adx":             {"adx", "avx2", "bmi2"},
	"barrett-ifma512": {"avx512f"},
	"barrett-ifma256": {"avx512f", "avx512vl"},
	"mont-ifma512":    {"avx512f", "avx512dq", "avx512ifma", "bmi2"},
	"pmns-ifma512":    {"avx512f", "avx512dq", "avx512ifma", "avx512_vbmi2"},
	"ntt16-avx2":      {"avx2"},
	"ntt16-avx512":    {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512_vnni"},
	ntt32AVX2:         {"avx2"},
	ntt32AVX512:       {"avx512f", "avx512bw", "avx512ifma"},
	"toom16-avx2":     {"avx2"},
	"toom16-avx512":   {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512_vnni"},
}

// sources are files of the product that hold kernels, as patterns, without "_amd64.s".
var sources = []string{"barrett/*", "batch/*", "internal/wordmont/*", "mont/*", "pmns/*", "negacyclic/ntt16_*", "negacyclic/ntt32_*", "negacyclic/toom16_*"}

// rings is the folder in which every file is a kernel: it is called by all of the file's name.
const rings = "negacyclic"

// prefixes are what names of kernels begin with here, by folder: the same CPU has
// kernels of its name in several.
var prefixes = map[string]string{"barrett": "barrett-", "mont": "mont-", "pmns": "pmns-"}

// Files returns the files of the product that hold kernels, without extension;
// root is the root of the repository.
func Files(root string) ([]string, error) {
	var files []string
	for _, pattern := range sources {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)+"_amd64.s"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			files = append(files, strings.TrimSuffix(name, ".s"))
		}
	}
	return files, nil
}

// kernelOf is the name of the kernel that a file belongs to.
func kernelOf(file string) string {
	folder, name := filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), "_amd64")
	if folder == rings {
		return strings.ReplaceAll(name, "_", "-")
	}
	_, kernel, _ := strings.Cut(name, "_")
	return prefixes[folder] + kernel
}

// Load assembles a file of kernels and returns its routines by name.
func Load(file string) (map[string]*Routine, error) {
	source, err := object.ReadSource(file)
	if err != nil {
		return nil, err
	}
	return assemble(source, features[kernelOf(file)])
}

// LoadKernel loads the files of a kernel and returns all of its routines: none if
// there is no such kernel.
func LoadKernel(root, kernel string) (map[string]*Routine, error) {
	files, err := Files(root)
	if err != nil {
		return nil, fmt.Errorf("kerneltest: %w", err)
	}
	all := map[string]*Routine{}
	for _, f := range files {
		if kernelOf(f) != kernel {
			continue
		}
		rs, err := Load(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(f), err)
		}
		maps.Copy(all, rs)
	}
	return all, nil
}

func assemble(source object.Source, features []string) (map[string]*Routine, error) {
	fns, err := source.Assemble()
	if err != nil {
		return nil, err
	}
	rs := map[string]*Routine{}
	for name, fn := range fns {
		p, err := machine.Load(fn)
		if err != nil {
			return nil, err
		}
		rs[name] = &Routine{Program: p, Features: features}
	}
	for _, m := range stub.FindAllStringSubmatch(source.Stubs, -1) {
		r := rs[m[1]]
		if r == nil {
			return nil, fmt.Errorf("kerneltest: %s has no code", m[1])
		}
		for _, p := range strings.Split(m[2], ", ") {
			name, _, _ := strings.Cut(p, " ")
			r.Params = append(r.Params, name)
		}
		if m[3] != "" {
			r.Results = 1
		}
	}
	return rs, nil
}

// stub matches a declaration: name, parameters, result.
var stub = regexp.MustCompile(`(?m)^func (\w+)\(([^)]*)\)(.*)$`)

// Lab is memory and a machine to run routines in.
type Lab struct {
	*machine.Machine
	Routines map[string]*Routine
	// OnCPU says why runs are not compared with the CPU, if they are not.
	OnCPU error
	// Compared is the number of calls that were.
	Compared int
	// Public marks nothing as secret: programs may branch on their operands, and
	// only their traces show it.
	Public bool

	area *native.Area
}

// NewLab returns a lab with so many bytes of memory.
func NewLab(size int, routines map[string]*Routine) *Lab {
	l := &Lab{Routines: routines}
	base := uint64(1) << 40
	l.area, l.OnCPU = native.NewArea(size)
	for _, r := range routines {
		if missing := native.Missing(r.Features...); len(missing) > 0 && l.OnCPU == nil {
			l.area, l.OnCPU = nil, fmt.Errorf("this CPU has no %s", strings.Join(missing, ", "))
		}
	}
	if l.area != nil {
		base = l.area.Base
	}
	l.Machine = machine.New(machine.NewMemory(base, size))
	return l
}

// Free gives back what the lab holds outside of Go's memory.
func (l *Lab) Free() error {
	if l.area == nil {
		return nil
	}
	return l.area.Free()
}

// Alloc returns a buffer of 64-bit words, aligned to 64 bytes.
func (l *Lab) Alloc(name string, words int) machine.Span { return l.Mem.Alloc(name, 8*words, 0) }

// Set sets the words of a span. They are secrets unless they are said to be public.
func (l *Lab) Set(s machine.Span, words []uint64, public bool) {
	for i, w := range words {
		s.SetWord(i, w)
	}
	s.Define(!public && !l.Public)
}

// Operand is an argument, and what the routine may do with what it points to. What
// it points to is in one piece or, as some of the lanes of vectors are, in more; the
// routine is given a pointer to the first.
type Operand struct {
	word   uint64
	secret bool // the word is
	grants []machine.Grant
	kept   []machine.Span // the contents before the call matter
	result []machine.Span // must be set completely afterwards
}

func operand(access machine.Access, pieces []machine.Span) Operand {
	o := Operand{word: pieces[0].Addr}
	for _, s := range pieces {
		o.grants = append(o.grants, machine.Grant{Span: s, Access: access})
	}
	return o
}

// In is an operand that is read.
func In(pieces ...machine.Span) Operand {
	o := operand(machine.Read, pieces)
	o.kept = pieces
	return o
}

// InOut is an operand that is read and written.
func InOut(pieces ...machine.Span) Operand {
	o := operand(machine.ReadWrite, pieces)
	o.kept = pieces
	return o
}

// Out is an operand that is written, all of it, and not read.
func Out(pieces ...machine.Span) Operand {
	o := operand(machine.Write, pieces)
	o.result = pieces
	return o
}

// OutAgain is an operand that is written, all of it, and may be read then.
func OutAgain(pieces ...machine.Span) Operand {
	o := operand(machine.ReadWrite, pieces)
	o.result = pieces
	return o
}

// OutPart is an operand that is written in part.
func OutPart(pieces ...machine.Span) Operand {
	o := operand(machine.Write, pieces)
	o.kept = pieces
	return o
}

// Work is room that a routine may use, with contents that do not matter.
func Work(pieces ...machine.Span) Operand { return operand(machine.ReadWrite, pieces) }

// Number is a number that is public.
func Number(n int) Operand { return Operand{word: uint64(n)} }

// Word is a number; secret says whether it is one.
func (l *Lab) Word(w uint64, secret bool) Operand {
	return Operand{word: w, secret: secret && !l.Public}
}

// With adds leave to access more, which the routine finds through pointers in
// memory or behind the operand.
func (o Operand) With(others ...Operand) Operand {
	for _, p := range others {
		o.grants = append(o.grants, p.grants...)
		o.kept = append(o.kept, p.kept...)
		o.result = append(o.result, p.result...)
	}
	return o
}

// Call calls a routine with operands by the names of its parameters.
func (l *Lab) Call(name string, operands map[string]Operand) error {
	r := l.Routines[name]
	if r == nil {
		return fmt.Errorf("kerneltest: no routine %s", name)
	}
	call := machine.Call{Program: r.Program, Results: r.Results}
	var kept, results []machine.Span
	for i, p := range r.Params {
		o, ok := operands[p]
		if !ok {
			return fmt.Errorf("kerneltest: %s has a parameter %s that the call does not give", name, p)
		}
		call.Args = append(call.Args, o.word)
		if o.secret {
			call.Secret |= 1 << i
		}
		call.Grants = append(call.Grants, o.grants...)
		kept, results = append(kept, o.kept...), append(results, o.result...)
	}
	// What is not an operand but a result, or room, must not matter.
	for _, g := range call.Grants {
		if !overlapsAny(g.Span, kept) {
			g.Undefine()
		}
	}
	if l.area != nil {
		copy(l.area.Bytes, l.Mem.Bytes())
	}
	if err := l.Run(call); err != nil {
		return err
	}
	for _, out := range results {
		if !out.Defined() {
			return fmt.Errorf("kerneltest: %s does not set all of %s", name, out.Name)
		}
	}
	if l.area != nil {
		return l.compare(r, call)
	}
	return nil
}

func overlapsAny(s machine.Span, others []machine.Span) bool {
	for _, o := range others {
		if s.Overlaps(o) {
			return true
		}
	}
	return false
}

// Result returns the result of the last call, of the given routine.
func (l *Lab) Result(name string) uint64 { return l.Machine.Result(len(l.Routines[name].Params), 0) }

// compare runs the call on the CPU as well, on a copy of the memory, and compares
// all of it, guards included.
func (l *Lab) compare(r *Routine, call machine.Call) (err error) {
	if r.code == nil {
		if r.code, err = native.Load(r.Code); err != nil {
			return err
		}
	}
	words := append(append([]uint64{}, call.Args...), make([]uint64, call.Results)...)
	r.code.Call(words)
	l.Compared++
	if call.Results > 0 {
		if got, want := l.Result(r.Name), words[len(call.Args)]; got != want {
			return fmt.Errorf("kerneltest: %s returns %#x, on the CPU %#x", r.Name, got, want)
		}
	}
	// The stack comes first, and is the CPU's own.
	from := int(l.StackEnd() - l.Mem.Base())
	got, want := l.Mem.Bytes()[from:], l.area.Bytes[from:]
	if bytes.Equal(got, want) {
		return nil
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("kerneltest: %s leaves %#02x at %s, on the CPU %#02x",
				r.Name, got[i], l.Mem.Describe(l.Mem.Base()+uint64(from+i)), want[i])
		}
	}
	return nil
}
