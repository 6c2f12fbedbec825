package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"time"

	"residue/cmd/residue/internal/rings"
	"residue/cmd/residue/internal/rowio"
	"residue/negacyclic"
)

// The known products, and what Python makes of them term by term. The program in
// examples/generate writes the first, examples/products.py the second.
var (
	//go:embed selftest/products.jsonl
	knownProducts []byte
	//go:embed selftest/products.expected.jsonl
	knownProductResults []byte
)

// knownProduct is a product with its result.
type knownProduct struct {
	rowio.Product
	c []int64
}

// readProducts returns the known products.
func readProducts() (known []knownProduct, err error) {
	rows := rowio.NewReader(bytes.NewReader(knownProducts), rowio.Options{File: "products.jsonl"}, rowio.SharedProduct{})
	results := json.NewDecoder(bytes.NewReader(knownProductResults))
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return known, nil
		}
		if err == nil {
			err = row.Err
		}
		if err != nil {
			return nil, err
		}
		var want struct{ C []int64 }
		if err := results.Decode(&want); err != nil {
			return nil, err
		}
		known = append(known, knownProduct{row, want.C})
	}
}

// rings computes the known products by every method that takes them, with a kernel.
func (t *selftest) rings(k *negacyclic.Kernel, known []knownProduct) {
	for _, method := range rings.Methods[1:] {
		r := testResult{Kernel: k.Name(), Test: "rings, " + string(method)}
		begun := time.Now()
		for i, p := range known {
			ring, err := rings.New(k, p.Q, p.N, method)
			if err != nil {
				continue // the method is not for this ring
			}
			r.Rows++
			r.Bits = max(r.Bits, bits.Len64(uint64(p.Q-1)))
			z := make([]int64, p.N)
			ring.Multiplier().Mul(z, p.A, p.B)
			if !slices.Equal(z, p.c) {
				r.Failed++
				if r.Error == "" {
					r.Error = fmt.Sprintf("product %d: wrong result", i+1)
				}
			}
		}
		r.Seconds = time.Since(begun).Seconds()
		t.add(&r)
	}
}
