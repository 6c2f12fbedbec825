package cpu

import (
	"slices"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	both := []string{IFMA512, Generic}
	words := []string{ADX, Generic}
	only := []string{Generic}
	for _, tt := range []struct {
		forced   string
		runnable []string
		want     string
		err      string
	}{
		{"", both, IFMA512, ""},
		{"", words, ADX, ""},
		{"", only, Generic, ""},
		{"adx", words, ADX, ""},
		{"adx", only, Generic, "cannot run"},
		{"generic", words, Generic, ""},
		{"generic", both, Generic, ""},
		{"ifma512", both, IFMA512, ""},
		{"ifma512", only, Generic, "cannot run"},
		{"IFMA512", both, IFMA512, "unknown kernel"},
	} {
		got, err := choose(tt.forced, tt.runnable)
		if got != tt.want {
			t.Errorf("choose(%q, %v) = %q, want %q", tt.forced, tt.runnable, got, tt.want)
		}
		switch {
		case tt.err == "" && err != nil:
			t.Errorf("choose(%q, %v): unexpected error %v", tt.forced, tt.runnable, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("choose(%q, %v): error %v, want one with %q", tt.forced, tt.runnable, err, tt.err)
		}
	}
}

func TestRunnableEndsWithGeneric(t *testing.T) {
	r := Runnable()
	if r[len(r)-1] != Generic {
		t.Errorf("Runnable() = %v, want %q last", r, Generic)
	}
	for _, name := range r {
		if !slices.Contains(Known, name) {
			t.Errorf("Runnable() names %q, which Known does not", name)
		}
	}
}
