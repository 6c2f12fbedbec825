package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"residue/cmd/residue/internal/rings"
	"residue/cmd/residue/internal/rowio"
	"residue/internal/cpu"
	"residue/negacyclic"
)

// ringCmd is `residue ring`.
type ringCmd struct {
	Mul  ringMulCmd  `cmd:"" help:"Multiply the polynomials of every row of a file."`
	Info ringInfoCmd `cmd:"" help:"Show rings that have names, or the ways to multiply in one ring."`
}

// Help is the long help.
func (*ringCmd) Help() string {
	return `The ring is that of polynomials with integer coefficients modulo X^n + 1 and q, where n is a power of two and q is an odd prime below 2^31 or a power of two up to 2^31: the rings of lattice cryptography.

Examples:

    residue ring mul --ring ml-kem rows.jsonl
    residue ring info
    residue bench --system negacyclic`
}

// ringFlags choose a ring.
type ringFlags struct {
	Ring   string `placeholder:"NAME" xor:"ring" help:"Ring of a scheme: ml-kem, ml-dsa, saber, falcon-512, falcon-1024 (residue ring info has more names)."`
	Q      string `name:"q" placeholder:"Q" xor:"ring" help:"Modulus: a prime, or a power of two as 8192 or 2^13."`
	N      int    `name:"n" placeholder:"N" help:"Number of coefficients (default: 256)."`
	Method string `default:"auto" placeholder:"NAME" help:"How to multiply: ntt for primes; toom4, karatsuba or primes for powers of two (default: auto, what is quickest)."`
}

const defaultN = 256

// ring returns q, which is 0 if no flag gives it, n and the method.
func (c *ringFlags) ring() (q int64, n int, method rings.Method, err error) {
	if method, err = rings.ParseMethod(c.Method); err != nil {
		return 0, 0, "", fmt.Errorf("--method: %w", err)
	}
	if c.N < 0 {
		return 0, 0, "", fmt.Errorf("--n: %d is not a number of coefficients", c.N)
	}
	n = defaultN
	switch {
	case c.Ring != "":
		named, err := rings.Lookup(c.Ring)
		if err != nil {
			return 0, 0, "", fmt.Errorf("--ring: %w", err)
		}
		q, n = named.Q, named.N
	case c.Q != "":
		if q, err = rowio.ParseModulus([]byte(c.Q)); err != nil {
			return 0, 0, "", fmt.Errorf("--q: %w", err)
		}
	}
	return q, cmp.Or(c.N, n), method, nil
}

// ringInfoCmd is `residue ring info`.
type ringInfoCmd struct {
	ringFlags `embed:""`

	JSON bool `name:"json" help:"One JSON object a line."`
}

// Help is the long help.
func (*ringInfoCmd) Help() string {
	return `Without --ring or --q it shows the rings that have names, with the method that residue ring mul takes for them; else all methods for the ring, that one first. The kernel is the one whose routines compute: ` + cpu.Generic + ` where the kernel in use has none for the ring. ` + kernelText + `

Scratch is the memory of a product beside its operands and result.

JSON fields: ring (its names), q, n, method, word_bits, kernel, scratch_bytes, detail, of.

Examples:

    residue ring info
    residue ring info --ring saber
    residue ring info --q 12289 --n 1024 --json
    ` + cpu.EnvKernel + `=avx2 residue ring info`
}

// ringInfo is a line of what `residue ring info` shows.
type ringInfo struct {
	Ring    []string     `json:"ring,omitempty"`
	Q       int64        `json:"q"`
	N       int          `json:"n"`
	Method  rings.Method `json:"method"`
	Bits    int          `json:"word_bits"`
	Kernel  string       `json:"kernel"`
	Scratch int          `json:"scratch_bytes"`
	Detail  string       `json:"detail,omitempty"`
	Of      string       `json:"of,omitempty"`
}

// Run runs the command.
func (c *ringInfoCmd) Run(e *env) error {
	kernel, err := negacyclic.Default()
	if err != nil {
		return err
	}
	list, err := c.list(kernel)
	if err != nil {
		return err
	}
	if c.JSON {
		lines := json.NewEncoder(e.stdout)
		for _, r := range list {
			if err := lines.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	t := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ring\tq\tn\tmethod\twords\tkernel\tscratch\t\t")
	for _, r := range list {
		names := strings.Join(r.Ring, ", ")
		if names == "" {
			names = "–"
		}
		detail := r.Detail
		if r.Of != "" {
			detail = strings.TrimPrefix(detail+"; "+r.Of, "; ")
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%d bits\t%s\t%d bytes\t%s\t\n", names, modulus(r.Q), r.N, r.Method, r.Bits, r.Kernel, r.Scratch, detail)
	}
	return t.Flush()
}

// list returns what is to be shown.
func (c *ringInfoCmd) list(kernel *negacyclic.Kernel) (list []ringInfo, err error) {
	add := func(named rings.Named, q int64, n int, method rings.Method) error {
		r, err := rings.New(kernel, q, n, method)
		if err == nil {
			list = append(list, ringInfo{named.Names, q, n, r.Method, r.Bits, r.Kernel, r.Scratch, r.Detail, named.Of})
		}
		return err
	}
	q, n, method, err := c.ring()
	if err != nil {
		return nil, err
	}
	if q == 0 {
		if c.N != 0 || method != rings.Auto {
			return nil, errors.New("--n and --method need a ring: give --ring or --q")
		}
		for _, named := range rings.List {
			if err := add(named, named.Q, named.N, rings.Auto); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	named := rings.Named{}
	if c.Ring != "" && c.N == 0 {
		named, _ = rings.Lookup(c.Ring)
	}
	if err := add(named, q, n, method); err != nil || method != rings.Auto {
		return list, err
	}
	for _, other := range rings.Methods[1:] {
		if other != list[0].Method {
			_ = add(named, q, n, other) // some are not for this ring
		}
	}
	return list, nil
}

// modulus shows q, a power of two as that.
func modulus(q int64) string {
	if q&(q-1) != 0 || q < 64 {
		return fmt.Sprint(q)
	}
	k := 0
	for int64(1)<<k < q {
		k++
	}
	return fmt.Sprintf("2^%d", k)
}
