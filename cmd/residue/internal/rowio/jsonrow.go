package rowio

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// errTruncated is the error for a line that ends inside its object.
var errTruncated = errors.New("not JSON: the line ends before its object does")

// parseJSON sets row from an object with the kind's fields and an id as members.
// Others are skipped; null is the same as no member. The error is the first wrong
// value's, so that a row with a bad value still has its id, unless the line is
// not JSON at all.
func parseJSON[R any](k kind[R], fields []field, row *R, line []byte) error {
	s := jsonScanner{text: line}
	var wrong error
	var seen uint // a bit a field, the id's the lowest
	err := s.object(func(key, value []byte) {
		f := fieldNamed(fields, key)
		switch {
		case f == fieldOther:
			return
		case f == fieldID:
			k.head(row).ID = jsonID(value)
		case value[0] != 'n':
			if err := k.setJSON(row, f, value); err != nil && wrong == nil {
				wrong = err
			}
		}
		bit := uint(1) << (f + 1)
		if seen&bit != 0 && wrong == nil {
			wrong = fmt.Errorf("duplicate field %q", key)
		}
		seen |= bit
	})
	if err != nil {
		return err
	}
	return wrong
}

// jsonScanner walks the members of one JSON object. It finds where values end;
// what they are made of is left to encoding/json, but for strings without
// escapes, which are nearly all there is.
type jsonScanner struct {
	text []byte
	pos  int
}

// object calls member for each member of the object that is the whole text.
func (s *jsonScanner) object(member func(key, value []byte)) error {
	switch s.peek() {
	case '{':
		s.pos++
	case '[':
		return errors.New("a JSON array; want an object a line")
	default:
		return errors.New("not a JSON object")
	}
	if s.peek() == '}' {
		s.pos++
		return s.end()
	}
	for {
		if s.peek() != '"' {
			return s.unexpected()
		}
		key, err := s.value()
		if err != nil {
			return err
		}
		if s.peek() != ':' {
			return s.unexpected()
		}
		s.pos++
		value, err := s.value()
		if err != nil {
			return err
		}
		name, err := unquote(key)
		if err != nil {
			return err
		}
		member(name, value)
		switch s.peek() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return s.end()
		default:
			return s.unexpected()
		}
	}
}

// end reports what follows the object, if anything does.
func (s *jsonScanner) end() error {
	if s.peek() != 0 || s.pos < len(s.text) {
		return s.unexpected()
	}
	return nil
}

// peek returns the next byte that is not space, or 0 at the end.
func (s *jsonScanner) peek() byte {
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

func (s *jsonScanner) unexpected() error {
	if s.pos >= len(s.text) {
		return errTruncated
	}
	r, _ := utf8.DecodeRune(s.text[s.pos:])
	return fmt.Errorf("not JSON: unexpected %q at position %d", r, s.pos+1)
}

// value returns the next value, which is valid JSON.
func (s *jsonScanner) value() ([]byte, error) {
	first := s.peek()
	start := s.pos
	if first == '[' {
		if end := integersEnd(s.text, start); end > 0 {
			s.pos = end
			return s.text[start:end], nil
		}
	}
	switch {
	case first == '"':
		end, plain := stringEnd(s.text, start)
		if end < 0 {
			return nil, errTruncated
		}
		s.pos = end
		if plain {
			return s.text[start:end], nil
		}
	case first == '{' || first == '[':
		if !s.skipNested() {
			return nil, errTruncated
		}
	default:
		s.skipScalar()
	}
	value := s.text[start:s.pos]
	if !json.Valid(value) {
		if s.pos == len(s.text) {
			return nil, errTruncated
		}
		s.pos = start + invalidAt(value)
		return nil, s.unexpected()
	}
	return value, nil
}

// invalidAt returns where the byte is that makes a value invalid.
func invalidAt(value []byte) int {
	var at *json.SyntaxError
	if err := json.Unmarshal(value, new(json.RawMessage)); errors.As(err, &at) {
		return max(0, int(at.Offset)-1)
	}
	return 0
}

// stringEnd returns where the string that starts at start ends, or −1, and
// whether it has neither escapes nor control characters.
func stringEnd(text []byte, start int) (end int, plain bool) {
	plain = true
	for i := start + 1; i < len(text); i++ {
		for len(text)-i >= 8 && plainEight(binary.LittleEndian.Uint64(text[i:])) {
			i += 8
		}
		if i == len(text) {
			break
		}
		switch c := text[i]; {
		case c == '"':
			return i + 1, plain
		case c == '\\':
			plain = false
			i++
		case c < ' ':
			plain = false
		}
	}
	return -1, false
}

// plainEight reports whether none of the eight bytes in x is a quote, a backslash
// or a control character. y − ones has a high bit that y has not where a byte of
// y is zero (or, above one, is 1), and so for control characters.
func plainEight(x uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, escape := x^'"'*ones, x^'\\'*ones
	special := (quote-ones)&^quote | (escape-ones)&^escape | (x-' '*ones)&^x
	return special&high == 0
}

// integersEnd returns where the array that starts at start ends if it has nothing but
// integers and blanks in front of them, as long arrays do, and else −1.
func integersEnd(text []byte, start int) int {
	i := start + 1
	for i < len(text) {
		for i < len(text) && text[i] == ' ' {
			i++
		}
		if i < len(text) && text[i] == '-' {
			i++
		}
		first := i
		for i < len(text) && text[i]-'0' <= 9 {
			i++
		}
		switch {
		case i == first || text[first] == '0' && i > first+1 || i == len(text):
			return -1 // no number, or none of JSON's
		case text[i] == ']':
			return i + 1
		case text[i] != ',':
			return -1
		}
		i++
	}
	return -1
}

// skipNested moves past an array or object, and reports whether it ends.
func (s *jsonScanner) skipNested() bool {
	for depth := 0; s.pos < len(s.text); {
		switch s.text[s.pos] {
		case '"':
			end, _ := stringEnd(s.text, s.pos)
			if end < 0 {
				return false
			}
			s.pos = end
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.pos++
		if depth == 0 {
			return true
		}
	}
	return false
}

// skipScalar moves past a number or a literal.
func (s *jsonScanner) skipScalar() {
	for ; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case ',', '}', ']', ':', ' ', '\t', '\r', '\n', '"', '{', '[':
			return
		}
	}
}

// unquote returns the contents of a valid JSON string.
func unquote(value []byte) ([]byte, error) {
	if _, plain := stringEnd(value, 0); plain {
		return value[1 : len(value)-1], nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	return []byte(text), nil
}
