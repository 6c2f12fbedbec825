// Package residue gives residue's measurements the polynomials of circl's Kyber, which are
// in an internal package. Go lets a package import those by its path, not its module: this
// one has a path below circl's pke/kyber, and exists only here.
package residue

import "github.com/cloudflare/circl/pke/kyber/internal/common"

// Poly is a polynomial of 256 coefficients modulo 3329.
type Poly = common.Poly
