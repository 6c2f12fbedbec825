package gofile

import (
	"fmt"
	"maps"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"

	"residue/asm/internal/allocate"
	"residue/asm/internal/schedule"
)

// compile returns the passes from a program to what is printed: those of avo, with
// a scheduler, and with an allocation that is checked.
func (f *File) compile() pass.Interface {
	return pass.Concat(
		pass.Verify,
		pass.FunctionPass(pass.PruneJumpToFollowingLabel),
		pass.FunctionPass(pass.PruneDanglingLabels),
		pass.Func(f.schedule),
		pass.FunctionPass(pass.LabelTarget),
		pass.FunctionPass(pass.CFG),
		pass.FunctionPass(registers),
		pass.FunctionPass(pass.VerifyAllocation),
		pass.FunctionPass(pass.EnsureBasePointerCalleeSaved),
		pass.Func(pass.IncludeTextFlagHeader),
		pass.FunctionPass(pass.PruneSelfMoves),
		pass.FunctionPass(pass.RequiredISAExtensions),
	)
}

// schedule schedules the functions that are to be. A name that is no function's is
// an error.
func (f *File) schedule(program *ir.File) error {
	left := maps.Clone(f.Schedule)
	for _, fn := range program.Functions() {
		opt, ok := left[fn.Name]
		if !ok {
			continue
		}
		delete(left, fn.Name)
		if err := schedule.Function(fn, opt); err != nil {
			return err
		}
	}
	for name := range left {
		return fmt.Errorf("a schedule for %s, which is not there", name)
	}
	return nil
}

// registers gives physical registers to virtual ones.
func registers(fn *ir.Function) error {
	before, err := allocate.Take(fn)
	if err != nil {
		return err
	}
	if err := allocate.Function(fn); err != nil {
		return err
	}
	if err := pass.BindRegisters(fn); err != nil {
		return err
	}
	return before.Check()
}
