# Everything is built, checked and tried from here; each target does its own
# set-up, and a second run of it downloads nothing.

# The day of the last commit, so that the same source gives the same binary.
VERSION ?= $(shell TZ=UTC0 git log -1 --date=format-local:%Y.%m.%d --format=%cd 2>/dev/null || date -u +%Y.%m.%d)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GDSCRIPT := addon testbed
RACE := ./bridge/... ./commands/... ./mcp/...

.PHONY: build test lint demo bench fuzz generate clean

build: ## bin/godot-mcp
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/godot-mcp ./cmd/godot-mcp

test: lint ## every check and every test, those on a real Godot included
	@testbed/install-shells.sh
	@GODOT_BIN=$$(testbed/install-godot.sh) && export GODOT_BIN && set -x && \
	go test ./... -count=1 -timeout 60m
	@if [ "$$(go env CGO_ENABLED)" = 1 ]; then \
		set -x; go test -race $(RACE) -count=1 -timeout 30m; \
	else \
		echo "no C compiler: the race detector is left out"; \
	fi

lint: ## formatting and static checks of Go and GDScript
	@unformatted=$$(gofmt -l .) && if [ -n "$$unformatted" ]; then \
		echo "not formatted; run: gofmt -w" $$unformatted; exit 1; fi
	go vet ./...
	go run $(STATICCHECK) ./...
	@tools=$$(testbed/install-gdtoolkit.sh) && set -x && \
	"$$tools/gdformat" --check $(GDSCRIPT) && "$$tools/gdlint" $(GDSCRIPT)

demo: build ## one real scene changed by the built binary, from nothing
	testbed/demo.sh

bench: ## figures on a real editor; takes some minutes
	@GODOT_BIN=$$(testbed/install-godot.sh) && export GODOT_BIN && set -x && go run ./testbed/bench

# How long each fuzz test runs.
FUZZTIME ?= 5m

fuzz: ## every fuzz test for FUZZTIME; what makes one fail is kept below its testdata/fuzz
	@set -e; for package in $$(go list ./... | grep -v /testbed); do \
		for name in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			(set -x; go test $$package -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME)); done; done

generate: ## the derived files
	go generate ./...

clean: ## what build made; the installed engine stays in the cache folder
	rm -rf bin
