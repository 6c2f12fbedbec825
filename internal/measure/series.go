package measure

import (
	"cmp"
	"slices"
)

// sample is one sample: what a call took.
type sample struct {
	ticks  float64
	cycles float64 // 0 if it is not known how long a cycle was
	front  float64 // cycles of the front-end loop beside it: how loud it was
	quiet  bool
}

// series is the samples of one routine. Its memory is there before the first
// sample is taken.
type series struct {
	calls float64 // of f in a sample
	body  func()  // makes them
	long  bool    // the frequency may move during a call
	twice bool    // a call before each sample is not timed

	samples int // that were taken
	quiet   []sample
	// The last ones of those that are not quiet, and of all, in rings.
	loud   []sample
	loudAt int
	recent []sample

	perTick float64 // nanoseconds
}

// kept is how many samples the rings keep.
const kept = 1 << 12

func (s *series) init() {
	s.quiet = make([]sample, 0, enoughQuiet)
	s.loud = make([]sample, 0, kept)
	s.recent = make([]sample, 0, kept)
}

// start empties the series for a routine.
func (s *series) start(f func(), repeat int, long bool) {
	s.calls, s.long = float64(repeat), long
	s.body = func() {
		for range repeat {
			f()
		}
	}
	s.empty()
}

// empty removes all samples.
func (s *series) empty() {
	s.samples, s.loudAt = 0, 0
	s.quiet, s.loud, s.recent = s.quiet[:0], s.loud[:0], s.recent[:0]
}

func (s *series) add(x sample) {
	switch {
	case !x.quiet:
		s.loud = ring(s.loud, s.loudAt, x)
		s.loudAt++
	case len(s.quiet) < cap(s.quiet):
		s.quiet = append(s.quiet, x)
	}
	s.recent = ring(s.recent, s.samples, x)
	s.samples++
}

// ring writes the sample after n others.
func ring(r []sample, n int, x sample) []sample {
	if len(r) < cap(r) {
		return append(r, x)
	}
	r[n%len(r)] = x
	return r
}

// leastLoud is how many samples are chosen where too few are quiet.
const leastLoud = 20

// result chooses the figures: those of the quiet samples if there are as many as
// wanted. Else the cycles are those of the least loud, and the time is the least of
// all: what disturbs adds to it.
func (s *series) result(wanted int) Result {
	all := slices.Concat(s.quiet, s.loud)
	r := Result{Quiet: len(s.quiet) >= wanted, Samples: len(all)}
	switch {
	case s.long:
		r.Nanoseconds = slices.Min(column(all, ticks))
		r.Cycles = s.longCycles(r.Quiet, all)
	case r.Quiet:
		r.Samples = len(s.quiet)
		r.Nanoseconds = low(column(s.quiet, ticks))
		r.Cycles = lowCycles(s.quiet)
	default:
		r.Nanoseconds = slices.Min(column(all, ticks))
		r.Cycles = lowCycles(leastLoudOf(all))
	}
	r.Nanoseconds *= s.perTick
	return r
}

// longCycles returns the cycles of a long routine. It is executed at other
// frequencies than the chains beside it, some higher and some lower, so it is the
// median of the quiet samples, and else what the quickest one took.
func (s *series) longCycles(quiet bool, all []sample) float64 {
	if known := knownOf(s.quiet); quiet && len(known) > 0 {
		return middle(column(known, cycles))
	}
	known := knownOf(all)
	if len(known) == 0 {
		return 0
	}
	return slices.MinFunc(known, func(x, y sample) int { return cmp.Compare(x.ticks, y.ticks) }).cycles
}

// lowCycles returns a low quantile of the cycles, where they are known.
func lowCycles(xs []sample) float64 {
	known := knownOf(xs)
	if len(known) == 0 {
		return 0
	}
	return low(column(known, cycles))
}

// leastLoudOf returns the samples with known cycles and the least sign of a
// neighbour.
func leastLoudOf(xs []sample) []sample {
	xs = knownOf(xs)
	slices.SortFunc(xs, func(x, y sample) int { return cmp.Compare(x.front, y.front) })
	return xs[:min(leastLoud, len(xs))]
}

func knownOf(xs []sample) []sample {
	return slices.DeleteFunc(slices.Clone(xs), func(x sample) bool { return x.cycles == 0 })
}

func cycles(x sample) float64 { return x.cycles }

func ticks(x sample) float64 { return x.ticks }

func column(xs []sample, of func(sample) float64) []float64 {
	v := make([]float64, len(xs))
	for i, x := range xs {
		v[i] = of(x)
	}
	return v
}

// ratioOf returns the median of the ratios of the last samples of two series that
// took turns: of pairs that are both quiet, or of all if those are few.
func ratioOf(s, t *series) float64 {
	var quiet, all []float64
	for i, x := range s.recent {
		y := t.recent[i]
		q := y.ticks / x.ticks
		all = append(all, q)
		if x.quiet && y.quiet {
			quiet = append(quiet, q)
		}
	}
	if len(quiet) >= max(leastRounds, len(all)/10) {
		all = quiet
	}
	return middle(all)
}
