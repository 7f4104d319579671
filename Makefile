# The two commands of a new clone are `make demo` and `make test`; each installs what is missing.
#
#   make deps        system packages, .venv, crates (does nothing where they are there)
#   make build       .venv/bin/numptx, the package in .venv, the wheels in dist/
#   make demo        compile examples/first, run it here, compare with NumPy
#   make test        every fact once, and a table of what it took; docs/testing.md
#   make test-all    everything, for releases and for machines with a GPU
#   make lint        rustfmt and clippy
#   make gpu-bundle  build/gpu-bundle: what a machine with a GPU needs to run the tests and the benchmarks
#   make schedules   build/schedules.tsv: strategies, launches, buffers and guards of the corpus, 2,000 random nests and SOURCES=DIR
#   make fuzz        random programs against NumPy: N=1000 of them (SEED=…, DEVICE=cuda, FORCED=1, KIND=patterns, library or objects)
#   make pythons     build/pythons: CPython 3.13 and its free-threaded build, from Debian's source package
#   make test-pythons PYTHONS="python3.12 build/pythons/3.13/bin/python3.13"
#                    the runtime's tests and the corpus on further interpreters, and how processes end on all of them
#   make test-freethreaded PYTHON=build/pythons/3.13t/bin/python3.13t
#                    the Python tests on a free-threaded interpreter, with the lock disabled
#   make wheels      build/wheels: the package for the stable ABI, and for FREETHREADED="build/pythons/3.13t/bin/python3.13t …"
#   make test-races  the runtime's tests under ThreadSanitizer, with a nightly Rust
#   make cargo-fuzz  cargo-fuzz's targets, MINUTES=20 of each (TARGETS="source dumps …"); docs/testing.md
#   make clean       remove everything that the above made

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:

OWN := .venv/bin/python
PACKAGE := crates/numptx-python/python/numptx
RUNTIME := libnumptx_runtime.so
MATH := libnumptx_math.so
# What every module's header holds, for C programs that want it alone.
HEADER := compiler/numptx-driver/src/numptx.h
TARGET := $(or $(CARGO_TARGET_DIR),target)
# Whatever is built with these takes what is there already of both.
BUILT := -p numptx-runtime -p numptx-math -p numptx --no-default-features --features numptx/static-llvm
# The extension is built for the stable ABI; the system's own Python may be older than that.
export PYO3_PYTHON := $(CURDIR)/.venv/bin/python
# The pip of a fresh virtual environment need not say that it could be newer.
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: deps build demo test test-all pythons test-pythons test-freethreaded test-races wheels lint random-programs schedules gpu-bundle fuzz cargo-fuzz clean

deps:
	@.ci/deps

# The compiler in the wheel holds LLVM itself; the runtime lies in the package as a library of its own,
# because Rust and C programs link the same one. Both are built at once: alone, each builds what both need with other features.
build: deps
	@echo "build: the runtime library and the compiler"
	cargo build --release --quiet $(BUILT)
	install -m 644 $(TARGET)/release/$(RUNTIME) $(TARGET)/release/$(MATH) $(PACKAGE)
	install -m 644 -D $(HEADER) $(PACKAGE)/include/numptx.h
	rm -rf dist $(PACKAGE)/_native.abi3.so
	echo "build: the wheel numptx-runtime (the Python package)"
	.venv/bin/maturin build --quiet --release -m crates/numptx-python/Cargo.toml -i $(OWN) -o dist
	echo "build: the wheel numptx (the compiler, LLVM inside)"
	crates/numptx/device-math build/wheel-data
	.venv/bin/maturin build --quiet --release -m crates/numptx/Cargo.toml -o dist
	$(OWN) -m pip install --quiet --no-index --no-deps --force-reinstall dist/*.whl
	echo "build: done: .venv/bin/numptx, dist/"

demo: build
	@$(OWN) examples/demo.py

test: build
	@$(OWN) tests/suite.py

test-all: build
	@$(OWN) tests/suite.py --all

pythons:
	@.ci/pythons

test-pythons: build
	@.ci/test-pythons $(PYTHONS)

test-freethreaded: build
	@.ci/test-freethreaded $(PYTHON)

test-races:
	@.ci/test-races

wheels: build
	@.ci/wheels $(FREETHREADED)
	FREETHREADED="$(FREETHREADED)" $(OWN) -m pytest -q tests/packaging

lint: deps
	@echo "lint: rustfmt and clippy"
	cargo fmt --all --check
	cargo fmt --check --manifest-path examples/rust-build/Cargo.toml
	cargo fmt --check --manifest-path tests/fuzz-targets/Cargo.toml
	cargo clippy --release --workspace --all-targets --quiet -- -D warnings

random-programs: build
	@cargo build --release --quiet $(BUILT) -p numptx-tests --bin random-programs

schedules: random-programs
	@cargo build --release --quiet $(BUILT) -p numptx-tests --bin schedules
	mkdir -p build
	$(TARGET)/release/random-programs 0 2000 patterns > build/nests.txt
	$(TARGET)/release/schedules tests/corpus build/nests.txt $(SOURCES) > build/schedules.tsv

gpu-bundle: random-programs
	@.ci/gpu-bundle

fuzz: random-programs
	@$(OWN) tests/fuzz.py $(or $(N),1000) --device $(or $(DEVICE),cpu) --forced $(or $(FORCED),1) $(if $(SEED),--seed $(SEED)) $(if $(KIND),--kind $(KIND))

cargo-fuzz: deps
	@.ci/cargo-fuzz

clean:
	rm -rf target .venv dist build $(PACKAGE)/$(RUNTIME) $(PACKAGE)/$(MATH) $(PACKAGE)/include
