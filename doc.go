// Package residue is modular exponentiation, one number at a time or many at once,
// for any modulus of up to 16384 bits, in constant time.
//
// A [Modulus] is prepared once and used from then on:
//
//	m, err := residue.NewModulus(n) // big-endian bytes; NewModulusBig takes a *big.Int
//	if err != nil {
//		return err
//	}
//	out := make([]byte, m.Size())
//	err = m.Exp(out, base, exponent)
//
// Whoever has many exponentiations to do should hand them over together: on a CPU with
// AVX512-IFMA eight of 1024 bits take the time of three, and eight of 2048 bits that
// of five. [Modulus.ExpBatch] takes rows with one modulus and [ExpBatch] rows with a
// modulus each; [Modulus.ExpBatchBig] and [ExpBatchBig] are the same for *big.Int,
// which may be negative. Rows may be of any sizes, mixed: those of like size are put
// together, all cores are used, and results come back in the order of the rows.
//
// # Moduli
//
// Any n ≥ 1 will do. Odd ones are the fast ones. Even ones are split into
// n = 2^t·m with m odd: the part modulo m is as fast as an odd modulus, the part
// modulo 2^t is quick for a small t and slow for thousands of bits; where it is most of
// the moduli of rows that fill a vector, they are not split. Everything modulo 1 is 0.
// Bases need not be reduced, 0^0 is 1, and negative exponents stand for powers of the
// inverse.
//
// # Constant time
//
// Moduli, bases and exponents may all be secret. Time and memory accesses depend on
// what is public only:
//
//   - the number of rows, and the length in bytes of every number in them, as given:
//     leading zeros of a []byte count, and hide the length of a value; a *big.Int has
//     none, so that its length in bytes is always public;
//   - the number of trailing zero bits of a modulus, and whether it is a prime of RFC
//     2409, 3526 or 7919;
//   - the signs of *big.Int, and whether an inverse that is asked for exists;
//   - which errors there are.
//
// Secret temporaries are wiped in memory, though not in registers and on stacks; a
// [Modulus] itself stays in memory until it is collected, and math/big wipes
// nothing. math/big is not constant time either: secrets
// that matter are better kept in bytes. What is not constant time at all has Vartime
// in its name: [ExpVartime] and [ExpBatchVartime] are for public numbers.
//
// # Errors and cancellation
//
// Errors wrap one of the Err values and name the argument. In a batch a bad row does not
// harm the others: the error is a [RowErrors] that names it. A batch stops soon after its
// context ends; the rows that were not computed are named like bad ones, with a reason that
// wraps ctx.Err(). When a call returns, its goroutines have ended.
//
// # Concurrency
//
// Functions may be called concurrently, and a [Modulus] may be shared. Batches use up to
// GOMAXPROCS goroutines each.
//
// # Kernels
//
// The arithmetic is that of the packages [residue/batch], for rows by the eight, and
// [residue/mont], for one number at a time, with the kernel chosen at start-up from the CPU.
// The environment variable RESIDUE_KERNEL forces one (ifma512, ifma256, adx, generic; a name
// of [residue/negacyclic]'s, avx512 or avx2, forces the fastest that asks no more of the
// machine), and the build tag purego leaves the assembly out.
package residue
