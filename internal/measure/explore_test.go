package measure

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"
)

func q(v []float64, p float64) float64 { return v[int(p*float64(len(v)-1))] }

func TestExplore(t *testing.T) {
	runtime.LockOSThread()
	for round := range 6 {
		m := NewMeter()
		fmt.Printf("empty %v chainEnds %v portEnds %v port %v\n", m.empty, m.chainEnds, m.portEnds, m.port)
		for _, turns := range []int{30, 60, 120, 240, 480} {
			var cs, ps, rs []float64
			for range 3000 {
				c := float64(ticks(func() { addChain(turns) }))
				p := float64(ticks(func() { madds(turns) }))
				cs = append(cs, c)
				ps = append(ps, p)
				rs = append(rs, (p-m.portEnds)/(c-m.chainEnds))
			}
			slices.Sort(cs)
			slices.Sort(ps)
			slices.Sort(rs)
			fmt.Printf("  turns %d chain min %v p5 %v p50 %v  madd min %v p5 %v p50 %v  ratio min %.4f p1 %.4f p5 %.4f p50 %.4f\n", turns, cs[0], q(cs, .05), q(cs, .5), ps[0], q(ps, .05), q(ps, .5), rs[0], q(rs, .01), q(rs, .05), q(rs, .5))
		}
		_ = round
		time.Sleep(300 * time.Millisecond)
	}
}
