package batch

// gathering is a gather that squarings do on the way, and after which z has the
// columns that the index asks for.
type gathering struct {
	z       Ints // as many vectors as gatherGroups(limbs) groups
	table   Ints // entries·limbs vectors, and what is missing in the last group
	index   Vector
	entries int // an even number of at most 1<<maxWindow

	ifma [2]ifmaLookup // one for each pass over the lanes
}

// gatherGroup is the number of columns that are gathered at once.
const gatherGroup = 4

// gatherGroups is the number of groups that a number has. The last one may be
// incomplete; what is gathered into its other columns has no meaning.
func gatherGroups(limbs int) int { return (limbs + gatherGroup - 1) / gatherGroup }

// begin starts to gather the entries that w.index asks for into w.factor.
func (g *gathering) begin(w *expWork) {
	s, groups := len(w.acc), gatherGroups(len(w.acc))
	g.z = w.factor[:groups*gatherGroup]
	g.table = w.table[:len(w.table)+groups*gatherGroup-s]
	g.index, g.entries = w.index, len(w.table)/s
}

// ifmaLookup is a gather as the assembly sees it, in groups of gatherGroup columns
// of all entries. It knows the offsets of the fields, and changes those that say
// how far it is.
type ifmaLookup struct {
	masks      [1 << maxWindow]uint8 // bit l of masks[entries−1−e]: lane l wants entry e
	table, out *uint64
	stride     int // bytes from entry to entry
	rewind     int // and from behind the last one to the next group in the first
	entries    int // an even number
	share      int // groups for one reduction
	rest       int // groups that no reduction has begun yet
	groups     int // groups that the reduction under way still has to do
	offset     int // bytes from table, and from out, to the group under way
}
