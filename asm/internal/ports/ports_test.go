package ports

import "testing"

func TestBound(t *testing.T) {
	for _, tt := range []struct {
		name string
		use  use
		want float64
		busy Set
	}{
		{"nothing", use{}, 0, 0},
		{"two ports", use{on(0, 5): 10}, 5, on(0, 5)},
		{"shifts that fit beside madds", use{on(0, 5): 10, on(0): 4}, 7, on(0, 5)},
		{"shifts that do not", use{on(0, 5): 2, on(0): 10}, 10, on(0)},
		{"ports apart", use{on(0, 5): 10, on(2, 3): 12}, 6, on(2, 3)},
		{"three kinds on three ports", use{on(0, 1): 4, on(1, 2): 4, on(0, 2): 4}, 4, on(0, 1, 2)},
	} {
		if got, busy := tt.use.bound(); got != tt.want || busy != tt.busy {
			t.Errorf("%s: %g cycles, ports %b, want %g, %b", tt.name, got, busy, tt.want, tt.busy)
		}
	}
}
