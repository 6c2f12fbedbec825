//go:build !linux

package measure

// affinity does nothing: other systems move threads as they like.
type affinity struct{}

func (affinity) move()    {}
func (affinity) restore() {}
