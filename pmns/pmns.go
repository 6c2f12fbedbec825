// Package pmns does arithmetic modulo a fixed prime on polynomials: in a polynomial
// modular number system (PMNS) a number is the value of a polynomial with small
// coefficients at a γ with γⁿ ≡ λ modulo p. A product is one modulo E = Xⁿ − λ and a
// Montgomery-like reduction of its coefficients. Coefficients do not carry into one
// another, so n of them fill the lanes of vectors, and what remains is latency: it is
// the form for one number at a time. The document is [Faster PMNS Multi-precision
// Multiplications Using Truncated Montgomery Technique]; docs/pmns.md derives what is
// done here.
//
// [Params] are the parameters for a prime: [New] finds them, [Embedded] has them for the
// primes of RFC 2409, 3526 and 7919. A [System] computes with them:
//
//	params, err := pmns.Embedded("modp2048")
//	if err != nil {
//		return err
//	}
//	sys, err := pmns.NewSystem(params, pmns.Truncated)
//	if err != nil {
//		return err
//	}
//	x := sys.NewElement()
//	sys.SetBytes(x, base, nil)
//	err = sys.Exp(ctx, x, x, exponent, 2048)
//	sys.FillBytes(out, x, nil)
//
// Systems are constant time in the values of elements and exponents. Their primes are
// public, and so are lengths. To find parameters is not constant time.
//
// [Faster PMNS Multi-precision Multiplications Using Truncated Montgomery Technique]: https://gitlab.com/truncated_pmns/truncated_pmns
package pmns
