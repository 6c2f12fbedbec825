package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	xcpu "golang.org/x/sys/cpu"

	"residue/internal/cpu"
	"residue/mont"
)

// infoCmd is `residue info`.
type infoCmd struct {
	JSON bool `name:"json" help:"One JSON object."`
}

// Help is the long help.
func (*infoCmd) Help() string {
	return `Kernels are implementations of the same arithmetic. The fastest one that the CPU can run is used, unless the environment variable ` +
		cpu.EnvKernel + ` names another: ` + strings.Join(cpu.Known, ", ") + `.

Exit status: 0; 2 if ` + cpu.EnvKernel + ` names a kernel that cannot be used.

Examples:

    residue info
    residue info --json | jq -r .kernel
    ` + cpu.EnvKernel + `=generic residue info`
}

// machine is what `residue info` shows.
type machine struct {
	Version  string       `json:"version"`
	Go       string       `json:"go"`
	OS       string       `json:"os"`
	Arch     string       `json:"arch"`
	CPUs     int          `json:"cpus"`
	Features []feature    `json:"features"`
	Kernels  []kernelInfo `json:"kernels"`
	Kernel   string       `json:"kernel"` // the one in use; empty if the choice is an error
	Reason   string       `json:"reason"`
	// Single says what does the arithmetic on one number at a time: the kernel in use for
	// lengths that suit it, and others.
	Single []singleInfo `json:"single,omitempty"`
}

// singleInfo is a range of lengths of moduli, in bits.
type singleInfo struct {
	Kernel string `json:"kernel"`
	From   int    `json:"from"`
	To     int    `json:"to"`
}

// feature is a part of the instruction set that a kernel may need.
type feature struct {
	Name    string   `json:"name"`
	Present bool     `json:"present"`
	kernels []string // that need it
}

type kernelInfo struct {
	Name     string `json:"name"`
	Runnable bool   `json:"runnable"`
	Reason   string `json:"reason,omitempty"` // why it is not
}

// Run runs the command.
func (c *infoCmd) Run(e *env) error {
	m, chosen := describe()
	write := m.write
	if c.JSON {
		write = func(w io.Writer) error { return json.NewEncoder(w).Encode(m) }
	}
	return cmp.Or(write(e.stdout), chosen)
}

// describe looks at this machine. The error is that of the choice of the kernel.
func describe() (*machine, error) {
	m := &machine{
		Version: version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPUs: runtime.GOMAXPROCS(0), Features: features(),
	}
	runnable := cpu.Runnable()
	for _, name := range cpu.Known {
		k := kernelInfo{Name: name, Runnable: slices.Contains(runnable, name)}
		if !k.Runnable {
			k.Reason = m.whyNot(name)
		}
		m.Kernels = append(m.Kernels, k)
	}
	chosen, err := cpu.Chosen()
	switch {
	case err != nil:
		m.Reason = reason(err)
		return m, err
	case os.Getenv(cpu.EnvKernel) != "":
		m.Reason = "named by " + cpu.EnvKernel
	default:
		m.Reason = "the fastest that this CPU and build can run"
	}
	m.Kernel = chosen
	k, err := mont.Default()
	if err != nil {
		return m, err
	}
	m.Single = engines(k)
	return m, nil
}

// engines returns what a kernel does by itself, one number at a time, and what others
// do.
func engines(k *mont.Kernel) []singleInfo {
	var list []singleInfo
	for bits := 1; bits <= mont.MaxBits; bits++ {
		name := k.Engine(bits)
		if len(list) == 0 || list[len(list)-1].Kernel != name {
			list = append(list, singleInfo{name, bits, bits})
		}
		list[len(list)-1].To = bits
	}
	return list
}

// features lists what the kernels need, on the architectures that have it.
func features() []feature {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
		return []feature{}
	}
	ifma, adx := []string{cpu.IFMA512, cpu.IFMA256}, []string{cpu.ADX}
	return []feature{
		{"avx512f", xcpu.X86.HasAVX512F, ifma},
		{"avx512dq", xcpu.X86.HasAVX512DQ, ifma},
		{"avx512vl", xcpu.X86.HasAVX512VL, ifma},
		{"avx512ifma", xcpu.X86.HasAVX512IFMA, ifma},
		{"avx512vbmi2", xcpu.X86.HasAVX512VBMI2, ifma},
		{"adx", xcpu.X86.HasADX, adx},
		{"bmi2", xcpu.X86.HasBMI2, adx},
		{"avx2", xcpu.X86.HasAVX2, adx},
	}
}

// whyNot says why a kernel in assembly does not run here.
func (m *machine) whyNot(kernel string) string {
	var missing []string
	for _, f := range m.Features {
		if !f.Present && slices.Contains(f.kernels, kernel) {
			missing = append(missing, f.Name)
		}
	}
	switch {
	case m.Arch != "amd64":
		return "there is none for " + m.Arch
	case len(missing) > 0:
		return "this CPU has no " + strings.Join(missing, ", ")
	}
	return "this build leaves the assembly out"
}

// write writes m for people.
func (m *machine) write(w io.Writer) error {
	var b strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s%s\n", label, fmt.Sprintf(format, args...))
	}
	line("version", "residue %s", m.Version)
	line("go", "%s %s/%s", m.Go, m.OS, m.Arch)
	line("cpus", "%d", m.CPUs)
	if len(m.Features) > 0 {
		var have, lack []string
		for _, f := range m.Features {
			if f.Present {
				have = append(have, f.Name)
			} else {
				lack = append(lack, f.Name)
			}
		}
		line("features", "%s", listOr(have, "none"))
		line("missing", "%s", listOr(lack, "none"))
	}
	for i, k := range m.Kernels {
		label := ""
		if i == 0 {
			label = "kernels"
		}
		if k.Runnable {
			line(label, "%s", k.Name)
		} else {
			line(label, "%s cannot run: %s", k.Name, k.Reason)
		}
	}
	if m.Kernel != "" {
		line("in use", "%s: %s", m.Kernel, m.Reason)
		for i, s := range m.Single {
			label := ""
			if i == 0 {
				label = "single"
			}
			line(label, "%s for one number of %d to %d bits", s.Kernel, s.From, s.To)
		}
	} else {
		line("in use", "none: %s", m.Reason)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func listOr(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, " ")
}
