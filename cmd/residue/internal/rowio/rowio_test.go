package rowio

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// readAll returns all rows and the error that ended them, if not io.EOF.
func readAll[R any](t testing.TB, r *Reader[R]) ([]R, error) {
	t.Helper()
	var rows []R
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
}

func TestReaderCountsLinesAndBytes(t *testing.T) {
	const text = "\ufeff\r\n{\"base\":\"2\",\"exp\":\"3\",\"mod\":\"5\"}\r\n\n \nnonsense\n{}"
	rows, err := readAll(t, NewReader(iotest.OneByteReader(strings.NewReader(text)), Options{File: "f"}, Shared{}))
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	var lines []int
	for _, row := range rows {
		lines = append(lines, row.Line)
		size += row.Size
	}
	if want := []int{2, 5, 6}; !slices.Equal(lines, want) {
		t.Errorf("rows in lines %d, want %d", lines, want)
	}
	if size != len(text) {
		t.Errorf("rows of %d bytes, want %d", size, len(text))
	}
	if rows[0].Err != nil || rows[1].Err == nil || rows[2].Err == nil {
		t.Errorf("errors %v, %v, %v", rows[0].Err, rows[1].Err, rows[2].Err)
	}
}

func TestReaderGivesTheInputsError(t *testing.T) {
	broken := errors.New("broken")
	text := `{"base":"2","exp":"3","mod":"5"}` + "\n" + `{"base":"2"`
	in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
	rows, err := readAll(t, NewReader(in, Options{}, Shared{}))
	if len(rows) != 1 || !errors.Is(err, broken) {
		t.Errorf("%d rows and %v, want 1 and %v", len(rows), err, broken)
	}
}

// TestLines compares the line reader with splitting the whole text.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([ab]{0,60}(\n|\r\n|\r)?){0,12}`).Draw(t, "text")
		limit := rapid.OneOf(rapid.IntRange(1, 70), rapid.Just(math.MaxInt)).Draw(t, "limit")
		l := newLineReader(strings.NewReader(text), limit, 16)
		for rest := text; rest != ""; {
			want, after, found := strings.Cut(rest, "\n")
			size := len(rest) - len(after)
			if found {
				want = strings.TrimSuffix(want, "\r")
			}
			rest = after
			line, n, err := l.next()
			if n != size {
				t.Fatalf("a line of %d bytes, want %d", n, size)
			}
			var long *longLine
			if errors.As(err, &long) != (len(want) > limit) {
				t.Fatalf("line %q: %v", want, err)
			}
			if err == nil && string(line) != want {
				t.Fatalf("line %q, want %q", line, want)
			}
		}
		if _, _, err := l.next(); !errors.Is(err, io.EOF) {
			t.Fatalf("after the last line: %v", err)
		}
	})
}

// FuzzJSON compares the parser of JSON rows with encoding/json: they take the
// same lines for objects, and find the same values in them.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"base":"2","exp":"3","mod":"5"}`,
		`{"base":"2","exp":"-3","mod":"5","id":"x","y":[1,{"a":"]"}]}`,
		`{"id":1.5e3,"b\u0061se":"\u0032"}`,
		`{"base":2}`, `{"base":null}`, `{"base":"2","base":"3"}`, `{}`, `[]`, `{"a":tru}`, `{"a":1 2}`,
		`{"a":"\x"}`, `{"a":01}`, "{\"a\":\"\x01\"}", `{"a":[}]}`, `{,}`, `{"a":1,}`, "{}\x00", ` { } `, `{"":{}}`,
		`{"a":[1,-2, 0]}`, `{"a":[1,-]}`, `{"a":[01]}`, `{"a":[1,]}`, `{"a":[]}`, `{"a":[-0,1.5]}`, `{"a":[1,2`, `{"a":[ ,1]}`, `{"a":[1 2]}`, `{"a":[-`, `{"a":[ `,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "\n") {
			return
		}
		var members map[string]json.RawMessage
		valid := json.Unmarshal([]byte(line), &members) == nil && members != nil
		s := jsonScanner{text: []byte(line)}
		keys := 0
		err := s.object(func(key, value []byte) {
			keys++
			if _, ok := members[string([]rune(string(key)))]; valid && !ok {
				t.Errorf("%q: there is no member %q", line, key)
			}
			if !json.Valid(value) {
				t.Errorf("%q: a value %q", line, value)
			}
		})
		if (err == nil) != valid {
			t.Fatalf("%q: %v, and encoding/json says valid is %v", line, err, valid)
		}
		if valid && keys < len(members) {
			t.Fatalf("%q: %d members, want %d", line, keys, len(members))
		}

		var row Row
		if parseJSON(Shared{}, Shared{}.fields(), &row, []byte(line)) != nil {
			return
		}
		for i, name := range powerNames {
			var text *string
			if raw, ok := members[name]; ok && json.Unmarshal(raw, &text) != nil {
				t.Fatalf("%q: %s is not a string", line, name)
			}
			got := *row.number(i)
			if (text == nil) != (got == nil) {
				t.Fatalf("%q: %s is %v", line, name, got)
			}
			if text != nil {
				if want, err := ParseHex([]byte(*text)); err != nil || got.Cmp(want) != 0 {
					t.Fatalf("%q: %s is %v, want %v, %v", line, name, got, want, err)
				}
			}
		}
	})
}

// FuzzCSV compares the cells of a line with encoding/csv's, for the lines that it
// takes.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b,c", `"a","b,c"`, `a,"b""c"`, `"`, `"a"b`, ",", " a , b ", `""`, `"a" ,b`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		// Only blanks and tabs are space around a cell; for encoding/csv, more is.
		otherSpace := func(r rune) bool { return unicode.IsSpace(r) && r != ' ' && r != '\t' }
		if strings.ContainsFunc(line, otherSpace) || strings.TrimSpace(line) == "" {
			return
		}
		cells, err := splitCSV([]byte(line), nil)
		r := csv.NewReader(strings.NewReader(line))
		r.TrimLeadingSpace = true
		want, werr := r.Read()
		if werr != nil {
			return // it is stricter: no quotes inside a cell, no space after one
		}
		if err != nil || len(cells) != len(want) {
			t.Fatalf("%q: %q, %v, want %q", line, cells, err, want)
		}
		for i, cell := range cells {
			if strings.TrimSpace(string(cell)) != strings.TrimSpace(want[i]) {
				t.Fatalf("%q: %q, want %q", line, cells, want)
			}
		}
	})
}

// FuzzReader reads anything at all: there is a row for every line that is not
// blank, but for a CSV header, whatever is in it.
func FuzzReader(f *testing.F) {
	f.Add("{\"base\":\"2\"}\n\nx\n", 0)
	f.Add("base,exp,mod,id\n1,2,3,\"a\n,,,", 1)
	f.Add("\ufeffmod\r\n1\r\n", 2)
	f.Add("{\"id\":\"\xff\",\"mod\":\"5\"}\n{\"id\":[\"\xc3\"]}\n\"\x80\"", 1)
	f.Add("id,mod\n\xff,5\n\xfe,\xfd\n", 2)
	f.Fuzz(func(t *testing.T, text string, format int) {
		shared := Shared{Base: big.NewInt(2), Exp: big.NewInt(3)}
		r := NewReader(strings.NewReader(text), Options{Format: Format(uint(format) % 3), MaxRow: 40}, shared)
		rows, err := readAll(t, r)
		if err != nil {
			var file *FileError
			if !errors.As(err, &file) || len(rows) > 0 && file.Line == 0 {
				t.Fatalf("%q: %v after %d rows", text, err, len(rows))
			}
			return
		}
		want := 0
		for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
			if strings.TrimSpace(line) != "" || len(line) > 42 {
				want++
			}
		}
		if r.Format() == CSV && want > 0 {
			want--
		}
		if len(rows) != want {
			t.Fatalf("%q: %d rows, want %d", text, len(rows), want)
		}
		var b bytes.Buffer
		w := NewWriter(&b, JSON, "result")
		for i := range rows {
			if row := &rows[i]; row.Err != nil {
				err = w.Error(&row.Head, row.Err.Error())
			} else {
				err = w.Number(&row.Head, new(big.Int).Abs(row.Mod))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(b.Bytes(), []byte("\n")); n != len(rows) {
			t.Fatalf("%q: %d records of %d rows", text, n, len(rows))
		}
		for line := range bytes.Lines(b.Bytes()) {
			if !json.Valid(line) || !utf8.Valid(line) {
				t.Fatalf("%q: the record %q", text, line)
			}
		}
	})
}

// TestWriter checks that others read what is written, in both formats, whatever
// ids and reasons are like.
func TestWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringOf(rapid.RuneFrom([]rune("a,\"\\\n\t é<\u2028"))).Draw(t, "id")
		text := rapid.StringOf(rapid.RuneFrom([]rune("b,\"' é"))).Draw(t, "reason")
		quoted, err := json.Marshal(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []Head{{Line: 3, ID: textID([]byte(id))}, {Line: 3, ID: jsonID(quoted)}} {
			var b bytes.Buffer
			w := NewWriter(&b, CSV, "result")
			check(t, w.Header(), w.Number(&row, big.NewInt(0x1f)), w.Error(&row, text), w.Flush())
			records, err := csv.NewReader(&b).ReadAll()
			check(t, err)
			want := [][]string{{"id", "result", "error"}, {id, "1f", ""}, {id, "", text}}
			for i := range want {
				if !slices.Equal(records[i], want[i]) {
					t.Fatalf("record %q, want %q", records[i], want[i])
				}
			}

			b.Reset()
			w = NewWriter(&b, JSON, "result")
			check(t, w.Header(), w.Number(&row, big.NewInt(0x1f)), w.Error(&row, text), w.Flush())
			type record struct {
				ID, Result, Error string
				Line              int
			}
			d := json.NewDecoder(&b)
			for _, want := range []record{{id, "1f", "", 0}, {id, "", text, 3}} {
				var got record
				check(t, d.Decode(&got))
				if got != want {
					t.Fatalf("record %+v, want %+v", got, want)
				}
			}
		}
	})
}

// TestCellsSurvive checks that splitCSV undoes appendCell.
func TestCellsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.StringMatching(`[a", \t]{0,8}`), 1, 6).Draw(t, "cells")
		var line []byte
		for i, cell := range cells {
			if i > 0 {
				line = append(line, ',')
			}
			line = appendCell(line, cell)
		}
		got, err := splitCSV(line, nil)
		check(t, err)
		if len(got) != len(cells) {
			t.Fatalf("%q: %q, want %q", line, got, cells)
		}
		for i := range got {
			if string(got[i]) != cells[i] {
				t.Fatalf("%q: %q, want %q", line, got, cells)
			}
		}
	})
}

func check(t *rapid.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkReader(b *testing.B) {
	digits := strings.Repeat("1f", 256)
	row := `{"base":"` + digits + `","exp":"` + digits + `","mod":"` + digits + "\"}\n"
	text := strings.Repeat(row, 1000)
	for b.Loop() {
		r := NewReader(strings.NewReader(text), Options{}, Shared{})
		for {
			if row, err := r.Next(); err != nil {
				break
			} else if row.Err != nil {
				b.Fatal(row.Err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/row")
}

func BenchmarkProductReader(b *testing.B) {
	list := "[" + strings.Repeat("1234,", 255) + "-12]"
	text := strings.Repeat(`{"a":`+list+`,"b":`+list+"}\n", 1000)
	for b.Loop() {
		r := NewReader(strings.NewReader(text), Options{}, SharedProduct{Q: 3329, N: 256})
		for {
			if row, err := r.Next(); err != nil {
				break
			} else if row.Err != nil {
				b.Fatal(row.Err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/row")
}
