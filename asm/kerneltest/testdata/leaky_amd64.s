// Kernels with faults, each of a kind that the tests must find. Eight digits of
// eight lanes at x are secrets, at y are as many that are to be set.

#include "textflag.h"

// func sound(x, y *uint64)
TEXT ·sound(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVL $8, CX

digit:
	VMOVDQU64 (SI), Z0
	VPSRLQ $52, Z0, Z0
	VMOVDQU64 Z0, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	DECQ CX
	JNZ digit
	VZEROUPPER
	RET

// func branches(x, y *uint64): it leaves out a digit that is zero.
TEXT ·branches(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVL $8, CX
	VPXORQ Z1, Z1, Z1

digit:
	VMOVDQU64 (SI), Z0
	VPTESTMQ Z0, Z0, K1
	KMOVB K1, AX
	VMOVDQU64 Z1, (DI)
	TESTL AX, AX
	JZ next
	VMOVDQU64 Z0, (DI)

next:
	ADDQ $64, SI
	ADDQ $64, DI
	DECQ CX
	JNZ digit
	VZEROUPPER
	RET

// func stops(x, y *uint64): the number of rounds is a digit.
TEXT ·stops(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ (SI), CX
	ANDQ $7, CX
	INCQ CX

digit:
	VMOVDQU64 (SI), Z0
	VMOVDQU64 Z0, (DI)
	DECQ CX
	JNZ digit
	VZEROUPPER
	RET

// func indexes(x, y *uint64): a digit is the place in a table.
TEXT ·indexes(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ (SI), AX
	ANDQ $7, AX
	SHLQ $6, AX
	VMOVDQU64 (SI)(AX*1), Z0
	VMOVDQU64 Z0, (DI)
	VZEROUPPER
	RET

// func scatters(x, y *uint64): a digit is where the result goes.
TEXT ·scatters(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ (SI), AX
	ANDQ $7, AX
	MOVQ AX, (DI)(AX*8)
	RET

// func beyond(x, y *uint64): it reads one digit more than there are.
TEXT ·beyond(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVL $9, CX

digit:
	VMOVDQU64 (SI), Z0
	ADDQ $64, SI
	DECQ CX
	JNZ digit
	VMOVDQU64 Z0, (DI)
	VZEROUPPER
	RET

// func overwrites(x, y *uint64): it writes half a digit more than there are.
TEXT ·overwrites(SB), NOSPLIT, $0-16
	MOVQ y+8(FP), DI
	VPXORQ Z0, Z0, Z0
	VMOVDQU64 Z0, 480(DI)
	VZEROUPPER
	RET

// func operand(x, y *uint64): it writes to what it may only read.
TEXT ·operand(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	INCQ (SI)
	RET

// func garbage(x, y *uint64): it adds to what a register happens to hold.
TEXT ·garbage(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	VMOVDQU64 (SI), Z0
	VPMADD52LUQ Z0, Z0, Z1
	VMOVDQU64 Z1, (DI)
	VZEROUPPER
	RET

// func clobbers(x, y *uint64): it changes the register of the goroutine.
TEXT ·clobbers(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), R14
	RET

// func frame(x, y *uint64): it changes the frame pointer.
TEXT ·frame(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), BP
	RET

// func upper(x, y *uint64): it leaves the upper halves of vectors in use.
TEXT ·upper(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	VMOVDQU64 (SI), Z0
	VMOVDQU64 Z0, (DI)
	RET

// func forever(x, y *uint64)
TEXT ·forever(SB), NOSPLIT, $0-16
	JMP forever_

forever_:
	JMP forever_
