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
	MULX
	ADCX
	ADOX
	PUSH
	POP
	CMOV
	J
	JMP
	RET
	NOP
	VZEROUPPER
	KMOVB
	KMOVW
	KMOVD
	KMOVQ
	VMOVDQU
	VMOVDQA
	VMOVDQU64
	VMOVDQA64
	VPADDQ
	VPSUBQ
	VPAND
	VPANDD
	VPANDQ
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
	VPCMPEQQ
	VPTESTMQ
	NumOps
)

// opInfo is what is known of an operation beside what it computes.
type opInfo struct {
	name string
	// access has a letter for every operand, the destination first: r read, w
	// written, x both, - neither (the address of LEA, an immediate).
	access string
	// Flags that are read, set, and left undefined (SDM volume 1, appendix A).
	reads, sets, spoils Set
	// sized operations carry the width of their operands in Go's name: L or Q.
	sized bool
}

const (
	carry    = Set(1 << CF)
	overflow = Set(1 << OF)
)

var ops = [NumOps]opInfo{
	ADD:          {name: "ADD", access: "xr", sets: Flags, sized: true},
	OR:           {name: "OR", access: "xr", sets: Flags, sized: true},
	ADC:          {name: "ADC", access: "xr", reads: carry, sets: Flags, sized: true},
	SBB:          {name: "SBB", access: "xr", reads: carry, sets: Flags, sized: true},
	AND:          {name: "AND", access: "xr", sets: Flags, sized: true},
	SUB:          {name: "SUB", access: "xr", sets: Flags, sized: true},
	XOR:          {name: "XOR", access: "xr", sets: Flags, sized: true},
	CMP:          {name: "CMP", access: "rr", sets: Flags, sized: true},
	TEST:         {name: "TEST", access: "rr", sets: Flags, sized: true},
	MOV:          {name: "MOV", access: "wr", sized: true},
	LEA:          {name: "LEA", access: "w-", sized: true},
	INC:          {name: "INC", access: "x", sets: Flags &^ carry, sized: true},
	DEC:          {name: "DEC", access: "x", sets: Flags &^ carry, sized: true},
	NEG:          {name: "NEG", access: "x", sets: Flags, sized: true},
	NOT:          {name: "NOT", access: "x", sized: true},
	IMUL:         {name: "IMUL", access: "xr", sets: carry | overflow, spoils: Flags &^ (carry | overflow), sized: true},
	IMUL3:        {name: "IMUL3", access: "wr-", sets: carry | overflow, spoils: Flags &^ (carry | overflow), sized: true},
	MUL:          {name: "MUL", access: "r", sets: carry | overflow, spoils: Flags &^ (carry | overflow), sized: true},
	SHL:          {name: "SHL", access: "x-", sets: Flags &^ overflow, spoils: overflow, sized: true},
	SHR:          {name: "SHR", access: "x-", sets: Flags &^ overflow, spoils: overflow, sized: true},
	SAR:          {name: "SAR", access: "x-", sets: Flags &^ overflow, spoils: overflow, sized: true},
	MULX:         {name: "MULX", access: "wwr", sized: true},
	ADCX:         {name: "ADCX", access: "xr", reads: carry, sets: carry, sized: true},
	ADOX:         {name: "ADOX", access: "xr", reads: overflow, sets: overflow, sized: true},
	PUSH:         {name: "PUSH", access: "r", sized: true},
	POP:          {name: "POP", access: "w", sized: true},
	CMOV:         {name: "CMOV", access: "xr", sized: true},
	J:            {name: "J"},
	JMP:          {name: "JMP"},
	RET:          {name: "RET"},
	NOP:          {name: "NOP", access: "-", sized: true},
	VZEROUPPER:   {name: "VZEROUPPER"},
	KMOVB:        {name: "KMOVB", access: "wr"},
	KMOVW:        {name: "KMOVW", access: "wr"},
	KMOVD:        {name: "KMOVD", access: "wr"},
	KMOVQ:        {name: "KMOVQ", access: "wr"},
	VMOVDQU:      {name: "VMOVDQU", access: "wr"},
	VMOVDQA:      {name: "VMOVDQA", access: "wr"},
	VMOVDQU64:    {name: "VMOVDQU64", access: "wr"},
	VMOVDQA64:    {name: "VMOVDQA64", access: "wr"},
	VPADDQ:       {name: "VPADDQ", access: "wrr"},
	VPSUBQ:       {name: "VPSUBQ", access: "wrr"},
	VPAND:        {name: "VPAND", access: "wrr"},
	VPANDD:       {name: "VPANDD", access: "wrr"},
	VPANDQ:       {name: "VPANDQ", access: "wrr"},
	VPOR:         {name: "VPOR", access: "wrr"},
	VPORD:        {name: "VPORD", access: "wrr"},
	VPORQ:        {name: "VPORQ", access: "wrr"},
	VPXOR:        {name: "VPXOR", access: "wrr"},
	VPXORD:       {name: "VPXORD", access: "wrr"},
	VPXORQ:       {name: "VPXORQ", access: "wrr"},
	VPSRLQ:       {name: "VPSRLQ", access: "wr-"},
	VPSLLQ:       {name: "VPSLLQ", access: "wr-"},
	VPSRAQ:       {name: "VPSRAQ", access: "wr-"},
	VPSRLVQ:      {name: "VPSRLVQ", access: "wrr"},
	VPSLLVQ:      {name: "VPSLLVQ", access: "wrr"},
	VPSRAVQ:      {name: "VPSRAVQ", access: "wrr"},
	VPSHLDQ:      {name: "VPSHLDQ", access: "wrr-"},
	VPSHRDQ:      {name: "VPSHRDQ", access: "wrr-"},
	VPTERNLOGD:   {name: "VPTERNLOGD", access: "xrr-"},
	VPTERNLOGQ:   {name: "VPTERNLOGQ", access: "xrr-"},
	VPMADD52LUQ:  {name: "VPMADD52LUQ", access: "xrr"},
	VPMADD52HUQ:  {name: "VPMADD52HUQ", access: "xrr"},
	VPBROADCASTQ: {name: "VPBROADCASTQ", access: "wr"},
	VPCMPEQQ:     {name: "VPCMPEQQ", access: "wrr"},
	VPTESTMQ:     {name: "VPTESTMQ", access: "wrr"},
}

// String is the name of the operation without a width.
func (op Op) String() string { return ops[op].name }

// IsMove reports whether the operation moves a vector.
func (op Op) IsMove() bool { return op >= VMOVDQU && op <= VMOVDQA64 }

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
