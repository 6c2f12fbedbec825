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
	Product                 // vector products of 16 bits, also summed, and of 32 bits to 64
	ProductLow              // vector product of 32 bits, low half
	Order                   // vector minimum and maximum of 64 bits
	OrderShort              // the same of 16 and 32 bits, absolute value, comparison into a vector
	Unpack                  // elements of vectors into other places within 128 bits, in fixed patterns
	Lane                    // and in any pattern
	Align                   // bytes of two vectors moved along within 128 bits
	Shuffle                 // elements of vectors into other places anywhere
	Words                   // the same, of 16 bits
	WordsOfTwo              // the same, of two vectors
	Truncate                // elements to half their length
	Compare                 // vectors into a mask
	Broadcast               // general register to vector
	MaskIn                  // general register or memory to mask; to vector, without a broadcast
	MaskOut                 // mask or vector to general register, mask to flags
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

// classNames are what tables show.
var classNames = [numClasses]string{
	"free", "multiply-adds", "additions, bits", "shifts", "products of 64 bits", "products", "low products of 32 bits",
	"minima of 64 bits", "minima", "unpacks", "shuffles in 128 bits", "alignments in 128 bits", "shuffles",
	"shuffles of words", "shuffles of two's words", "truncations", "compares to masks", "broadcasts",
	"moves to masks", "moves from masks", "mask bits", "mask sums", "integers", "integer carries, shifts",
	"integer products", "wide integer products", "branches", "loads", "stores", "vector loads", "vector stores",
}

// String returns the name of the class.
func (c Class) String() string { return classNames[c] }

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
	case x86.VPXOR, x86.VPXORD, x86.VPXORQ, x86.VPSUBW, x86.VPSUBD, x86.VPSUBQ:
		if in.Reads&^in.Addr == 0 && registers {
			return []Class{Free}
		}
		return []Class{Logic}
	case x86.VPMULLQ:
		return []Class{Wide}
	case x86.VPMULLW, x86.VPMULHW, x86.VPMULHUW, x86.VPMULHRSW, x86.VPMULDQ, x86.VPMULUDQ, x86.VPMADDWD, x86.VPDPWSSD:
		return []Class{Product}
	case x86.VPMULLD:
		return []Class{ProductLow}
	case x86.VPMINUQ, x86.VPMAXUQ:
		return []Class{Order}
	case x86.VPMINSW, x86.VPMINSD, x86.VPMINUW, x86.VPMINUD, x86.VPMAXSW, x86.VPMAXSD, x86.VPMAXUW, x86.VPMAXUD,
		x86.VPABSW, x86.VPABSD, x86.VPSIGNW, x86.VPSIGND:
		return []Class{OrderShort}
	case x86.VPUNPCKLWD, x86.VPUNPCKLDQ, x86.VPUNPCKLQDQ, x86.VPUNPCKHWD, x86.VPUNPCKHDQ, x86.VPUNPCKHQDQ:
		return []Class{Unpack}
	case x86.VMOVSLDUP, x86.VMOVSHDUP:
		switch {
		case registers:
			return []Class{Unpack}
		case in.Mask != x86.K0: // loading duplicates
			return []Class{Logic}
		}
	case x86.VPSHUFB, x86.VPSHUFD, x86.VPSHUFLW, x86.VPSHUFHW, x86.VSHUFPS, x86.VPBLENDW:
		return []Class{Lane}
	case x86.VPALIGNR:
		return []Class{Align}
	case x86.VALIGND, x86.VALIGNQ, x86.VPERMD, x86.VPERMQ, x86.VPERMI2D, x86.VPERMI2Q, x86.VPERMT2D, x86.VPERMT2Q,
		x86.VSHUFI32X4, x86.VSHUFI64X2, x86.VPERM2I128, x86.VPACKSSDW, x86.VPACKUSDW:
		return []Class{Shuffle}
	case x86.VINSERTI128, x86.VINSERTI32X4, x86.VINSERTI64X2, x86.VINSERTI64X4:
		if registers {
			return []Class{Shuffle}
		}
		return []Class{Logic} // a blend
	case x86.VEXTRACTI128, x86.VEXTRACTI32X4, x86.VEXTRACTI64X2, x86.VEXTRACTI64X4:
		if registers {
			return []Class{Shuffle}
		}
	case x86.VPERMW:
		return []Class{Words}
	case x86.VPERMI2W, x86.VPERMT2W:
		return []Class{WordsOfTwo}
	case x86.VPMOVDW:
		return []Class{Truncate}
	case x86.VPADDW, x86.VPADDD, x86.VPBLENDD, x86.VPBLENDMW, x86.VPBLENDMD, x86.VPBLENDMQ:
		return []Class{Logic}
	case x86.VPADDQ, x86.VPAND, x86.VPANDD, x86.VPANDQ, x86.VPANDN, x86.VPANDND, x86.VPANDNQ, x86.VPOR, x86.VPORD, x86.VPORQ, x86.VPTERNLOGD, x86.VPTERNLOGQ:
		return []Class{Logic}
	case x86.VPSRLW, x86.VPSRLD, x86.VPSLLW, x86.VPSLLD, x86.VPSRAW, x86.VPSRAD, x86.VPROLD, x86.VPRORD,
		x86.VPSHLDW, x86.VPSHLDD, x86.VPSHRDW, x86.VPSHRDD:
		return []Class{Shift}
	case x86.VPSRLQ, x86.VPSLLQ, x86.VPSRAQ, x86.VPSRLVQ, x86.VPSLLVQ, x86.VPSRAVQ, x86.VPSHLDQ, x86.VPSHRDQ:
		return []Class{Shift}
	case x86.VPCMPEQW, x86.VPCMPEQD, x86.VPCMPGTW, x86.VPCMPGTD:
		greater := in.Op == x86.VPCMPGTW || in.Op == x86.VPCMPGTD
		switch {
		case in.Args[0].Reg.IsMask():
			return []Class{Compare}
		case greater && in.Reads == 0: // a zero; VPCMPEQ's ones are computed
			return []Class{Free}
		}
		return []Class{OrderShort}
	case x86.VPCMPW, x86.VPCMPD, x86.VPCMPUW, x86.VPCMPUD:
		return []Class{Compare}
	case x86.VPCMPEQQ, x86.VPCMPGTQ, x86.VPCMPQ, x86.VPCMPUQ, x86.VPTESTMQ, x86.VPTESTNMQ:
		return []Class{Compare}
	case x86.VMOVDQU, x86.VMOVDQA, x86.VMOVDQU8, x86.VMOVDQU16, x86.VMOVDQU32, x86.VMOVDQA32, x86.VMOVDQU64, x86.VMOVDQA64:
		switch {
		case in.Mask != x86.K0 && in.Args[0].Kind == x86.Register: // a blend
			return []Class{Logic}
		case registers:
			return []Class{Free}
		}
	case x86.VPBROADCASTW:
		return []Class{Broadcast}
	case x86.VPBROADCASTQ, x86.VPBROADCASTD, x86.VBROADCASTI128, x86.VBROADCASTI32X4, x86.VBROADCASTI64X4:
		switch {
		case registers:
			return []Class{Broadcast}
		case in.Mask != x86.K0: // loading broadcasts
			return []Class{Logic}
		}
	case x86.VMOVD, x86.VMOVQ:
		from, to := in.Args[1].Reg, in.Args[0].Reg
		switch {
		case !registers:
		case from.IsGeneral():
			return []Class{MaskIn}
		case to.IsGeneral():
			return []Class{MaskOut}
		default:
			return []Class{Logic}
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
