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
	return `Kernels are implementations of the same arithmetic: those of numbers are ` + strings.Join(cpu.Known, ", ") +
		`, and those of polynomial rings ` + strings.Join(cpu.KnownForRings, ", ") + `. ` + kernelText + `

In JSON, kernels and kernel are those of numbers, ring_kernels and ring_kernel those of rings.

Exit status: 0; 2 if ` + cpu.EnvKernel + ` names a kernel that cannot be used.

Examples:

    residue info
    residue info --json | jq -r .kernel
    ` + cpu.EnvKernel + `=generic residue info`
}

// kernelText says which kernels are used, in help texts.
var kernelText = `The fastest that this CPU can run are used, unless the environment variable ` + cpu.EnvKernel +
	` names one. What it names for numbers is for rings the fastest kernel that asks no more of the machine, and the other way round. From the one that asks the most: ` +
	strings.Join(cpu.All, ", ") + `.`

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
	// RingKernels are those of polynomial rings, and RingKernel the one of them in use.
	RingKernels []kernelInfo `json:"ring_kernels"`
	RingKernel  string       `json:"ring_kernel"`
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
	m.Kernels = m.kernels(cpu.Known, cpu.Runnable())
	m.RingKernels = m.kernels(cpu.KnownForRings, cpu.RunnableForRings())
	chosen, err := cpu.Chosen()
	if err != nil {
		m.Reason = reason(err)
		return m, err
	}
	m.Kernel, m.Reason = chosen, why(chosen)
	if m.RingKernel, err = cpu.ChosenForRings(); err != nil {
		return m, err
	}
	k, err := mont.Default()
	if err != nil {
		return m, err
	}
	m.Single = engines(k)
	return m, nil
}

// kernels describes kernels of which some are runnable.
func (m *machine) kernels(known, runnable []string) (list []kernelInfo) {
	for _, name := range known {
		k := kernelInfo{Name: name, Runnable: slices.Contains(runnable, name)}
		if !k.Runnable {
			k.Reason = m.whyNot(name)
		}
		list = append(list, k)
	}
	return list
}

// why says why a kernel was chosen.
func why(chosen string) string {
	switch named := os.Getenv(cpu.EnvKernel); named {
	case "":
		return "the fastest that this CPU and build can run"
	case chosen:
		return "named by " + cpu.EnvKernel
	default:
		return "the fastest that asks no more than " + named + ", which " + cpu.EnvKernel + " names"
	}
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
	ifma, adx, rings := []string{cpu.IFMA512, cpu.IFMA256}, []string{cpu.ADX}, []string{cpu.AVX512}
	both := slices.Concat(rings, ifma)
	return []feature{
		{"avx512f", xcpu.X86.HasAVX512F, both},
		{"avx512dq", xcpu.X86.HasAVX512DQ, both},
		{"avx512vl", xcpu.X86.HasAVX512VL, both},
		{"avx512ifma", xcpu.X86.HasAVX512IFMA, ifma},
		{"avx512vbmi2", xcpu.X86.HasAVX512VBMI2, ifma},
		{"avx512bw", xcpu.X86.HasAVX512BW, rings},
		{"avx512vnni", xcpu.X86.HasAVX512VNNI, rings},
		{"adx", xcpu.X86.HasADX, adx},
		{"bmi2", xcpu.X86.HasBMI2, adx},
		{"avx2", xcpu.X86.HasAVX2, slices.Concat([]string{cpu.AVX2}, adx)},
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
	kernels := func(label string, list []kernelInfo) {
		for _, k := range list {
			if k.Runnable {
				line(label, "%s", k.Name)
			} else {
				line(label, "%s cannot run: %s", k.Name, k.Reason)
			}
			label = ""
		}
	}
	kernels("kernels", m.Kernels)
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
	kernels("of rings", m.RingKernels)
	if m.RingKernel != "" {
		line("in use", "%s: %s", m.RingKernel, why(m.RingKernel))
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
