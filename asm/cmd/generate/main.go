// Command generate writes the assembly that the product ships.
//
// Usage, from the root of the repository:
//
//	go run ./asm/cmd/generate          write the files
//	go run ./asm/cmd/generate -check   only say which ones differ; exit status 1 if any
//	go run ./asm/cmd/generate -only negacyclic/ntt16   those whose paths begin with that
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"residue/asm/adx"
	"residue/asm/barrett"
	"residue/asm/batch"
	"residue/asm/clock"
	"residue/asm/internal/gofile"
	"residue/asm/mont"
	"residue/asm/negacyclic"
	"residue/asm/pmns"
)

func files() []gofile.File {
	return slices.Concat(batch.Files(), []gofile.File{batch.BlockFile()}, mont.Files(), pmns.Files(), barrett.Files(), []gofile.File{pmns.ToeplitzFile(), adx.File(), clock.File(), negacyclic.NTT16AVX512(), negacyclic.NTT16AVX2(), negacyclic.NTT32AVX512(), negacyclic.NTT32AVX2(), negacyclic.Toom16AVX512(), negacyclic.Toom16AVX2()})
}

func main() {
	check := flag.Bool("check", false, "compare with the files that are there; write nothing")
	only := flag.String("only", "", "the `beginning` of the paths of the files that matter")
	root := flag.String("root", ".", "root `directory` of the repository")
	flag.Parse()
	differ, err := generate(*root, *only, *check)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if differ {
		os.Exit(1)
	}
}

func generate(root, only string, check bool) (differ bool, err error) {
	for _, f := range files() {
		if !strings.HasPrefix(f.Dir+"/"+f.Base, only) {
			continue
		}
		texts, err := f.Render()
		if err != nil {
			return false, err
		}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			path := filepath.Join(root, filepath.FromSlash(name))
			if !check {
				if err := os.WriteFile(path, texts[name], 0o644); err != nil {
					return false, err
				}
				continue
			}
			have, err := os.ReadFile(path)
			if err != nil {
				return false, err
			}
			if !bytes.Equal(have, texts[name]) {
				differ = true
				fmt.Fprintf(os.Stderr, "%s: differs from what its generator writes; run make generate\n", name)
			}
		}
	}
	return differ, nil
}
