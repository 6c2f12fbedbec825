package x86

import "strings"

// ofShortElements has the operations on elements of 8, 16 and 32 bits, and those that
// move parts of vectors whatever their elements.
func ofShortElements() []encoding {
	return append(twice(shared), short...)
}

// shared are rows that stand for two: one with VEX, of which memory is all of the
// vector and W does not matter, and one with EVEX.
var shared = []encoding{
	{"66.0F FD /r", VPADDW, "vR vV vM"},
	{"66.0F.W0 FE /r", VPADDD, "vR vV vB"},
	{"66.0F F9 /r", VPSUBW, "vR vV vM"},
	{"66.0F.W0 FA /r", VPSUBD, "vR vV vB"},
	{"66.0F38 1D /r", VPABSW, "vR vM"},
	{"66.0F38.W0 1E /r", VPABSD, "vR vB"},
	{"66.0F D5 /r", VPMULLW, "vR vV vM"},
	{"66.0F38.W0 40 /r", VPMULLD, "vR vV vB"},
	{"66.0F E5 /r", VPMULHW, "vR vV vM"},
	{"66.0F E4 /r", VPMULHUW, "vR vV vM"},
	{"66.0F38 0B /r", VPMULHRSW, "vR vV vM"},
	{"66.0F38.W1 28 /r", VPMULDQ, "vR vV vB"},
	{"66.0F.W1 F4 /r", VPMULUDQ, "vR vV vB"},
	{"66.0F F5 /r", VPMADDWD, "vR vV vM"},
	{"66.0F EA /r", VPMINSW, "vR vV vM"},
	{"66.0F38.W0 39 /r", VPMINSD, "vR vV vB"},
	{"66.0F38 3A /r", VPMINUW, "vR vV vM"},
	{"66.0F38.W0 3B /r", VPMINUD, "vR vV vB"},
	{"66.0F EE /r", VPMAXSW, "vR vV vM"},
	{"66.0F38.W0 3D /r", VPMAXSD, "vR vV vB"},
	{"66.0F38 3E /r", VPMAXUW, "vR vV vM"},
	{"66.0F38.W0 3F /r", VPMAXUD, "vR vV vB"},
	{"66.0F 71 /2 ub", VPSRLW, "vV vM i"},
	{"66.0F.W0 72 /2 ub", VPSRLD, "vV vB i"},
	{"66.0F 71 /6 ub", VPSLLW, "vV vM i"},
	{"66.0F.W0 72 /6 ub", VPSLLD, "vV vB i"},
	{"66.0F 71 /4 ub", VPSRAW, "vV vM i"},
	{"66.0F.W0 72 /4 ub", VPSRAD, "vV vB i"},
	{"66.0F 61 /r", VPUNPCKLWD, "vR vV vM"},
	{"66.0F.W0 62 /r", VPUNPCKLDQ, "vR vV vB"},
	{"66.0F.W1 6C /r", VPUNPCKLQDQ, "vR vV vB"},
	{"66.0F 69 /r", VPUNPCKHWD, "vR vV vM"},
	{"66.0F.W0 6A /r", VPUNPCKHDQ, "vR vV vB"},
	{"66.0F.W1 6D /r", VPUNPCKHQDQ, "vR vV vB"},
	{"66.0F.W0 6B /r", VPACKSSDW, "vR vV vB"},
	{"66.0F38.W0 2B /r", VPACKUSDW, "vR vV vB"},
	{"66.0F38 00 /r", VPSHUFB, "vR vV vM"},
	{"66.0F.W0 70 /r ub", VPSHUFD, "vR vB i"},
	{"F2.0F 70 /r ub", VPSHUFLW, "vR vM i"},
	{"F3.0F 70 /r ub", VPSHUFHW, "vR vM i"},
	{"NP.0F.W0 C6 /r ub", VSHUFPS, "vR vV vB i"},
	{"F3.0F.W0 12 /r", VMOVSLDUP, "vR vM"},
	{"F3.0F.W0 16 /r", VMOVSHDUP, "vR vM"},
	{"66.0F3A 0F /r ub", VPALIGNR, "vR vV vM i"},
}

// twice makes the two rows of each. VEX has no shifts by an immediate of what is in
// memory.
func twice(rows []encoding) (es []encoding) {
	for _, e := range rows {
		code := strings.NewReplacer(".W0", "", ".W1", "").Replace(e.code)
		args := strings.ReplaceAll(e.args, "B", "M")
		if strings.HasPrefix(args, "vV") {
			args = strings.ReplaceAll(args, "M", "r")
		}
		es = append(es, encoding{"VEX." + code, e.op, args}, encoding{"EVEX." + e.code, e.op, e.args})
	}
	return es
}

// short are the rows that are as they are.
var short = []encoding{
	{"VEX.66.0F38 09 /r", VPSIGNW, "vR vV vM"},
	{"VEX.66.0F38 0A /r", VPSIGND, "vR vV vM"},
	{"VEX.66.0F3A 0E /r ub", VPBLENDW, "vR vV vM i"},
	{"VEX.66.0F3A.W0 02 /r ub", VPBLENDD, "vR vV vM i"},
	{"VEX.66.0F38.W0.L1 36 /r", VPERMD, "vR vV vM"},
	{"VEX.66.0F3A.W0.L1 46 /r ub", VPERM2I128, "vR vV vM i"},
	{"VEX.66.0F3A.W0.L1 38 /r ub", VINSERTI128, "vR vV vM i"},
	{"VEX.66.0F3A.W0.L1 39 /r ub", VEXTRACTI128, "vM vR i"},
	{"VEX.66.0F38.W0 79 /r", VPBROADCASTW, "vR vM"},
	{"VEX.66.0F38.W0 58 /r", VPBROADCASTD, "vR vM"},
	{"VEX.66.0F38.W0.L1 5A /r", VBROADCASTI128, "vR vm"},
	{"VEX.66.0F 75 /r", VPCMPEQW, "vR vV vM"},
	{"VEX.66.0F 76 /r", VPCMPEQD, "vR vV vM"},
	{"VEX.66.0F 65 /r", VPCMPGTW, "vR vV vM"},
	{"VEX.66.0F 66 /r", VPCMPGTD, "vR vV vM"},
	{"VEX.66.0F.W0.L0 6E /r", VMOVD, "vR gM"},
	{"VEX.66.0F.W0.L0 7E /r", VMOVD, "gM vR"},
	{"VEX.66.0F.W1.L0 6E /r", VMOVQ, "vR gM"},
	{"VEX.66.0F.W1.L0 7E /r", VMOVQ, "gM vR"},
	{"VEX.F3.0F.L0 7E /r", VMOVQ, "vR vM"},
	{"VEX.66.0F.L0 D6 /r", VMOVQ, "vM vR"},

	{"EVEX.F2.0F.W0 6F /r", VMOVDQU8, "vR vM"},
	{"EVEX.F2.0F.W0 7F /r", VMOVDQU8, "vM vR"},
	{"EVEX.F2.0F.W1 6F /r", VMOVDQU16, "vR vM"},
	{"EVEX.F2.0F.W1 7F /r", VMOVDQU16, "vM vR"},
	{"EVEX.F3.0F.W0 6F /r", VMOVDQU32, "vR vM"},
	{"EVEX.F3.0F.W0 7F /r", VMOVDQU32, "vM vR"},
	{"EVEX.66.0F.W0 6F /r", VMOVDQA32, "vR vM"},
	{"EVEX.66.0F.W0 7F /r", VMOVDQA32, "vM vR"},
	{"EVEX.66.0F.W0.L0 6E /r", VMOVD, "vR gM"},
	{"EVEX.66.0F.W0.L0 7E /r", VMOVD, "gM vR"},
	{"EVEX.66.0F.W1.L0 6E /r", VMOVQ, "vR gM"},
	{"EVEX.66.0F.W1.L0 7E /r", VMOVQ, "gM vR"},
	{"EVEX.F3.0F.W1.L0 7E /r", VMOVQ, "vR vM"},
	{"EVEX.66.0F.W1.L0 D6 /r", VMOVQ, "vM vR"},
	{"EVEX.66.0F38.W0 52 /r", VPDPWSSD, "vR vV vB"},
	{"EVEX.66.0F.W0 72 /1 ub", VPROLD, "vV vB i"},
	{"EVEX.66.0F.W0 72 /0 ub", VPRORD, "vV vB i"},
	{"EVEX.66.0F3A.W1 70 /r ub", VPSHLDW, "vR vV vM i"},
	{"EVEX.66.0F3A.W0 71 /r ub", VPSHLDD, "vR vV vB i"},
	{"EVEX.66.0F3A.W1 72 /r ub", VPSHRDW, "vR vV vM i"},
	{"EVEX.66.0F3A.W0 73 /r ub", VPSHRDD, "vR vV vB i"},
	{"EVEX.66.0F38.W1 66 /r", VPBLENDMW, "vR vV vM"},
	{"EVEX.66.0F38.W0 64 /r", VPBLENDMD, "vR vV vB"},
	{"EVEX.66.0F38.W1 64 /r", VPBLENDMQ, "vR vV vB"},
	{"EVEX.66.0F3A.W0 03 /r ub", VALIGND, "vR vV vB i"},
	{"EVEX.66.0F38.W1 8D /r", VPERMW, "vR vV vM"},
	{"EVEX.66.0F38.W0.L1 36 /r", VPERMD, "vR vV vB"},
	{"EVEX.66.0F38.W1 75 /r", VPERMI2W, "vR vV vM"},
	{"EVEX.66.0F38.W0 76 /r", VPERMI2D, "vR vV vB"},
	{"EVEX.66.0F38.W1 7D /r", VPERMT2W, "vR vV vM"},
	{"EVEX.66.0F38.W0 7E /r", VPERMT2D, "vR vV vB"},
	{"EVEX.66.0F3A.W0.L1 43 /r ub", VSHUFI32X4, "vR vV vB i"},
	{"EVEX.66.0F3A.W1.L1 43 /r ub", VSHUFI64X2, "vR vV vB i"},
	{"EVEX.66.0F3A.W0.L1 38 /r ub", VINSERTI32X4, "vR vV vM i"},
	{"EVEX.66.0F3A.W1.L1 38 /r ub", VINSERTI64X2, "vR vV vM i"},
	{"EVEX.66.0F3A.W1.L2 3A /r ub", VINSERTI64X4, "vR vV vM i"},
	{"EVEX.66.0F3A.W0.L1 39 /r ub", VEXTRACTI32X4, "vM vR i"},
	{"EVEX.66.0F3A.W1.L1 39 /r ub", VEXTRACTI64X2, "vM vR i"},
	{"EVEX.66.0F3A.W1.L2 3B /r ub", VEXTRACTI64X4, "vM vR i"},
	{"EVEX.66.0F38.W0 79 /r", VPBROADCASTW, "vR vM"},
	{"EVEX.66.0F38.W0 58 /r", VPBROADCASTD, "vR vM"},
	{"EVEX.66.0F38.W0 7B /r", VPBROADCASTW, "vR gr"},
	{"EVEX.66.0F38.W0 7C /r", VPBROADCASTD, "vR gr"},
	{"EVEX.66.0F38.W0.L1 5A /r", VBROADCASTI32X4, "vR vm"},
	{"EVEX.66.0F38.W1.L2 5B /r", VBROADCASTI64X4, "vR vm"},
	{"EVEX.F3.0F38.W0 33 /r", VPMOVDW, "vr vR"},
	{"EVEX.66.0F 75 /r", VPCMPEQW, "kR vV vM"},
	{"EVEX.66.0F.W0 76 /r", VPCMPEQD, "kR vV vB"},
	{"EVEX.66.0F 65 /r", VPCMPGTW, "kR vV vM"},
	{"EVEX.66.0F.W0 66 /r", VPCMPGTD, "kR vV vB"},
	{"EVEX.66.0F3A.W1 3F /r ub", VPCMPW, "kR vV vM i"},
	{"EVEX.66.0F3A.W0 1F /r ub", VPCMPD, "kR vV vB i"},
	{"EVEX.66.0F3A.W1 3E /r ub", VPCMPUW, "kR vV vM i"},
	{"EVEX.66.0F3A.W0 1E /r ub", VPCMPUD, "kR vV vB i"},
}
