// Generate writes the rows of the examples and of the command's self-test. It is
// run by go generate in the directory examples, and writes the same bytes
// whenever and wherever it is run.
package main

import (
	"bytes"
	"fmt"
	"log"
	"math/big"
	"os"
)

func main() {
	log.SetFlags(0)
	for name, contents := range files() {
		if err := os.WriteFile(name, contents, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// files returns the contents of all files, by their names as seen from the
// directory examples.
func files() map[string][]byte {
	return map[string][]byte{
		"modexp.jsonl": jsonLines(exampleRows(newSource("residue: examples/modexp.jsonl"))),
		"small.csv":    csv(smallRows()),
		"../cmd/residue/selftest/rows.jsonl": jsonLines(
			selftestRows(newSource("residue: self-test rows"))),
		"products.jsonl": productLines(productRows(newSource("residue: examples/products.jsonl"))),
		"products.csv":   smallProducts(),
		"../cmd/residue/selftest/products.jsonl": productLines(
			productRows(newSource("residue: self-test products"))),
	}
}

// row is one exponentiation.
type row struct {
	id             string
	base, exp, mod *big.Int
}

func jsonLines(rows []row) []byte {
	var b bytes.Buffer
	for _, r := range rows {
		fmt.Fprintf(&b, `{"id":%q,"base":"%x","exp":"%x","mod":"%x"}`+"\n", r.id, r.base, r.exp, r.mod)
	}
	return b.Bytes()
}

func csv(rows []row) []byte {
	var b bytes.Buffer
	b.WriteString("id,base,exp,mod\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "%s,%x,%x,%x\n", r.id, r.base, r.exp, r.mod)
	}
	return b.Bytes()
}
