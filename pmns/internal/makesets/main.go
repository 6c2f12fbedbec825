// Command makesets writes the parameters that package pmns embeds. It is run by go
// generate in the directory of that package, and makes the same files each time.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"residue/pmns"
	"residue/pmns/internal/rfcprimes"
)

func main() {
	for _, p := range rfcprimes.All {
		for i, s := range p.Shapes() {
			name := p.Name
			if i > 0 {
				name = fmt.Sprintf("%s_%dx%d", p.Name, s.N, s.Words)
			}
			if err := write(name, p, s); err != nil {
				fmt.Fprintln(os.Stderr, "makesets:", err)
				os.Exit(1)
			}
		}
	}
}

func write(name string, p rfcprimes.Prime, s rfcprimes.Shape) error {
	start := time.Now()
	set, err := pmns.New(context.Background(), p.Value(), &pmns.Options{N: s.N, Words: s.Words, Width: s.Width})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	set.Name = name
	fmt.Printf("%-16s n = %2d, s = %2d, λ = %d, weight %2d, %4.1f bits to spare, %v\n",
		name, set.N, set.Words, set.Lambda, set.Weight(), set.SlackBits(), time.Since(start).Round(time.Millisecond))
	f, err := os.Create(filepath.Join("sets", name+".json"))
	if err != nil {
		return err
	}
	if err := set.Write(f); err != nil {
		return err
	}
	return f.Close()
}
