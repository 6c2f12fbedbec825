// Package ct says in the code what is secret and what is public, for a check of
// constant time: under Valgrind's memcheck secrets are marked as undefined memory,
// and memcheck reports every branch and every address that depends on them
// (docs/constant-time.md). Without the build tag valgrind its functions do
// nothing, and cost nothing.
package ct

// Public returns v and declares that it may be known, although it was computed
// from secrets: that a modulus is even, say, or that there is no inverse. What
// branches on such a fact calls Public first, with a word on why it is public.
func Public[T bool | int | uint64](v T) T { return public(v) }
