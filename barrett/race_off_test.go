//go:build !race

package barrett

const raceEnabled = false
