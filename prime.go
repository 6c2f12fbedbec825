package residue

import (
	"crypto/subtle"
	"strconv"
	"strings"
	"sync"

	"residue/internal/ct"
	"residue/pmns"
)

// Primes of protocols (RFC 2409, 3526 and 7919: Diffie-Hellman in SSH, TLS and IKE) have
// polynomial modular number systems, in which one number is quicker than in Montgomery
// form: nothing is carried from lane to lane.

// knownPrime is such a prime.
type knownPrime struct {
	prime  []byte // big-endian
	system func() (*pmns.System, error)
}

// primeSystem returns the system for the odd modulus n of so many bits, if n is a prime
// that has one which is quicker with this kernel; else nil. Whether n is one of these
// primes, which everybody knows, becomes public; nothing else does.
func (k *kernels) primeSystem(bits int, n []byte) (*pmns.System, error) {
	if _, ok := primeTimes[bits]; !ok || 8*len(n) != bits {
		return nil, nil
	}
	for _, p := range knownPrimes(bits) {
		if ct.Public(uint64(subtle.ConstantTimeCompare(p.prime, n))) == 1 {
			return p.system()
		}
	}
	return nil, nil
}

// knownPrimes returns the primes of a length that the kernel has a system for, made when
// first asked for.
func knownPrimes(bits int) []knownPrime {
	knownPrimesMutex.Lock()
	defer knownPrimesMutex.Unlock()
	ps, ok := knownPrimesOf[bits]
	if !ok {
		ps = findKnownPrimes(bits)
		knownPrimesOf[bits] = ps
	}
	return ps
}

var (
	knownPrimesMutex sync.Mutex
	knownPrimesOf    = map[int][]knownPrime{}
)

func findKnownPrimes(bits int) (ps []knownPrime) {
	kernel, err := pmns.Default()
	if err != nil {
		return nil
	}
	for _, name := range pmns.EmbeddedNames() {
		// The name ends with the length of the prime; other sets for it have more behind.
		if strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz") != strconv.Itoa(bits) {
			continue
		}
		params, err := pmns.Embedded(name)
		if err != nil {
			panic(err) // it is in the binary
		}
		variant := pmns.Karatsuba
		if !kernel.Has(params, variant) {
			variant = pmns.Truncated
		}
		if !kernel.Has(params, variant) {
			continue
		}
		ps = append(ps, knownPrime{
			prime:  params.P.Bytes(),
			system: sync.OnceValues(func() (*pmns.System, error) { return kernel.NewSystem(params, variant) }),
		})
	}
	return ps
}
