#include "textflag.h"

// func call(code *byte, frame *[MaxArgs]uint64)
TEXT ·call(SB), 0, $136-16
	MOVQ frame+8(FP), SI
	MOVQ SP, DI
	MOVQ $16, CX
	CLD
	REP; MOVSQ
	MOVQ code+0(FP), AX
	CALL AX
	MOVQ SP, SI
	MOVQ frame+8(FP), DI
	MOVQ $16, CX
	CLD
	REP; MOVSQ
	RET
