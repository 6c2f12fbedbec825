// Package ports estimates how many cycles a core needs for instructions, from the
// ports that execute them.
package ports

import "residue/asm/internal/x86"

// Class is a kind of instruction that a core treats alike.
type Class int

// The classes. A load that comes with an operation is counted apart.
const (
	Free       Class = iota // gone when registers are renamed: moves, zeros; NOP
	Madd                    // vector multiply-add
	Logic                   // vector addition, bits
	Shift                   // vector shift, also of two registers
	Wide                    // vector product of 64 bits
	Order                   // vector minimum and maximum
	Shuffle                 // elements of vectors into other places
	Compare                 // vectors into a mask
	Broadcast               // general register to vector
	MaskIn                  // general register or memory to mask
	MaskOut                 // mask to general register or to flags
	MaskLogic               // mask to mask, bit by bit
	MaskAdd                 // mask to mask, across bits
	ALU                     // addition, bits, addresses
	Carry                   // addition with carry, conditional move, shift
	Multiply                // low product
	MultiplyHi              // both halves of a product
	Branch                  // also with the comparison before it, if that is fused
	Load                    // of up to 8 bytes
	Store
	VectorLoad
	VectorStore
	numClasses
)

// Classes returns the classes of an instruction: one operation at most, and its
// accesses of memory. fused says that the instruction and the jump behind it are
// one to the core, and are counted there.
func Classes(in *x86.Inst, fused bool) []Class {
	if fused {
		return memory(in, nil)
	}
	return memory(in, operation(in))
}

// Fuses reports whether the core makes one operation of the two (Intel's
// optimization manual, macro-fusion).
func Fuses(in, next *x86.Inst) bool {
	if next.Op != x86.J {
		return false
	}
	switch in.Op {
	case x86.CMP, x86.TEST, x86.ADD, x86.SUB, x86.AND, x86.INC, x86.DEC:
		mem := in.Args[0].Kind == x86.Memory && in.Op != x86.CMP && in.Op != x86.TEST
		carry := next.Cond == 2 || next.Cond == 3 || next.Cond == 6 || next.Cond == 7
		return !mem && !(carry && (in.Op == x86.INC || in.Op == x86.DEC))
	}
	return false
}

func operation(in *x86.Inst) []Class {
	registers := in.Mem() == nil
	switch in.Op {
	case x86.VPMADD52LUQ, x86.VPMADD52HUQ:
		return []Class{Madd}
	case x86.VPXOR, x86.VPXORD, x86.VPXORQ, x86.VPSUBQ:
		if in.Reads&^in.Addr == 0 && registers {
			return []Class{Free}
		}
		return []Class{Logic}
	case x86.VPMULLQ:
		return []Class{Wide}
	case x86.VPMINUQ, x86.VPMAXUQ:
		return []Class{Order}
	case x86.VALIGNQ, x86.VPERMQ, x86.VPERMI2Q, x86.VPERMT2Q:
		return []Class{Shuffle}
	case x86.VPADDQ, x86.VPAND, x86.VPANDD, x86.VPANDQ, x86.VPANDN, x86.VPANDND, x86.VPANDNQ, x86.VPOR, x86.VPORD, x86.VPORQ, x86.VPTERNLOGD, x86.VPTERNLOGQ:
		return []Class{Logic}
	case x86.VPSRLQ, x86.VPSLLQ, x86.VPSRAQ, x86.VPSRLVQ, x86.VPSLLVQ, x86.VPSRAVQ, x86.VPSHLDQ, x86.VPSHRDQ:
		return []Class{Shift}
	case x86.VPCMPEQQ, x86.VPCMPGTQ, x86.VPCMPQ, x86.VPCMPUQ, x86.VPTESTMQ, x86.VPTESTNMQ:
		return []Class{Compare}
	case x86.VMOVDQU, x86.VMOVDQA, x86.VMOVDQU64, x86.VMOVDQA64:
		switch {
		case in.Mask != x86.K0 && in.Args[0].Kind == x86.Register: // a blend
			return []Class{Logic}
		case registers:
			return []Class{Free}
		}
	case x86.VPBROADCASTQ:
		if registers {
			return []Class{Broadcast}
		}
	case x86.KMOV:
		from, to := in.Args[1], in.Args[0]
		switch {
		case to.Kind == x86.Memory:
		case to.Reg.IsGeneral():
			return []Class{MaskOut}
		case from.Kind == x86.Register && from.Reg.IsMask():
			return []Class{MaskLogic}
		default:
			return []Class{MaskIn}
		}
	case x86.KORTEST, x86.KTEST:
		return []Class{MaskOut}
	case x86.KNOT, x86.KAND, x86.KANDN, x86.KOR, x86.KXOR, x86.KXNOR:
		return []Class{MaskLogic}
	case x86.KADD, x86.KSHIFTL, x86.KSHIFTR, x86.KUNPCK:
		return []Class{MaskAdd}
	case x86.MOV:
		if registers && in.Args[1].Kind == x86.Register {
			return []Class{Free}
		}
		if registers {
			return []Class{ALU}
		}
	case x86.XOR, x86.SUB:
		if in.Reads == 0 {
			return []Class{Free}
		}
		return []Class{ALU}
	case x86.ADD, x86.OR, x86.AND, x86.CMP, x86.TEST, x86.LEA, x86.INC, x86.DEC, x86.NEG, x86.NOT, x86.ANDN, x86.BZHI:
		return []Class{ALU}
	case x86.MOVZB, x86.MOVZW:
		if registers {
			return []Class{ALU}
		}
	case x86.ADC, x86.SBB, x86.ADCX, x86.ADOX, x86.CMOV, x86.SET,
		x86.SHL, x86.SHR, x86.SAR, x86.ROL, x86.ROR, x86.SHLX, x86.SHRX, x86.SARX, x86.RORX:
		return []Class{Carry}
	case x86.IMUL, x86.IMUL3, x86.PDEP, x86.PEXT:
		return []Class{Multiply}
	case x86.MUL, x86.MULX:
		return []Class{MultiplyHi}
	case x86.J, x86.JMP, x86.RET:
		return []Class{Branch}
	}
	return nil
}

// memory adds the accesses of memory.
func memory(in *x86.Inst, cs []Class) []Class {
	mem := in.Mem()
	switch {
	case in.Op == x86.PUSH:
		return append(cs, Store)
	case in.Op == x86.POP || in.Op == x86.RET:
		return append(cs, Load)
	case mem == nil || in.Op == x86.LEA || in.Op == x86.NOP:
		return cs
	}
	load, store := Load, Store
	if mem.Bytes > 8 {
		load, store = VectorLoad, VectorStore
	}
	if in.Args[0].Kind != x86.Memory || in.Op == x86.CMP || in.Op == x86.TEST {
		return append(cs, load)
	}
	if in.Loads() {
		cs = append(cs, load) // read, changed and written
	}
	return append(cs, store)
}
