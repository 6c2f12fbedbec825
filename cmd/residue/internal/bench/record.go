package bench

import (
	"math"

	"residue/internal/measure"
)

// Record is one measurement. What does not apply, or cannot be measured on this
// machine, is left out.
type Record struct {
	System string `json:"system"`
	Op     string `json:"op"`
	Bits   int    `json:"bits"`
	Limbs  int    `json:"limbs,omitempty"`
	Set    string `json:"set,omitempty"`       // parameters of pmns: their name,
	N      int    `json:"n,omitempty"`         // the coefficients of an element, or of a polynomial
	S      int    `json:"s,omitempty"`         // and the words of a coefficient
	Ring   string `json:"ring,omitempty"`      // of polynomials: its name,
	Q      int64  `json:"q,omitempty"`         // its modulus,
	Method string `json:"method,omitempty"`    // how they are multiplied,
	Word   int    `json:"word_bits,omitempty"` // in words of how many bits,
	// and, of a matrix, its rows and columns.
	Matrix  string `json:"matrix,omitempty"`
	Lanes   int    `json:"lanes"`
	Kernel  string `json:"kernel"`
	Variant string `json:"variant"`         // of the reduction; empty where there is none
	Block   int    `json:"block,omitempty"` // of the reduction, in digits

	// Cycles and NS are the core cycles and the nanoseconds of one call: on all
	// lanes, or on all rows.
	Cycles float64 `json:"cycles,omitzero"`
	NS     float64 `json:"ns"`
	// Madds is the number of vector multiply-adds that are executed, and
	// MaddsPerCycle the number that this core can execute in a cycle.
	Madds         int     `json:"madds,omitempty"`
	MaddsPerCycle float64 `json:"madds_per_cycle,omitzero"`
	passes        int     // over the lanes
	// The shares of the port limit: of the cycles, those that the multiply-adds
	// need. The schoolbook's is for the multiply-adds of the schoolbook method.
	Share           float64 `json:"share,omitzero"`
	SchoolbookShare float64 `json:"schoolbook_share,omitzero"`

	// NSPerOp is the nanoseconds a number, MathBigNS those of math/big for the same
	// numbers in the same run, and Speedup their ratio. SpeedupMedian is the median
	// of the ratios of neighbouring samples.
	NSPerOp       float64 `json:"ns_per_op,omitzero"`
	MathBigNS     float64 `json:"mathbig_ns,omitzero"`
	Speedup       float64 `json:"speedup,omitzero"`
	SpeedupMedian float64 `json:"speedup_median,omitzero"`

	// Rows a second on a number of cores, and how many times the rate of one core
	// that is.
	Rows          int     `json:"rows,omitempty"`
	Cores         int     `json:"cores,omitempty"`
	RowsPerSecond float64 `json:"rows_per_second,omitzero"`
	Scaling       float64 `json:"scaling,omitzero"`

	// Scratch is the bytes of the caller's memory that an operation of rings works in,
	// beside operands and result.
	Scratch *int `json:"scratch_bytes,omitempty"`

	// Quiet says that nobody else used the core during the samples that the figures
	// are from; nil if that is not known.
	Quiet   *bool `json:"quiet,omitempty"`
	Samples int   `json:"samples"`
}

// set fills in what a measurement found.
func (r *Record) set(m *measure.Meter, found measure.Result) {
	r.Cycles, r.NS, r.Samples = round(found.Cycles, 1), round(found.Nanoseconds, 1), found.Samples
	r.MaddsPerCycle = m.MaddsPerCycle()
	if r.MaddsPerCycle > 0 {
		quiet := found.Quiet
		r.Quiet = &quiet
	}
	if r.Cycles == 0 || r.Madds == 0 || r.MaddsPerCycle == 0 {
		return
	}
	r.Share = round(float64(r.Madds)/r.MaddsPerCycle/found.Cycles, 4)
	r.SchoolbookShare = round(float64(r.passes*schoolbook(r.Op, r.Limbs))/r.MaddsPerCycle/found.Cycles, 4)
}

// schoolbook is the number of multiply-adds of the schoolbook method: a product of
// two digits has a low and a high half, a square has each product of two different
// digits once, and a reduction is a product of quotient and modulus.
func schoolbook(op string, limbs int) int {
	s := limbs
	switch op {
	case OpMul, OpRedc:
		return 2 * s * s
	case OpSqr:
		return s*s + s
	case OpMulMont:
		return 4 * s * s
	case OpSqrMont:
		return 3*s*s + s
	}
	return 0
}

// round rounds to a number of decimals.
func round(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale) / scale
}
