package main

import (
	"strings"
	"testing"
)

// TestWatch checks that every leak of a leaky package is seen, and nothing else.
func TestWatch(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a test binary")
	}
	if err := available(); err != nil {
		t.Skip(err)
	}
	r, err := watch("residue/internal/ct/check/testdata/leaky")
	if err != nil {
		t.Fatal(err)
	}
	err = r.verdict()
	if err == nil || !strings.Contains(err.Error(), "depend on a secret") {
		t.Errorf("verdict on a leaky package: %v", err)
	}
	for _, where := range []string{
		"leaky.earlyExit", "leaky.lookUp", "leaky.cut", "leaky.throughMemory", "leaky.inStandardLibrary",
		// What inGoroutine calls: Valgrind does not always find its way down the
		// stack of a goroutine that has just begun, but it knows where it is.
		"math/big.nat.setUint64",
	} {
		found := false
		for _, e := range r.leaks {
			found = found || strings.Contains(e.String(), where)
		}
		if !found {
			t.Errorf("what %s leaks was not seen", where)
		}
	}
	for _, e := range r.leaks {
		if strings.Contains(e.String(), "leaky.clean") {
			t.Errorf("clean does not leak: %v", e)
		}
	}
}

// eventXML is an event in Valgrind's form: where it happened and where the value came from, the
// innermost function first.
func eventXML(kind, where, origin string) string {
	stack := func(s string) string {
		out := "<stack>"
		for fn := range strings.FieldsSeq(s) {
			out += "<frame><ip>0x1</ip><fn>" + fn + "</fn><file>f.go</file><line>7</line></frame>"
		}
		return out + "</stack>"
	}
	return "<error><kind>" + kind + "</kind><what>text</what>" + stack(where) + "<auxwhat>text</auxwhat>" + stack(origin) + "</error>"
}

func TestVerdict(t *testing.T) {
	const secret, elsewhere = "residue/internal/ct.request.abi0 residue/batch.TestSecretExp", "runtime.systemstack.abi0"
	deliberateLeaks := func(but string) (out string) {
		for _, name := range deliberate {
			if name != but {
				out += eventXML("UninitValue", "math/big.nat.norm "+ctPackage+name, secret)
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		tests  int
		events string
		want   string // part of the error; none if empty
	}{
		"nothing else": {1, deliberateLeaks(""), ""},
		"no tests":     {0, deliberateLeaks(""), "no test"},
		"blind":        {1, "", "was not seen"},
		"half blind":   {1, deliberateLeaks("leakIndex"), "leakIndex was not seen"},
		"own code":     {1, deliberateLeaks("") + eventXML("UninitCondition", "residue/internal/words.Mod", elsewhere), "words.Mod (f.go:7)"},
		"root package": {1, deliberateLeaks("") + eventXML("UninitCondition", "residue.NewModulus", secret), "residue.NewModulus"},
		"called":       {1, deliberateLeaks("") + eventXML("UninitValue", "runtime.memequal residue/batch.f", elsewhere), "residue/batch.f"},
		"far away":     {1, deliberateLeaks("") + eventXML("UninitCondition", "runtime.scanstack", secret), "runtime.scanstack"},
		"bad access":   {1, deliberateLeaks("") + eventXML("InvalidRead", "residue/batch.f", elsewhere), "InvalidRead"},
		"noise":        {1, deliberateLeaks("") + eventXML("UninitCondition", "runtime.f residues.g", elsewhere), ""},
		"asked":        {1, deliberateLeaks("") + eventXML("ClientCheck", "residue/batch.f", secret), ""},
		"collector":    {1, deliberateLeaks("") + eventXML("Leak_DefinitelyLost", "residue/batch.f", secret), ""},
	} {
		r, err := read(strings.NewReader("<valgrindoutput>" + c.events + "</valgrindoutput>"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r.tests = c.tests
		err = r.verdict()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: verdict %v, want %q", name, err, c.want)
		}
	}
	if _, err := read(strings.NewReader("<valgrindoutput><error>")); err == nil {
		t.Error("a report that was cut short is read")
	}
}
