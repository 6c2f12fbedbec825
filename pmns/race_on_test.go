//go:build race

package pmns

const raceEnabled = true
