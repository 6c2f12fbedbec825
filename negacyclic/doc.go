// Package negacyclic multiplies polynomials in Z_q[X]/(Xⁿ+1), for n a power of two.
//
// [Prime] is for prime q: number-theoretic transforms, complete or incomplete, in words of
// 16 or 32 bits. [PowerOfTwo] is for q = 2^k: Toom-Cook 4 and Karatsuba's method in their
// striding forms. [ByPrimes] is for q = 2^k as well, by transforms modulo one or two primes
// that the exact product stays below.
//
// # Domains
//
// A polynomial is one of these types, and none is taken for another:
//
//   - [Poly]: coefficients, of X⁰ first
//   - [NTT]: residues modulo the factors of Xⁿ+1, in the order of FIPS 203 and FIPS 204
//   - [Factor]: an NTT that was prepared as the second operand of products
//   - [Prepared]: an NTT that was prepared as an element of a matrix
//   - [Evaluated]: values at the points of Toom-Cook or Karatsuba
//   - [Products]: products of values, or sums of those, before interpolation
//
// An operand that is used often is transformed once. Sums of products cost one transform
// or interpolation back.
//
// # Operands
//
// Coefficients are signed words, and every value of the word is allowed: it stands for its
// residue modulo q. Results are in [0, q), in every domain of residues.
//
// Lengths are checked, and a wrong one panics, as does a result that overlaps an operand
// where a method says that it must not. Operands are never written. Working memory comes
// from the caller, who learns its size in words from a method whose name ends in Scratch;
// nothing is allocated after a ring has been made. Scratch is left with what was computed
// there. A ring can be used by many goroutines at once.
//
// Everything is constant time in the coefficients. q and n are public.
//
// # Sources
//
// H. Becker, J. M. Bermudo Mera, A. Karmakar, J. Yiu, I. Verbauwhede, Polynomial
// multiplication on embedded vector architectures, TCHES 2022 (eprint 2021/998): striding
// Toom-Cook. H. Becker, V. Hwang, M. J. Kannwischer, B.-Y. Yang, S.-Y. Yang, Neon NTT,
// TCHES 2022 (eprint 2021/986): products by rounding-doubling high halves. D. J. Bernstein,
// Multidigit multiplication for mathematicians (2001): both decompositions.
package negacyclic
