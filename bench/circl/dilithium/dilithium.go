// Package residue gives residue's measurements the polynomials of circl's ML-DSA, which are
// in an internal package. Go lets a package import those by its path, not its module: this
// one has a path below circl's sign, and exists only here.
package residue

import "github.com/cloudflare/circl/sign/internal/dilithium"

// Poly is a polynomial of 256 coefficients modulo 8380417.
type Poly = dilithium.Poly
