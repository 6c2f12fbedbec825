package batch

// gathering is a gather that squarings do on the way, and after which z has the
// columns that the index asks for.
type gathering struct {
	z       Ints
	table   Ints // entries numbers of as many digits as z
	index   Vector
	entries int // 2 to 1<<maxWindow

	ifma [2]ifmaLookup // one for each pass over the lanes
}

// begin starts to gather the entries that w.index asks for into w.factor.
func (g *gathering) begin(w *expWork) {
	g.z, g.table = w.factor, w.table
	g.index, g.entries = w.index, len(w.table)/len(w.factor)
}

// ifmaLookup is a gather as the assembly sees it, entry by entry. It knows the
// offsets of the fields, and changes those that say how far it is.
type ifmaLookup struct {
	masks [1 << maxWindow]uint8 // bit l of masks[entries−1−e]: lane l wants entry e
	table *uint64               // the next entry
	out   *uint64
	tiles int // of an entry
	share int // entries for one reduction
	rest  int // entries that are not gathered yet
	now   int // entries that the reduction under way still has to do
}
