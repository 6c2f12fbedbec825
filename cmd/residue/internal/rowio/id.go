package rowio

import (
	"bytes"
	"encoding/json"
	"strings"
)

// ID is what a row calls itself, passed through to its result. The zero value is
// no id.
type ID struct {
	text string
	json bool // text is a JSON value, not the id itself
}

// textID returns the id of a CSV cell; an empty cell is no id.
func textID(cell []byte) ID { return ID{text: string(cell)} }

// jsonID returns the id that a JSON value is. JSON is UTF-8: what is not does not
// go out again, or one row would make all results unreadable for strict parsers.
func jsonID(value []byte) ID {
	return ID{text: strings.ToValidUTF8(string(value), "\ufffd"), json: true}
}

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return id.text == "" }

// appendJSON appends the id as a JSON value.
func (id ID) appendJSON(dst []byte) []byte {
	if id.json {
		return append(dst, id.text...)
	}
	return appendQuoted(dst, id.text)
}

// plain returns the id as text: the contents of a JSON string, and any other
// JSON value as it was written.
func (id ID) plain() string {
	if id.json && id.text[0] == '"' {
		var s string
		if json.Unmarshal([]byte(id.text), &s) == nil {
			return s
		}
	}
	return id.text
}

// appendQuoted appends s as a JSON string.
func appendQuoted(dst []byte, s string) []byte {
	simple := func(r rune) bool { return ' ' <= r && r < 0x7f && r != '"' && r != '\\' }
	if strings.IndexFunc(s, func(r rune) bool { return !simple(r) }) < 0 {
		dst = append(dst, '"')
		dst = append(dst, s...)
		return append(dst, '"')
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("rowio: a string that JSON cannot write: " + err.Error())
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
