package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// output is where results go.
type output interface {
	io.Writer
	// commit ends the output well: all of it is there.
	commit() error
	// abandon ends the output early, and returns the name of the file that has
	// what was written so far, if any has.
	abandon() (string, error)
}

// openOutput opens the file that -o names. "" and "-" are standard output.
func openOutput(name string, stdout io.Writer) (output, error) {
	if name == "" || name == "-" {
		return stream{stdout}, nil
	}
	// A link is followed, so that it is not replaced by a file.
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		name = followDangling(name)
	case err != nil:
		return nil, fmt.Errorf("cannot write %s: %w", name, err)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", name)
	case !info.Mode().IsRegular():
		// A device or a named pipe is written in place.
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return device{f}, nil
	}
	return createSafe(name, info)
}

// followDangling returns the name of the file that is missing where name is a link
// to it, or a link to such a link.
func followDangling(name string) string {
	for range 40 { // as many as Linux follows
		target, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(name), target)
		}
		name = target
	}
	return name
}

// stream is an output that is not this command's to close.
type stream struct{ io.Writer }

func (stream) commit() error            { return nil }
func (stream) abandon() (string, error) { return "", nil }

// device is an output that cannot be replaced.
type device struct{ *os.File }

func (d device) commit() error            { return d.Close() }
func (d device) abandon() (string, error) { return "", d.Close() }

// safeFile is a regular file that is written under another name, in the same
// directory, and gets its own when it is whole. Until then the file that had the
// name before keeps it.
type safeFile struct {
	*os.File
	name string
}

func createSafe(name string, old fs.FileInfo) (*safeFile, error) {
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = old.Mode().Perm()
	}
	dir, base := filepath.Split(name)
	for i := 0; ; i++ {
		temp := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), i))
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) && i < 100 {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", name, err)
		}
		if old != nil {
			// The umask is for new files only. Where this fails, because the file system
			// knows no permissions, there are none to keep.
			_ = f.Chmod(mode)
		}
		return &safeFile{f, name}, nil
	}
}

func (f *safeFile) commit() error {
	return f.finish(f.name)
}

func (f *safeFile) abandon() (string, error) {
	if info, err := f.Stat(); err == nil && info.Size() == 0 {
		return "", errors.Join(f.Close(), os.Remove(f.Name()))
	}
	partial := f.name + ".partial"
	return partial, f.finish(partial)
}

// finish gives the file its name, when it is safely on the disk.
func (f *safeFile) finish(name string) error {
	err := errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
