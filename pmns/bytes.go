package pmns

import (
	"context"
	"sync"
)

// ExpBytes sets out = base^e modulo p, with numbers in big-endian bytes; base may be of
// any length, and out is filled as [System.FillBytes] does, which reports what is returned
// as fits. The rest is as for [System.Exp]. out may be base or e.
func (s *System) ExpBytes(ctx context.Context, out, base, e []byte, ebits int) (fits bool, err error) {
	mem := borrowScratch(s.elementWords())
	defer returnScratch(mem)
	x := headers.Get().(*Element)
	x.words, x.terms = mem.words, 1
	defer func() {
		x.words = nil
		headers.Put(x)
	}()
	s.SetBytes(x, base, nil)
	if err := s.Exp(ctx, x, x, e, ebits); err != nil {
		return false, err
	}
	return s.FillBytes(out, x, nil), nil
}

// headers are Elements without words.
var headers = sync.Pool{New: func() any { return new(Element) }}
