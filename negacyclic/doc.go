// Package negacyclic multiplies polynomials in Z_q[X]/(Xⁿ+1), for n a power of two from 2 to
// 65536.
//
// [Prime] is for prime q: number-theoretic transforms, complete or incomplete, in words of
// 16 or 32 bits. [PowerOfTwo] is for q = 2^k: Toom-Cook 4 and Karatsuba's method in their
// striding forms. [ByPrimes] is for q = 2^k as well, by transforms modulo one or two primes
// that the exact product stays below.
//
// The rings of some schemes, all with n = 256:
//
//   - ML-KEM: NewPrime[int16](3329, 256)
//   - ML-DSA: NewPrime[int32](8380417, 256)
//   - Saber: NewPowerOfTwo[int16](13, 256, Toom4) for any operands, or, for matrices of l
//     columns and secrets of at most s, NewByPrimes[int16](13, 256, l, s)
//
// They compute with the fastest [Kernel] of this CPU, unless the environment variable
// RESIDUE_KERNEL names another. Constructors whose names end in On take a kernel instead.
//
// # Domains
//
// A polynomial is one of these types, and none is taken for another:
//
//   - [Poly]: coefficients, of X⁰ first
//   - [NTT]: residues modulo the factors of Xⁿ+1, in the order of FIPS 203 and FIPS 204
//   - [Factor]: what was prepared as the second operand of products in a domain of transforms
//   - [Prepared]: an NTT that was prepared as an element of a matrix
//   - [Evaluated]: values at the points of Toom-Cook or Karatsuba, or transforms of ByPrimes
//   - [Products]: products of values, or sums of those, before interpolation
//
// An operand that is used often is transformed once. Sums of products cost one transform
// or interpolation back.
//
// A matrix is a slice of its elements, row by row. A vector is a slice of its own.
//
// # Operands
//
// Coefficients are signed words, and every value of the word is allowed: it stands for its
// residue modulo q. Results are in [0, q), as a Poly and as an NTT. The words of an NTT must be
// in [0, q) as operands, too; that matters for one that no Transform wrote, as a matrix that was
// sampled. Where they are not, results are wrong.
//
// A Poly and an NTT are the same for every ring of their q, n and number of layers. The words
// of the other types are a ring's own: they are for the ring that wrote them, or one that was
// made with the same arguments on the same kernel.
//
// Lengths are checked, and a wrong one panics. So does a result that overlaps an operand or
// another result, unless a method says that it may be that operand, or overlap it. Operands are
// never written, unless the result is one of them.
//
// Working memory comes from the caller, who learns its size, in words and not bytes, from a
// method whose name ends in Scratch; nothing is allocated after a ring has been made. Scratch
// may be longer, and have anything in it. What is used of it must not overlap operands or
// results: that panics. It is left with what was computed there: clear it if that is secret.
//
// A ring can be used by many goroutines at once, if each has its own scratch and results.
//
// All that is done to polynomials is constant time in their words. q, n and the other arguments
// of constructors are public, as are lengths.
//
// # Sources
//
// H. Becker, J. M. Bermudo Mera, A. Karmakar, J. Yiu, I. Verbauwhede, Polynomial
// multiplication on embedded vector architectures, TCHES 2022 (eprint 2021/998): striding
// Toom-Cook. H. Becker, V. Hwang, M. J. Kannwischer, B.-Y. Yang, S.-Y. Yang, Neon NTT,
// TCHES 2022 (eprint 2021/986): products by rounding-doubling high halves. D. J. Bernstein,
// Multidigit multiplication for mathematicians (2001): both decompositions.
package negacyclic
