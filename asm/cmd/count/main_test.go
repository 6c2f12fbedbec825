package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		o    options
		want []string // patterns of lines
	}{
		{options{operation: "mulmont", set: "ifma512", bits: 2048, block: 1, entries: 2}, []string{
			`^mulmont, ifma512, 2048 bits: 8 numbers of 40 digits, 2 tiles of 20$`,
			`^VPMADD52LUQ +3200 +4 +0\.50`, `^VPMADD52HUQ +3200 +4`, `^multiply-adds, two a cycle +6400 +3200`,
		}},
		{options{operation: "mulmont", set: "ifma512", bits: 1024, block: 20, full: true, entries: 2}, []string{`multiply-adds, two a cycle +2000`}},
		{options{operation: "gather", set: "ifma256", bits: 512, block: 1, entries: 4}, []string{`VMOVDQU64 \(load\) under a mask +40`}},
	} {
		tt.o.root = "../../.."
		var out bytes.Buffer
		if err := run(&out, tt.o); err != nil {
			t.Errorf("%+v: %v", tt.o, err)
			continue
		}
		for _, p := range tt.want {
			if !regexp.MustCompile("(?m)" + p).MatchString(out.String()) {
				t.Errorf("%+v: no %q in\n%s", tt.o, p, out.String())
			}
		}
	}
}

func TestErrors(t *testing.T) {
	good := options{root: "../../..", operation: "mulmont", set: "ifma512", bits: 1024, block: 1, entries: 2}
	for what, o := range map[string]options{
		"no operation":    func(o options) options { o.operation = "div"; return o }(good),
		"no instructions": func(o options) options { o.set = "avx2"; return o }(good),
		"20000 bits":      func(o options) options { o.bits = 20000; return o }(good),
		"a block of 15":   func(o options) options { o.block = 15; return o }(good),
		"65 entries":      func(o options) options { o.entries = 65; return o }(good),
	} {
		if err := run(&bytes.Buffer{}, o); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want one about %s", err, what)
		}
	}
}
