// Package examples has small inputs for the command, and their results.
//
//	residue exp examples/modexp.jsonl
//	residue ring mul examples/products.jsonl
//
// The rows are written by the program in generate, always the same ones. The
// expected results, and those of the command's self-test, are computed by
// expected.py and products.py with Python's own integers, which share no code with
// this module; products of polynomials term by term, as in school.
package examples

//go:generate go run ./generate
//go:generate sh -c "python3 expected.py modexp.jsonl > modexp.expected.jsonl"
//go:generate sh -c "python3 expected.py ../cmd/residue/selftest/rows.jsonl > ../cmd/residue/selftest/expected.jsonl"
//go:generate sh -c "python3 products.py products.jsonl > products.expected.jsonl"
//go:generate sh -c "python3 products.py ../cmd/residue/selftest/products.jsonl > ../cmd/residue/selftest/products.expected.jsonl"
