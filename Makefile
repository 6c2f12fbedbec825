# What a developer of residue runs. Everything works from a fresh clone with Go
# alone; the tools are Go modules, fetched at the versions named here.

GOFUMPT     = go run mvdan.cc/gofumpt@v0.12.0
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
MODULES     = ./... ./asm/... ./bench/...

.PHONY: all generate check-generated test test-all constant-time emulated lint bench

all: lint test

# Write the assembly again from its programs in asm/.
generate:
	go run ./asm/cmd/generate

# Fail if a committed generated file is not what its program writes.
check-generated:
	go run ./asm/cmd/generate -check

test:
	go test ./...

# What continuous integration runs.
test-all:
	.ci/run

# Constant time of the portable code; needs Valgrind (docs/constant-time.md).
constant-time:
	go run ./internal/ct/check

# The portable code on other machines; needs qemu-user-static.
emulated:
	.ci/emulate s390x arm64

lint: check-generated
	@files=$$($(GOFUMPT) -l . ); if [ -n "$$files" ]; then echo "not formatted with gofumpt:"; echo "$$files"; exit 1; fi
	go vet $(MODULES)
	$(STATICCHECK) $(MODULES)
	$(STATICCHECK) -tags valgrind ./...
	go mod tidy -diff
	cd asm && go mod tidy -diff
	cd bench && go mod tidy -diff
	cd bench/circl/kyber && go mod tidy -diff
	cd bench/circl/dilithium && go mod tidy -diff

# What this machine does; `go run ./cmd/residue bench --help` for narrower runs. Then
# other libraries beside ours.
bench:
	go run ./cmd/residue bench
	go run ./bench/rings
