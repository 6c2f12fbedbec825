//go:build !amd64 || purego

package cpu

const hasIFMA512, hasADX = false, false
