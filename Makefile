# Short names for the common tasks; CMake does the work. `make test` on a clean Debian installs what it needs.
# PREFIX is where `make install` puts things, CMAKE_FLAGS goes to the configuration of `build`.
PREFIX ?= /usr/local
CMAKE_FLAGS ?=

.PHONY: build demo test bench reproduce docs figures web format lint install clean setup configure
.DEFAULT_GOAL := build

build:
	@scripts/setup build
	@$(MAKE) --no-print-directory configure
	@cmake --build build --target product

configure:
	@cmake --preset dev $(CMAKE_FLAGS) >/dev/null

demo: build
	build/withy run flying-spaghetti -o demo.out
	build/withy view demo.out
	build/withy plot demo.out
	@echo
	@echo "Pictures: demo.out/index.html. Numbers: demo.out/probes.csv, result.h5, summary.json."
	@echo "The flying rod in 3D, to open in a browser: $(CURDIR)/demo.out/view.html"

test:
	@scripts/setup test
	@scripts/web modules
	@$(MAKE) --no-print-directory configure
	@cmake --build build
	@cd build && ctest --output-on-failure -j2

bench: build
	build/withy bench

reproduce: build
	build/withy reproduce

docs: build
	@scripts/setup docs
	@scripts/site

figures: build
	@scripts/figures

web:
	@scripts/setup test
	@scripts/web

format:
	@scripts/setup ci
	@scripts/format

lint:
	@scripts/setup ci
	@scripts/format --check
	@$(MAKE) --no-print-directory configure
	@scripts/lint

install:
	@scripts/setup build
	@cmake --preset release >/dev/null
	@cmake --build build-release --target product
	@cmake --install build-release --prefix "$(PREFIX)"

clean:
	rm -rf build build-asan build-fuzz build-release demo.out reproduce.out site

setup:
	@scripts/setup ci
