package main

import (
	"slices"
	"testing"

	"residue/negacyclic"
)

// TestSame checks that all compute the same: what is compared is the same work.
func TestSame(t *testing.T) {
	for _, r := range rings {
		in := r.random()
		var all []multiplier
		for _, k := range negacyclic.Kernels() {
			m, err := newOurs(k, in)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
		}
		others, err := peers(in)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, others...)
		for _, m := range all {
			for _, op := range ops {
				if f := m.op(op); f != nil {
					f()
				}
			}
			m.op(opMul)() // what came between may have used its result
			m.op(opMatVec)()
			if !slices.Equal(m.product(), all[0].product()) {
				t.Errorf("%s: the products of %s and %s differ", r.name, m.name(), all[0].name())
			}
			if !slices.EqualFunc(m.matVec(), all[0].matVec(), slices.Equal) {
				t.Errorf("%s: the matrix products of %s and %s differ", r.name, m.name(), all[0].name())
			}
		}
	}
}
