package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"residue/batch"
)

// command returns the command as a process of its own: TestMain becomes main in a
// test binary that is called residue.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Args[0] = "residue"
	cmd.Stderr = os.Stderr
	return cmd
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// TestMemory streams rows of 2048 bits through the command, and reads from the
// kernel how much memory it had at most.
func TestMemory(t *testing.T) {
	const rows, limit = 20_000, 100 << 20
	kernel, err := batch.Default()
	if err != nil {
		t.Fatal(err)
	}
	ebits := 64 // full exponents take too long without a vector unit
	if strings.HasPrefix(kernel.Name(), "ifma") && !testing.Short() {
		ebits = 2048
	}
	cmd := command(t, "exp", "-q")
	in := must(cmd.StdinPipe())(t)
	out := must(cmd.StdoutPipe())(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		r := rand.New(rand.NewPCG(1, 2))
		number := func(bits int) string {
			var b strings.Builder
			for range bits / 64 {
				fmt.Fprintf(&b, "%016x", r.Uint64()|1<<63|1)
			}
			return b.String()
		}
		w := bufio.NewWriter(in)
		for range rows {
			fmt.Fprintf(w, `{"base":"%s","exp":"%s","mod":"%s"}`+"\n", number(2048), number(ebits), number(2048))
		}
		w.Flush()
	}()
	results := bufio.NewScanner(out)
	for i := range rows {
		if !results.Scan() {
			t.Fatalf("the output ends after %d rows", i)
		}
		if !strings.HasPrefix(results.Text(), `{"result":"`) {
			t.Fatalf("row %d: %s", i+1, results.Text())
		}
	}
	// It still waits for its input, so that it can be looked at.
	peak := peakMemory(t, cmd.Process.Pid)
	t.Logf("%d rows with exponents of %d bits: %.1f MB", rows, ebits, float64(peak)/1e6)
	if peak > limit {
		t.Errorf("%d bytes of memory, want at most %d", peak, limit)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// peakMemory returns the largest resident set that a process has had.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	status := must(os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)))(t)
	m := regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`).FindSubmatch(status)
	if m == nil {
		t.Skip("/proc has no VmHWM")
	}
	return must(strconv.Atoi(string(m[1])))(t) * 1024
}

// TestProductMemory is TestMemory for products of polynomials.
func TestProductMemory(t *testing.T) {
	const rows, limit = 20_000, 100 << 20
	cmd := command(t, "ring", "mul", "-q", "--ring", "ml-kem")
	in := must(cmd.StdinPipe())(t)
	out := must(cmd.StdoutPipe())(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		a, one := "["+strings.Repeat("3328,", 255)+"1]", "[1"+strings.Repeat(",0", 255)+"]"
		w := bufio.NewWriter(in)
		for range rows {
			fmt.Fprintf(w, `{"a":%s,"b":%s}`+"\n", a, one)
		}
		w.Flush()
	}()
	results := bufio.NewScanner(out)
	want := `{"c":[` + strings.Repeat("3328,", 255) + "1]}"
	for i := range rows {
		if !results.Scan() || results.Text() != want {
			t.Fatalf("row %d: %s", i+1, results.Text())
		}
	}
	peak := peakMemory(t, cmd.Process.Pid)
	t.Logf("%d rows: %.1f MB", rows, float64(peak)/1e6)
	if peak > limit {
		t.Errorf("%d bytes of memory, want at most %d", peak, limit)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestInterrupt checks that Ctrl-C ends a command that waits for input, with the
// rows so far in a file, and that it says so.
func TestInterrupt(t *testing.T) {
	for _, c := range waiting {
		t.Run(c.args[0], func(t *testing.T) { interrupt(t, c) })
	}
}

// waiting are commands that take rows, with a row and its result.
var waiting = []rowCommand{
	{[]string{"exp"}, `{"base":"2","exp":"a","mod":"3e9"}` + "\n", `{"result":"17"}` + "\n"},
	{[]string{"ring", "mul", "--q", "17", "--n", "2"}, `{"a":[1,2],"b":[0,1]}` + "\n", `{"c":[15,1]}` + "\n"},
}

type rowCommand struct {
	args      []string
	row, want string
}

func interrupt(t *testing.T, c rowCommand) {
	name := filepath.Join(t.TempDir(), "results")
	var stderr bytes.Buffer
	cmd := command(t, append(c.args, "-o", name)...)
	cmd.Stderr = &stderr
	in := must(cmd.StdinPipe())(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(in, c.row)
	waitUntil(t, func() bool {
		temp, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".*"))
		if len(temp) == 0 {
			return false
		}
		b, _ := os.ReadFile(temp[0])
		return string(b) == c.want
	})
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("%v, want exit status %d", err, exitInterrupted)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a partial output has the name of a whole one")
	}
	if b := must(os.ReadFile(name + ".partial"))(t); string(b) != c.want {
		t.Errorf("results so far are %q, want %q", b, c.want)
	}
	for _, text := range []string{"residue: interrupted (the results so far are in " + name + ".partial)", "1 row in "} {
		if !strings.Contains(stderr.String(), text) {
			t.Errorf("standard error is %q, without %q", &stderr, text)
		}
	}
}

// TestBrokenPipe checks that a reader that goes away, as head does, ends the
// command without a word.
func TestBrokenPipe(t *testing.T) {
	for _, c := range append(waiting, rowCommand{args: []string{"exp", "--help"}}) {
		r, w := must2(os.Pipe())(t)
		r.Close()
		var stderr bytes.Buffer
		cmd := command(t, append(c.args, "-q")...)
		cmd.Stdin = strings.NewReader(strings.Repeat(c.row, 100))
		cmd.Stdout, cmd.Stderr = w, &stderr
		err := cmd.Run()
		w.Close()
		if cmd.ProcessState.ExitCode() != exitCannotRun || stderr.Len() > 0 {
			t.Errorf("%q: %v, saying %q; want exit status %d and nothing", c.args, err, &stderr, exitCannotRun)
		}
	}
}

func must2[T, U any](v T, u U, err error) func(testing.TB) (T, U) {
	return func(t testing.TB) (T, U) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v, u
	}
}

// TestTerminal runs the command with a terminal for its standard error, where bad
// rows and the summary must stay on the screen whatever else is shown.
func TestTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	rows := strings.Repeat(`{"base":"2","exp":"a","mod":"3e9"}`+"\n", 100) + "nonsense\n"
	if err := os.WriteFile(file, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	const bad, summary = "rows.jsonl:101: not a JSON object\r\n", "101 rows (1 bad) in "
	for _, tt := range []struct {
		args      []string
		want, not []string
	}{
		{nil, []string{bad, summary}, nil},
		{[]string{"--no-progress"}, []string{bad, summary}, []string{"\x1b"}},
		{[]string{"--quiet"}, []string{bad}, []string{"\x1b", summary}},
	} {
		cmd := command(t, append([]string{"exp", file}, tt.args...)...)
		cmd.Env = append(os.Environ(), "TERM=xterm")
		screen := onTerminal(t, func(tty *os.File) {
			cmd.Stderr = tty
			cmd.Run()
		})
		if status := cmd.ProcessState.ExitCode(); status != exitBad {
			t.Errorf("%q: exit status %d, want %d", tt.args, status, exitBad)
		}
		for _, text := range tt.want {
			if !strings.Contains(screen, text) {
				t.Errorf("%q: the screen has no %q: %q", tt.args, text, screen)
			}
		}
		for _, text := range tt.not {
			if strings.Contains(screen, text) {
				t.Errorf("%q: the screen has %q: %q", tt.args, text, screen)
			}
		}
	}
}

// TestProgress shows the bar on a terminal, with and without a known size.
func TestProgress(t *testing.T) {
	for _, tt := range []struct {
		size int64
		want []string
	}{
		{1000, []string{"12 rows, ", " rows/s", "25 %", "s left", "a message\r\n"}},
		{0, []string{"12 rows, ", " rows/s", "a message\r\n"}},
	} {
		screen := onTerminal(t, func(tty *os.File) {
			p := newProgress(tty, tt.size)
			p.add(12, 250)
			fmt.Fprintln(p.messages(tty), "a message")
			time.Sleep(500 * time.Millisecond)
			p.end()
		})
		for _, text := range tt.want {
			if !strings.Contains(screen, text) {
				t.Errorf("size %d: the screen has no %q: %q", tt.size, text, screen)
			}
		}
	}
}

// onTerminal calls use with a pseudo-terminal, and returns what that has shown.
func onTerminal(t *testing.T, use func(tty *os.File)) string {
	t.Helper()
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer ptmx.Close()
	fd := int(ptmx.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	number := must(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 100}); err != nil {
		t.Skip(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	shown := make(chan string)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, ptmx) // ends with an error when the last writer closes
		shown <- b.String()
	}()
	use(tty)
	tty.Close()
	return <-shown
}
