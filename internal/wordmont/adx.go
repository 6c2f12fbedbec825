//go:build amd64 && !purego

package wordmont

import "residue/internal/cpu"

func init() { kernels[cpu.ADX] = adx{} }

// adx is the kernel for MULX, ADCX and ADOX: a product is added to a sum in two
// chains of carries that do not disturb each other.
type adx struct{}

func (k adx) Product(t, x, y []uint64) {
	clear(t[:len(x)])
	k.MulAdd(t, x, y)
}

func (adx) MulAdd(t, x, y []uint64) {
	s := len(x)
	t, y = t[:2*s], y[:s]
	adxMul(&t[0], &x[0], &y[0], s)
}

func (adx) Square(t, x []uint64) {
	s := len(x)
	t = t[:2*s]
	clear(t[:s])
	adxSqr(&t[0], &x[0], s)
}

func (adx) Reduce(z, t, n []uint64, ninv, mask uint64) {
	s := len(n)
	z, t = z[:s], t[:2*s]
	adxReduce(&z[0], &t[0], &n[0], s, ninv, mask)
}

func (adx) Lookup(z, table []uint64, index uint64) {
	s := len(z)
	adxGather(&z[0], &table[0], index, len(table)/s, s)
}
