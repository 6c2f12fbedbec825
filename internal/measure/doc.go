// Package measure times short routines in core cycles on a machine whose clock
// and neighbours it does not control.
package measure
