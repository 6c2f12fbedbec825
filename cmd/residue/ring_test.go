package main

import (
	"context"
	"errors"
	"slices"
	"testing"

	"residue/cmd/residue/internal/rings"
	"residue/cmd/residue/internal/rowio"
	"residue/negacyclic"
)

func newProducts(t *testing.T) *products {
	t.Helper()
	k, err := negacyclic.Default()
	if err != nil {
		t.Fatal(err)
	}
	return &products{kernel: k, method: rings.Auto}
}

// TestManyRings computes rows of which each has a ring of its own: no more are kept than
// there is room for.
func TestManyRings(t *testing.T) {
	p := newProducts(t)
	var rows []*productRow
	var want [][]int64
	for k := range 31 { // X·X = −1 modulo X² + 1
		for n := 2; n <= 64; n *= 2 {
			q := int64(2) << k
			x, y, z := make([]int64, n), make([]int64, n), make([]int64, n)
			x[n-1], y[1], z[0] = 1, 1, q-1
			rows = append(rows, &productRow{Product: rowio.Product{A: x, B: y, Q: q, N: n}})
			want = append(want, z)
		}
	}
	if err := p.rows(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if row.Err != nil || !slices.Equal(row.c, want[i]) {
			t.Errorf("q = %d, n = %d: %d, %v, want %d", row.Q, row.N, row.c, row.Err, want[i])
		}
	}
	if len(p.rings) > mostRings {
		t.Errorf("%d rings are kept, want at most %d", len(p.rings), mostRings)
	}
}

// TestProductsStop checks that no row is called bad because the context has ended.
func TestProductsStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	row := &productRow{Product: rowio.Product{A: []int64{1, 2}, B: []int64{3, 4}, Q: 17, N: 2}}
	err := newProducts(t).rows(ctx, []*productRow{row})
	if !errors.Is(err, context.Canceled) || row.Err != nil || row.done() {
		t.Errorf("%v; the row has %d, %v", err, row.c, row.Err)
	}
}
