package batch

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The vector instructions of the kernels, with the registers' part that holds the
// kernel's lanes in place of the whole.

func (k kernel) VMOVDQU64(ops ...operand.Op)   { k.Context.VMOVDQU64(k.parts(ops)...) }
func (k kernel) VMOVDQA64(ops ...operand.Op)   { k.Context.VMOVDQA64(k.parts(ops)...) }
func (k kernel) VPMADD52LUQ(ops ...operand.Op) { k.Context.VPMADD52LUQ(k.parts(ops)...) }
func (k kernel) VPMADD52HUQ(ops ...operand.Op) { k.Context.VPMADD52HUQ(k.parts(ops)...) }
func (k kernel) VPADDQ(ops ...operand.Op)      { k.Context.VPADDQ(k.parts(ops)...) }
func (k kernel) VPSUBQ(ops ...operand.Op)      { k.Context.VPSUBQ(k.parts(ops)...) }
func (k kernel) VPANDQ(ops ...operand.Op)      { k.Context.VPANDQ(k.parts(ops)...) }
func (k kernel) VPSRLQ(ops ...operand.Op)      { k.Context.VPSRLQ(k.parts(ops)...) }
func (k kernel) VPSLLQ(ops ...operand.Op)      { k.Context.VPSLLQ(k.parts(ops)...) }
func (k kernel) VPSRAQ(ops ...operand.Op)      { k.Context.VPSRAQ(k.parts(ops)...) }
func (k kernel) VPTESTMQ(ops ...operand.Op)    { k.Context.VPTESTMQ(k.parts(ops)...) }
func (k kernel) VPSHLDQ(ops ...operand.Op)     { k.Context.VPSHLDQ(k.parts(ops)...) }
func (k kernel) VPXORQ(ops ...operand.Op)      { k.Context.VPXORQ(k.parts(ops)...) }
func (k kernel) VPTERNLOGD(ops ...operand.Op)  { k.Context.VPTERNLOGD(k.parts(ops)...) }
func (k kernel) VPCMPEQQ(ops ...operand.Op)    { k.Context.VPCMPEQQ(k.parts(ops)...) }

func (k kernel) parts(ops []operand.Op) []operand.Op {
	for i, op := range ops {
		if v, ok := op.(reg.VecPhysical); ok && k.lanes == 4 {
			ops[i] = v.AsY()
		}
	}
	return ops
}
