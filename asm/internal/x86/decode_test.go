package x86_test

import (
	"strings"
	"testing"

	"residue/asm/internal/x86"
)

// TestUnknown: what is not known is an error that shows the bytes.
func TestUnknown(t *testing.T) {
	for _, tt := range []struct {
		name string
		code []byte
	}{
		{"VPERMD", []byte{0x62, 0xf2, 0x75, 0x48, 0x36, 0xc2}},
		{"VPERMQ of 128 bits", []byte{0x62, 0xf2, 0xf5, 0x08, 0x36, 0xc2}},
		{"KANDB of one mask", []byte{0xc5, 0xf1, 0x41, 0xc2}},
		{"SETCS of the second byte of AX", []byte{0x0f, 0x92, 0xc4}},
		{"SHRQ by CL", []byte{0x48, 0xd3, 0xe8}},
		{"RCLQ", []byte{0x48, 0xd1, 0xd0}},
		{"ADDQ of 16 bits", []byte{0x66, 0x01, 0xc8}},
		{"XCHGQ AX, R8", []byte{0x49, 0x90}},
		{"PAUSE", []byte{0xf3, 0x90}},
		{"DIVQ CX", []byte{0x48, 0xf7, 0xf1}},
		{"CALL", []byte{0xe8, 0, 0, 0, 0}},
		{"SYSCALL", []byte{0x0f, 0x05}},
		{"JPS", []byte{0x7a, 0x00}},
		{"VMOVDQU64 from an address relative to the instruction", []byte{0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x05, 0, 0, 0, 0}},
		{"VPGATHERQQ", []byte{0x62, 0xf2, 0xfd, 0x49, 0x91, 0x04, 0x08}},
		{"VZEROALL", []byte{0xc5, 0xfc, 0x77}},
		{"VPADDQ that zeroes without a mask", []byte{0x62, 0xf1, 0xf5, 0xc8, 0xd4, 0xc2}},
		{"VPADDQ of a reserved length", []byte{0x62, 0xf1, 0xf5, 0x68, 0xd4, 0xc2}},
		{"VPADDQ that rounds", []byte{0x62, 0xf1, 0xf5, 0x58, 0xd4, 0xc2}},
		{"VMOVDQU64 that broadcasts", []byte{0x62, 0xf1, 0xfe, 0x58, 0x6f, 0x00}},
		{"VMOVDQU64 with a third register", []byte{0x62, 0xf1, 0xf6, 0x48, 0x6f, 0x00}},
		{"VPADDQ without an end", []byte{0x62, 0xf1, 0xf5, 0x48, 0xd4}},
		{"VPADDQ without a displacement", []byte{0x62, 0xf1, 0xf5, 0x48, 0xd4, 0x80, 0x00}},
		{"a lone prefix", []byte{0x62}},
	} {
		code := append([]byte{0xc3}, tt.code...)
		insts, err := x86.Decode(code)
		if err == nil {
			t.Errorf("%s: decoded as %s", tt.name, insts[1].String())
		} else if !strings.Contains(err.Error(), "offset 1: ") {
			t.Errorf("%s: error %q does not say where", tt.name, err)
		}
	}
}

// FuzzDecode: no bytes make the decoder panic.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x62, 0xf1, 0xf5, 0x48, 0xd4, 0xc2, 0xc3})
	f.Add([]byte{0xc4, 0xe2, 0xf3, 0xf6, 0xc2})
	f.Add([]byte{0x48, 0x8b, 0x84, 0x8b, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, code []byte) {
		insts, _ := x86.Decode(code)
		for i := range insts {
			if insts[i].String() == "" {
				t.Error("an instruction without a text")
			}
		}
	})
}
