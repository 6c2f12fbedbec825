// Package residue is modular exponentiation on numbers of up to 16384 bits: one
// at a time or many at once, constant time, any modulus.
package residue
