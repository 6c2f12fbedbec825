package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"residue/asm/kerneltest"
	"residue/asm/pmns"
)

const root = "../../.."

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		q    kerneltest.Request
		want []string // patterns of lines
	}{
		{kerneltest.Request{Operation: "mulmont", Kernel: "ifma512", Bits: 2048, Block: 1, Entries: 2}, []string{
			`^mulmont, ifma512, 2048 bits: 8 numbers of 40 digits, 2 tiles of 20$`,
			`^VPMADD52LUQ +3200 +4 +0\.50`, `^VPMADD52HUQ +3200 +4`, `^multiply-adds, two a cycle +6400 +3200`,
		}},
		{kerneltest.Request{Operation: "sqrmont", Kernel: "ifma512", Bits: 2048, Block: 1, Entries: 2}, []string{`multiply-adds, two a cycle +4520 +2260`}},
		{kerneltest.Request{Operation: "sqrmont", Kernel: "ifma512", Bits: 2048, Block: 1, Entries: 2, Schoolbook: true}, []string{`multiply-adds, two a cycle +4840 +2420`}},
		{kerneltest.Request{Operation: "mulmont", Kernel: "ifma512", Bits: 1024, Block: 20, Full: true, Entries: 2}, []string{`multiply-adds, two a cycle +2000`}},
		{kerneltest.Request{Operation: "gather", Kernel: "ifma256", Bits: 512, Block: 1, Entries: 4}, []string{`VMOVDQU64 \(load\) under a mask +40`}},
		{kerneltest.Request{Operation: "mul", Kernel: "adx", Bits: 1024, Entries: 2}, []string{
			`^mul, adx, 1024 bits: one number of 16 words$`, `^MULXQ \(load\) +256 +9 +1\.00`, `^longest path of latencies +\d\d\d +\d\d\d$`,
		}},
		{kerneltest.Request{Operation: "sqrmont", Kernel: "mont-ifma512", Bits: 2048, Entries: 2}, []string{
			`^sqrmont, mont-ifma512, 2048 bits: one number of 40 digits of 52 bits, 5 vectors$`, `^multiply-adds, two a cycle +720 +360`,
		}},
		{kerneltest.Request{Operation: "gather", Kernel: "mont-ifma512", Bits: 1024, Entries: 16}, []string{`VMOVDQU64 \(load\) under a mask +48`}},
		{kerneltest.Request{Operation: "mulmont", Kernel: "pmns-ifma512", Bits: 2048, Entries: 2}, []string{
			`^mulmont, pmns-ifma512, 2048 bits: polynomials of 7 coefficients of 6 words, vectors of a word: 1$`, `^multiply-adds, two a cycle +1085 +542`,
		}},
		{kerneltest.Request{Operation: "mulmont", Kernel: "pmns-ifma512", Bits: 2048, Set: pmns.Set{Coefficients: 15, Words: 6}, Full: true, Entries: 2}, []string{
			`^mulmont, pmns-ifma512: polynomials of 15 coefficients of 6 words, vectors of a word: 2$`, `^multiply-adds, two a cycle +5400 +2700`,
		}},
		{kerneltest.Request{Operation: "mulmont", Kernel: "pmns-ifma512", Bits: 2048, Set: pmns.Set{Coefficients: 24, Words: 2}, Entries: 2}, []string{
			`^mulmont, pmns-ifma512: polynomials of 24 coefficients of 2 words, products of vectors: 6 instead of 9$`, `^multiply-adds, two a cycle +864 +432`,
		}},
		{kerneltest.Request{Operation: "mulmont", Kernel: "pmns-ifma512", Bits: 3072, Karatsuba: true, Entries: 2}, []string{`^multiply-adds, two a cycle +1984 +992`}},
		{kerneltest.Request{Operation: "mul", Kernel: "negacyclic-avx512", Ring: "ml-kem"}, []string{
			`^mul, negacyclic-avx512, ml-kem by ntt: polynomials of 256 coefficients modulo 3329$`, `^VPMULHRSW \(load\) +\d+`, `^products +\d\d\d$`,
			`^again right behind it +\d\d\d +\d\d\d$`,
			`^Golden Cove, cycles of each of these alone:$`, `^ports 0, 5 +\d\d\d$`,
		}},
		{kerneltest.Request{Operation: "matvec", Kernel: "negacyclic-avx2", Ring: "ml-dsa", Method: "ntt"}, []string{
			`^matvec, negacyclic-avx2, ml-dsa by ntt: polynomials of 256 coefficients modulo 8380417, a matrix of 6×5$`, `^low products of 32 bits +\d+$`,
		}},
		{kerneltest.Request{Operation: "interpolate", Kernel: "negacyclic-avx2", Ring: "saber"}, []string{`^interpolate, negacyclic-avx2, saber by toom4: .* modulo 2\^13$`}},
		{kerneltest.Request{Operation: "evaluate", Kernel: "negacyclic-avx2", Ring: "saber", Method: "primes"}, []string{`saber by primes: .* modulo 2\^13, by 3329 and 7681$`}},
	} {
		var out bytes.Buffer
		if err := run(&out, root, tt.q); err != nil {
			t.Errorf("%+v: %v", tt.q, err)
			continue
		}
		for _, p := range tt.want {
			if !regexp.MustCompile("(?m)" + p).MatchString(out.String()) {
				t.Errorf("%+v: no %q in\n%s", tt.q, p, out.String())
			}
		}
	}
}

func TestErrors(t *testing.T) {
	good := kerneltest.Request{Operation: "mulmont", Kernel: "ifma512", Bits: 1024, Block: 1, Entries: 2}
	for what, q := range map[string]func(*kerneltest.Request){
		"no operation":  func(q *kerneltest.Request) { q.Operation = "div" },
		"no kernel":     func(q *kerneltest.Request) { q.Kernel = "avx2" },
		"20000 bits":    func(q *kerneltest.Request) { q.Bits = 20000 },
		"a block of 15": func(q *kerneltest.Request) { q.Block = 15 },
		"65 entries":    func(q *kerneltest.Request) { q.Entries = 65 },
		"no operation \"mul\" of mont-ifma512": func(q *kerneltest.Request) {
			q.Kernel, q.Operation = "mont-ifma512", "mul"
		},
		"9000 bits: more": func(q *kerneltest.Request) { q.Kernel, q.Bits = "mont-ifma512", 9000 },
		"no kernel for 9 coefficients of 2 words": func(q *kerneltest.Request) {
			q.Kernel, q.Set = "pmns-ifma512", pmns.Set{Coefficients: 9, Words: 2}
		},
		"9000 bits: more than there are kernels for": func(q *kerneltest.Request) { q.Kernel, q.Bits = "pmns-ifma512", 9000 },
		"7 coefficients of 6 words by Karatsuba":     func(q *kerneltest.Request) { q.Kernel, q.Bits, q.Karatsuba = "pmns-ifma512", 2048, true },
		"no squares": func(q *kerneltest.Request) {
			q.Operation, q.Kernel, q.Set = "sqrmont", "pmns-ifma512", pmns.Set{Coefficients: 64, Words: 3}
		},
		`no operation "inverse" of saber by toom4`: func(q *kerneltest.Request) {
			q.Operation, q.Kernel, q.Ring = "inverse", "negacyclic-avx512", "saber"
		},
		`no ring "ml-kem" by toom4: ml-kem by ntt, ml-dsa by ntt`: func(q *kerneltest.Request) {
			q.Operation, q.Kernel, q.Ring, q.Method = "mul", "negacyclic-avx512", "ml-kem", "toom4"
		},
		"computes all": func(q *kerneltest.Request) { q.Kernel, q.Full, q.Karatsuba = "pmns-ifma512", true, true },
	} {
		bad := good
		q(&bad)
		if err := run(&bytes.Buffer{}, root, bad); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want one about %s", err, what)
		}
	}
}
