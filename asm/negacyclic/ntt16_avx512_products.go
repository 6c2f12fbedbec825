package negacyclic

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/lanes"
)

// factors16 are the operands of sums: slices of words, of which the addresses lie in memory
// as Go has them.
type factors16 struct {
	n        *ntt16
	x, f     reg.GPVirtual // behind the slices of the first row
	bytes    reg.GPVirtual // of the slices of a row
	left     reg.GPVirtual // what a loop has left of them, negative
	xAt, fAt reg.Register  // bytes that are added to the addresses of x and f, or nil
}

const sliceBytes = 24

func (n *ntt16) operands() *factors16 {
	o := &factors16{n: n, x: n.Pointer("x"), f: n.Pointer("f"), bytes: n.GP64(), left: n.GP64()}
	n.Load(n.Param("count"), o.bytes)
	n.IMUL3Q(lanes.Imm(sliceBytes), o.bytes, o.bytes)
	n.ADDQ(o.bytes, o.x)
	n.ADDQ(o.bytes, o.f)
	if n.offset {
		o.xAt, o.fAt = n.Pointer("xAt"), n.Pointer("fAt")
	}
	return o
}

// loop does the body for each product.
func (o *factors16) loop(body func()) {
	n := o.n
	label := n.label("product")
	n.MOVQ(o.bytes, o.left)
	n.NEGQ(o.left)
	n.Label(label)
	body()
	n.ADDQ(lanes.Imm(sliceBytes), o.left)
	n.JNZ(operand.LabelRef(label))
}

// xOf and fOf return where an operand is, in the row whose slices end at an address.
func (o *factors16) xOf(end reg.Register) reg.GPVirtual { return o.address(end, o.xAt) }
func (o *factors16) fOf(end reg.Register) reg.GPVirtual { return o.address(end, o.fAt) }

func (o *factors16) address(end, more reg.Register) reg.GPVirtual {
	r := o.n.GP64()
	o.n.MOVQ(operand.Mem{Base: end, Index: o.left, Scale: 1}, r)
	if more != nil {
		o.n.ADDQ(more, r)
	}
	return r
}

// sum returns the sum of products of residues and factors, reduced, in vectors as they are
// in memory.
func (n *ntt16) sum() []lanes.Vec {
	o, c := n.operands(), n.zeros(2*vectors16)
	o.loop(func() {
		x, f := o.xOf(o.x), o.fOf(o.f)
		for i := range vectors16 {
			v := n.Read(n.At(x, i))
			n.VPDPWSSD(n.At(f, 2*i), v, c[2*i])
			n.VPDPWSSD(n.At(f, 2*i+1), v, c[2*i+1])
		}
	})
	return n.reduceAll(c)
}

func (n *ntt16) zeros(count int) []lanes.Vec {
	c := make([]lanes.Vec, count)
	for i := range c {
		c[i] = n.Vec()
		n.VPXORD(c[i], c[i], c[i])
	}
	return c
}

func (n *ntt16) reduceAll(c []lanes.Vec) (r []lanes.Vec) {
	for i := 0; i < len(c); i += 2 {
		r = append(r, n.reduce(c[i], c[i+1]))
	}
	return r
}

// sums returns three sums. Those of one row have the same x or f as those of the others, so
// that these are loaded once: there are hardly more loads than products. Sums in doublewords
// need twice as many registers, so that few vectors can be done at once.
func (n *ntt16) sums(same string) (rows [3][]lanes.Vec) {
	o := n.operands()
	ends := [3]reg.GPVirtual{o.x}
	if same == "x" {
		ends[0] = o.f
	}
	for i := 1; i < len(ends); i++ {
		ends[i] = n.GP64()
		n.LEAQ(operand.Mem{Base: ends[i-1], Index: o.bytes, Scale: 1}, ends[i])
	}
	first := 0
	for _, count := range []int{2, 2, 2, 1, 1} {
		var c [3][]lanes.Vec
		for i := range c {
			c[i] = n.zeros(2 * count)
		}
		add := func(i, k int, x lanes.Vec, even, odd operand.Op) {
			n.VPDPWSSD(even, x, c[i][2*k])
			n.VPDPWSSD(odd, x, c[i][2*k+1])
		}
		o.loop(func() {
			if same == "x" {
				x := o.xOf(o.x)
				var vs []lanes.Vec
				for k := range count {
					vs = append(vs, n.Read(n.At(x, first+k)))
				}
				for i, end := range ends {
					f := o.fOf(end)
					for k, v := range vs {
						add(i, k, v, n.At(f, 2*(first+k)), n.At(f, 2*(first+k)+1))
					}
				}
				return
			}
			f := o.fOf(o.f)
			var xs [3]reg.GPVirtual
			for i, end := range ends {
				xs[i] = o.xOf(end)
			}
			for k := range count {
				even, odd := n.Read(n.At(f, 2*(first+k))), n.Read(n.At(f, 2*(first+k)+1))
				for i, x := range xs {
					add(i, k, n.Read(n.At(x, first+k)), even, odd)
				}
			}
		})
		for i := range rows {
			rows[i] = append(rows[i], n.reduceAll(c[i])...)
		}
		first += count
	}
	return rows
}

// label returns a name that no other label of the function has.
func (n *ntt16) label(name string) string {
	n.labels++
	return fmt.Sprint(name, n.labels)
}
