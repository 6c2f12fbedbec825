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
	// widths has what Go's name says of the width of operands, for the widths that it
	// says anything of, in bytes.
	widths map[int]string
}

var (
	general = map[int]string{4: "L", 8: "Q"}
	masks   = map[int]string{1: "B", 2: "W", 4: "D", 8: "Q"}
)

const (
	carry    = Set(1 << CF)
	overflow = Set(1 << OF)
)

var ops = [NumOps]opInfo{
	ADD:          {name: "ADD", access: "xr", sets: Flags, widths: general},
	OR:           {name: "OR", access: "xr", sets: Flags, widths: general},
	ADC:          {name: "ADC", access: "xr", reads: carry, sets: Flags, widths: general},
	SBB:          {name: "SBB", access: "xr", reads: carry, sets: Flags, widths: general},
	AND:          {name: "AND", access: "xr", sets: Flags, widths: general},
	SUB:          {name: "SUB", access: "xr", sets: Flags, widths: general},
	XOR:          {name: "XOR", access: "xr", sets: Flags, widths: general},
	CMP:          {name: "CMP", access: "rr", sets: Flags, widths: general},
	TEST:         {name: "TEST", access: "rr", sets: Flags, widths: general},
	MOV:          {name: "MOV", access: "wr", widths: general},
	LEA:          {name: "LEA", access: "w-", widths: general},
	INC:          {name: "INC", access: "x", sets: Flags &^ carry, widths: general},
	DEC:          {name: "DEC", access: "x", sets: Flags &^ carry, widths: general},
	NEG:          {name: "NEG", access: "x", sets: Flags, widths: general},
	NOT:          {name: "NOT", access: "x", widths: general},
	IMUL:         {name: "IMUL", access: "xr", sets: carry | overflow, spoils: Flags &^ (carry | overflow), widths: general},
	IMUL3:        {name: "IMUL3", access: "wr-", sets: carry | overflow, spoils: Flags &^ (carry | overflow), widths: general},
	MUL:          {name: "MUL", access: "r", sets: carry | overflow, spoils: Flags &^ (carry | overflow), widths: general},
	SHL:          {name: "SHL", access: "x-", sets: Flags &^ overflow, spoils: overflow, widths: general},
	SHR:          {name: "SHR", access: "x-", sets: Flags &^ overflow, spoils: overflow, widths: general},
	SAR:          {name: "SAR", access: "x-", sets: Flags &^ overflow, spoils: overflow, widths: general},
	ROL:          {name: "ROL", access: "x-", sets: carry, spoils: overflow, widths: general},
	ROR:          {name: "ROR", access: "x-", sets: carry, spoils: overflow, widths: general},
	SHLX:         {name: "SHLX", access: "wrr", widths: general},
	SHRX:         {name: "SHRX", access: "wrr", widths: general},
	SARX:         {name: "SARX", access: "wrr", widths: general},
	RORX:         {name: "RORX", access: "wr-", widths: general},
	PDEP:         {name: "PDEP", access: "wrr", widths: general},
	PEXT:         {name: "PEXT", access: "wrr", widths: general},
	BZHI:         {name: "BZHI", access: "wrr", sets: Flags, widths: general},
	ANDN:         {name: "ANDN", access: "wrr", sets: Flags, widths: general},
	MOVZB:        {name: "MOVB", access: "wr", widths: map[int]string{4: "LZX", 8: "QZX"}},
	MOVZW:        {name: "MOVW", access: "wr", widths: map[int]string{4: "LZX", 8: "QZX"}},
	MULX:         {name: "MULX", access: "wwr", widths: general},
	ADCX:         {name: "ADCX", access: "xr", reads: carry, sets: carry, widths: general},
	ADOX:         {name: "ADOX", access: "xr", reads: overflow, sets: overflow, widths: general},
	PUSH:         {name: "PUSH", access: "r", widths: general},
	POP:          {name: "POP", access: "w", widths: general},
	CMOV:         {name: "CMOV", access: "xr", widths: general},
	SET:          {name: "SET", access: "w"},
	J:            {name: "J"},
	JMP:          {name: "JMP"},
	RET:          {name: "RET"},
	NOP:          {name: "NOP", access: "-", widths: map[int]string{2: "W", 4: "L", 8: "Q"}},
	VZEROUPPER:   {name: "VZEROUPPER"},
	KMOV:         {name: "KMOV", access: "wr", widths: masks},
	KNOT:         {name: "KNOT", access: "wr", widths: masks},
	KAND:         {name: "KAND", access: "wrr", widths: masks},
	KANDN:        {name: "KANDN", access: "wrr", widths: masks},
	KOR:          {name: "KOR", access: "wrr", widths: masks},
	KXOR:         {name: "KXOR", access: "wrr", widths: masks},
	KXNOR:        {name: "KXNOR", access: "wrr", widths: masks},
	KADD:         {name: "KADD", access: "wrr", widths: masks},
	KSHIFTL:      {name: "KSHIFTL", access: "wr-", widths: masks},
	KSHIFTR:      {name: "KSHIFTR", access: "wr-", widths: masks},
	KUNPCK:       {name: "KUNPCK", access: "wrr", widths: map[int]string{2: "BW", 4: "WD", 8: "DQ"}},
	KORTEST:      {name: "KORTEST", access: "rr", sets: Flags, widths: masks},
	KTEST:        {name: "KTEST", access: "rr", sets: Flags, widths: masks},
	VMOVDQU:      {name: "VMOVDQU", access: "wr"},
	VMOVDQA:      {name: "VMOVDQA", access: "wr"},
	VMOVDQU64:    {name: "VMOVDQU64", access: "wr"},
	VMOVDQA64:    {name: "VMOVDQA64", access: "wr"},
	VPADDQ:       {name: "VPADDQ", access: "wrr"},
	VPSUBQ:       {name: "VPSUBQ", access: "wrr"},
	VPMULLQ:      {name: "VPMULLQ", access: "wrr"},
	VPMINUQ:      {name: "VPMINUQ", access: "wrr"},
	VPMAXUQ:      {name: "VPMAXUQ", access: "wrr"},
	VPAND:        {name: "VPAND", access: "wrr"},
	VPANDD:       {name: "VPANDD", access: "wrr"},
	VPANDQ:       {name: "VPANDQ", access: "wrr"},
	VPANDN:       {name: "VPANDN", access: "wrr"},
	VPANDND:      {name: "VPANDND", access: "wrr"},
	VPANDNQ:      {name: "VPANDNQ", access: "wrr"},
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
	VALIGNQ:      {name: "VALIGNQ", access: "wrr-"},
	VPERMQ:       {name: "VPERMQ", access: "wrr"}, // or an immediate in third place
	VPERMI2Q:     {name: "VPERMI2Q", access: "xrr"},
	VPERMT2Q:     {name: "VPERMT2Q", access: "xrr"},
	VPCMPEQQ:     {name: "VPCMPEQQ", access: "wrr"},
	VPCMPGTQ:     {name: "VPCMPGTQ", access: "wrr"},
	VPCMPQ:       {name: "VPCMPQ", access: "wrr-"},
	VPCMPUQ:      {name: "VPCMPUQ", access: "wrr-"},
	VPTESTMQ:     {name: "VPTESTMQ", access: "wrr"},
	VPTESTNMQ:    {name: "VPTESTNMQ", access: "wrr"},
}

// String is the name of the operation without a width.
func (op Op) String() string { return ops[op].name }

// conditional reports whether what the operation does depends on a condition.
func (op Op) conditional() bool { return op == J || op == CMOV || op == SET }

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
