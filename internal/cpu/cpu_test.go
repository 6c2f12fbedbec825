package cpu

import (
	"slices"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	all := All
	noVectors := []string{ADX, AVX2, Generic}
	only := []string{Generic}
	for _, tt := range []struct {
		forced   string
		families []string
		runnable []string
		want     string
		err      string
	}{
		{"", Known, all, IFMA512, ""},
		{"", KnownForRings, all, AVX512, ""},
		{"", Known, noVectors, ADX, ""},
		{"", KnownForRings, noVectors, AVX2, ""},
		{"", Known, only, Generic, ""},
		{"", KnownForRings, only, Generic, ""},

		{"ifma512", Known, all, IFMA512, ""},
		{"ifma512", KnownForRings, all, AVX512, ""},
		{"avx512", Known, all, IFMA256, ""},
		{"avx512", KnownForRings, all, AVX512, ""},
		{"ifma256", KnownForRings, all, AVX2, ""},
		{"adx", Known, all, ADX, ""},
		{"adx", Known, noVectors, ADX, ""},
		{"adx", KnownForRings, all, AVX2, ""},
		{"avx2", Known, all, Generic, ""},
		{"avx2", KnownForRings, noVectors, AVX2, ""},
		{"generic", Known, all, Generic, ""},
		{"generic", KnownForRings, all, Generic, ""},

		{"adx", Known, only, Generic, "cannot run"},
		{"ifma512", Known, noVectors, ADX, "cannot run"},
		{"ifma512", KnownForRings, noVectors, AVX2, "cannot run"},
		{"avx512", KnownForRings, noVectors, AVX2, "cannot run"},
		{"IFMA512", Known, all, IFMA512, "unknown kernel"},
		{"IFMA512", KnownForRings, all, AVX512, "unknown kernel"},
	} {
		var own []string
		for _, name := range tt.families {
			if slices.Contains(tt.runnable, name) {
				own = append(own, name)
			}
		}
		got, err := choose(tt.forced, own, tt.runnable)
		if got != tt.want {
			t.Errorf("choose(%q, %v, %v) = %q, want %q", tt.forced, own, tt.runnable, got, tt.want)
		}
		switch {
		case tt.err == "" && err != nil:
			t.Errorf("choose(%q, %v, %v): unexpected error %v", tt.forced, own, tt.runnable, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("choose(%q, %v, %v): error %v, want one with %q", tt.forced, own, tt.runnable, err, tt.err)
		}
	}
}

// TestKnown: every family is in one list, but for the portable code, which is in both.
func TestKnown(t *testing.T) {
	for _, name := range All {
		numbers, rings := slices.Contains(Known, name), slices.Contains(KnownForRings, name)
		if numbers == rings && name != Generic || !numbers && !rings {
			t.Errorf("%s: for numbers %v, for rings %v", name, numbers, rings)
		}
	}
	if len(All) != len(Known)+len(KnownForRings)-1 {
		t.Errorf("%v, %v and %v", All, Known, KnownForRings)
	}
}

func TestRunnableEndsWithGeneric(t *testing.T) {
	for _, tt := range []struct{ runnable, known []string }{{Runnable(), Known}, {RunnableForRings(), KnownForRings}} {
		if r := tt.runnable; r[len(r)-1] != Generic {
			t.Errorf("%v is runnable, want %q last", r, Generic)
		}
		for _, name := range tt.runnable {
			if !slices.Contains(tt.known, name) {
				t.Errorf("%q is runnable, and not among %v", name, tt.known)
			}
		}
	}
}
