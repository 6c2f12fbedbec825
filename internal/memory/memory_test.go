package memory

import (
	"testing"
	"unsafe"
)

func TestAligned(t *testing.T) {
	for n := 1; n < 300; n++ {
		w := Aligned(n)
		if p := uintptr(unsafe.Pointer(&w[0])); p%Alignment != 0 || len(w) != n || cap(w) != n {
			t.Fatalf("%d words: %d of room for %d at %#x", n, len(w), cap(w), p)
		}
		for i := range w {
			if w[i] != 0 {
				t.Fatalf("word %d of %d is not zero", i, n)
			}
		}
	}
}

func TestCarve(t *testing.T) {
	w := []uint64{1, 2, 3, 4, 5}
	c := Carve(w)
	a, b := c.Take(2), c.Take(3)
	if a[1] != 2 || b[0] != 3 || len(c) != 0 {
		t.Errorf("%v, %v and %v left", a, b, c)
	}
	if _ = append(a, 9); w[2] != 3 {
		t.Error("a piece grows into the next one")
	}
}
