//go:build !amd64 || purego

package measure

// HasCycles reports whether cycles can be counted here.
func HasCycles() bool { return false }

func timestamp() uint64  { panic("measure: no time-stamp counter") }
func addChain(turns int) { panic("measure: no cycle counter") }
func madds(turns int)    { panic("measure: no vector ports") }
func nops(turns int)     { panic("measure: no cycle counter") }
