package x86

// Op is an operation: what an instruction does, apart from the width and the
// place of its operands.
type Op uint8

// The operations that are known. A name is that of Intel's manual, or Go's where
// they differ.
const (
	ADD Op = iota
	OR
	ADC
	SBB
	AND
	SUB
	XOR
	CMP
	TEST
	MOV
	LEA
	INC
	DEC
	NEG
	NOT
	IMUL
	IMUL3
	MUL
	SHL
	SHR
	SAR
	ROL
	ROR
	SHLX
	SHRX
	SARX
	RORX
	PDEP
	PEXT
	BZHI
	ANDN
	MOVZB
	MOVZW
	MULX
	ADCX
	ADOX
	PUSH
	POP
	CMOV
	SET
	J
	JMP
	RET
	NOP
	VZEROUPPER
	KMOV
	KNOT
	KAND
	KANDN
	KOR
	KXOR
	KXNOR
	KADD
	KSHIFTL
	KSHIFTR
	KUNPCK
	KORTEST
	KTEST
	VMOVDQU
	VMOVDQA
	VMOVDQU64
	VMOVDQA64
	VPADDQ
	VPSUBQ
	VPMULLQ
	VPMINUQ
	VPMAXUQ
	VPAND
	VPANDD
	VPANDQ
	VPANDN
	VPANDND
	VPANDNQ
	VPOR
	VPORD
	VPORQ
	VPXOR
	VPXORD
	VPXORQ
	VPSRLQ
	VPSLLQ
	VPSRAQ
	VPSRLVQ
	VPSLLVQ
	VPSRAVQ
	VPSHLDQ
	VPSHRDQ
	VPTERNLOGD
	VPTERNLOGQ
	VPMADD52LUQ
	VPMADD52HUQ
	VPBROADCASTQ
	VALIGNQ
	VPERMQ
	VPERMI2Q
	VPERMT2Q
	VPCMPEQQ
	VPCMPGTQ
	VPCMPQ
	VPCMPUQ
	VPTESTMQ
	VPTESTNMQ
	VMOVDQU8
	VMOVDQU16
	VMOVDQU32
	VMOVDQA32
	VMOVD
	VMOVQ
	VPADDW
	VPADDD
	VPSUBW
	VPSUBD
	VPABSW
	VPABSD
	VPSIGNW
	VPSIGND
	VPMULLW
	VPMULLD
	VPMULHW
	VPMULHUW
	VPMULHRSW
	VPMULDQ
	VPMULUDQ
	VPMADDWD
	VPDPWSSD
	VPMINSW
	VPMINSD
	VPMINUW
	VPMINUD
	VPMAXSW
	VPMAXSD
	VPMAXUW
	VPMAXUD
	VPSRLW
	VPSRLD
	VPSLLW
	VPSLLD
	VPSRAW
	VPSRAD
	VPROLD
	VPRORD
	VPSHLDW
	VPSHLDD
	VPSHRDW
	VPSHRDD
	VPUNPCKLWD
	VPUNPCKLDQ
	VPUNPCKLQDQ
	VPUNPCKHWD
	VPUNPCKHDQ
	VPUNPCKHQDQ
	VPACKSSDW
	VPACKUSDW
	VPSHUFB
	VPSHUFD
	VPSHUFLW
	VPSHUFHW
	VSHUFPS
	VMOVSLDUP
	VMOVSHDUP
	VPALIGNR
	VPBLENDW
	VPBLENDD
	VPBLENDMW
	VPBLENDMD
	VPBLENDMQ
	VALIGND
	VPERMW
	VPERMD
	VPERMI2W
	VPERMI2D
	VPERMT2W
	VPERMT2D
	VSHUFI32X4
	VSHUFI64X2
	VPERM2I128
	VINSERTI128
	VINSERTI32X4
	VINSERTI64X2
	VINSERTI64X4
	VEXTRACTI128
	VEXTRACTI32X4
	VEXTRACTI64X2
	VEXTRACTI64X4
	VPBROADCASTW
	VPBROADCASTD
	VBROADCASTI128
	VBROADCASTI32X4
	VBROADCASTI64X4
	VPMOVDW
	VPCMPEQW
	VPCMPEQD
	VPCMPGTW
	VPCMPGTD
	VPCMPW
	VPCMPD
	VPCMPUW
	VPCMPUD
	NumOps
)

// String is the name of the operation without a width.
func (op Op) String() string { return ops[op].name }

// conditional reports whether what the operation does depends on a condition.
func (op Op) conditional() bool { return op == J || op == CMOV || op == SET }

// Blends reports whether elements that are masked off come from the first source,
// and not from the destination.
func (op Op) Blends() bool { return op == VPBLENDMW || op == VPBLENDMD || op == VPBLENDMQ }

// Cond is a condition on flags, numbered as instructions do (SDM volume 2,
// table B-10).
type Cond uint8

// conds has the name that Go's assembler has for a condition and the flags that
// it reads. Those that read the parity flag are missing: it is not modelled.
var conds = [16]struct {
	name  string
	reads Set
}{
	0x0: {"OS", 1 << OF},
	0x1: {"OC", 1 << OF},
	0x2: {"CS", 1 << CF},
	0x3: {"CC", 1 << CF},
	0x4: {"EQ", 1 << ZF},
	0x5: {"NE", 1 << ZF},
	0x6: {"LS", 1<<CF | 1<<ZF},
	0x7: {"HI", 1<<CF | 1<<ZF},
	0x8: {"MI", 1 << SF},
	0x9: {"PL", 1 << SF},
	0xc: {"LT", 1<<SF | 1<<OF},
	0xd: {"GE", 1<<SF | 1<<OF},
	0xe: {"LE", 1<<SF | 1<<OF | 1<<ZF},
	0xf: {"GT", 1<<SF | 1<<OF | 1<<ZF},
}

func (c Cond) String() string { return conds[c].name }
