// Package gofile turns avo programs into the files that the product keeps: an
// assembly file and the Go file that declares its functions.
package gofile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/printer"

	"residue/asm/internal/schedule"
)

// File is a pair of generated files, Dir/Base.s and Dir/Base.go.
type File struct {
	Dir     string // from the root of the repository
	Base    string // name without extension; ends with _amd64
	Package string
	Build   func(*build.Context)
	// Schedule has the names of the functions whose instructions are put into a better
	// order, and how. It is read after Build, which may add to it.
	Schedule map[string]schedule.Options
}

const constraint = "amd64,!purego"

// command is what the headers name as the generator.
const command = "go run residue/asm/cmd/generate"

// Render assembles the program and returns the text of both files by path.
func (f *File) Render() (map[string][]byte, error) {
	ctx := build.NewContext()
	ctx.ConstraintExpr(constraint)
	f.Build(ctx)
	program, err := ctx.Result()
	if err != nil {
		var list build.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			return nil, fmt.Errorf("asm: %s: %w (and %d more errors)", f.Base, list[0], len(list)-1)
		}
		return nil, fmt.Errorf("asm: %s: %w", f.Base, err)
	}
	if err := checkAlign(program); err != nil {
		return nil, fmt.Errorf("asm: %s: %w", f.Base, err)
	}
	if err := f.compile().Execute(program); err != nil {
		return nil, fmt.Errorf("asm: %s: %w", f.Base, err)
	}
	cfg := printer.Config{Argv: strings.Fields(command), Name: "residue/asm", Pkg: f.Package}
	asm, err := printer.NewGoAsm(cfg).Print(program)
	if err != nil {
		return nil, fmt.Errorf("asm: %s.s: %w", f.Base, err)
	}
	stubs, err := printer.NewStubs(cfg).Print(program)
	if err != nil {
		return nil, fmt.Errorf("asm: %s.go: %w", f.Base, err)
	}
	return map[string][]byte{
		f.Dir + "/" + f.Base + ".s":  compact(asm),
		f.Dir + "/" + f.Base + ".go": stubs,
	}, nil
}

// compact drops the column alignment that avo pads operands with, which would
// otherwise make up a third of the files.
func compact(asm []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(asm) {
		if bytes.HasPrefix(line, []byte("\t")) && !bytes.HasPrefix(line, []byte("\t//")) {
			line = append([]byte("\t"), append(bytes.Join(bytes.Fields(line), []byte(" ")), '\n')...)
		}
		out.Write(line)
	}
	return out.Bytes()
}

const align = "PCALIGN"

// checkAlign refuses a PCALIGN that is the target of a forward jump: on that the
// assembler of Go 1.26 does not return if it needs more than one pass.
func checkAlign(program *ir.File) error {
	for _, fn := range program.Functions() {
		ahead := map[ir.Label]bool{} // targets of jumps, not yet seen
		var here []ir.Label          // labels of the next instruction
		for _, node := range fn.Nodes {
			switch n := node.(type) {
			case ir.Label:
				here = append(here, n)
			case *ir.Instruction:
				for _, label := range here {
					if n.Opcode == align && ahead[label] {
						return fmt.Errorf("%s: label %s, the target of a forward jump, stands before an alignment", fn.Name, label)
					}
					delete(ahead, label)
				}
				here = nil
				if target := n.TargetLabel(); target != nil {
					ahead[*target] = true
				}
			}
		}
	}
	return nil
}

// Align asks the assembler to start the next instruction at a multiple of n
// bytes. No forward jump may lead to it.
func Align(ctx *build.Context, n int) {
	ctx.Instruction(&ir.Instruction{Opcode: align, Operands: []operand.Op{operand.Imm(uint64(n))}})
}
