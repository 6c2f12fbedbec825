//go:build !(valgrind && linux && amd64)

package ct

func public[T bool | int | uint64](v T) T { return v }
