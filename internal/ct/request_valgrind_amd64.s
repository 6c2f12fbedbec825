//go:build valgrind && linux

#include "textflag.h"

// func request(number uintptr, p unsafe.Pointer, size uintptr) uintptr
//
// Valgrind takes the address of six words, the number of the request and five
// arguments, in AX, and puts its answer into DX. What tells it that there is a
// request is four rotations of DI, by 128 bits in all, and an exchange of BX with
// itself, which do nothing on a CPU.
TEXT ·request(SB), NOSPLIT, $48-32
	MOVQ number+0(FP), AX
	MOVQ AX, words-48(SP)
	MOVQ p+8(FP), AX
	MOVQ AX, words-40(SP)
	MOVQ size+16(FP), AX
	MOVQ AX, words-32(SP)
	XORL AX, AX
	MOVQ AX, words-24(SP)
	MOVQ AX, words-16(SP)
	MOVQ AX, words-8(SP)
	LEAQ words-48(SP), AX
	XORL DX, DX
	ROLQ $3, DI
	ROLQ $13, DI
	ROLQ $61, DI
	ROLQ $51, DI
	XCHGQ BX, BX
	MOVQ DX, ret+24(FP)
	RET
