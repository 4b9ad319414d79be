# SPDX-License-Identifier: MIT
# Short names for the common tasks; CMake does the work. `make test` on a clean Debian installs what it needs.
# PREFIX is where `make install` puts things, CMAKE_FLAGS goes to the configuration of `build`; SEED and MINUTES belong
# to `make torture`. What follows ## is the line of a target in `make help`.
PREFIX ?= /usr/local
CMAKE_FLAGS ?=
SEED ?= 1
MINUTES ?= 2

.PHONY: build demo python test coverage torture oracles mutants bench reproduce docs figures web format lint install dist distcheck deb clean setup configure help
.DEFAULT_GOAL := build

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

build: ## installs what is missing and builds the command, build/withy (what make alone does)
	@scripts/setup build
	@$(MAKE) --no-print-directory configure
	@cmake --build build --target product

configure:
	@cmake --preset dev $(CMAKE_FLAGS) >/dev/null

demo: build ## runs a scenario and draws it: demo.out
	build/withy run flying-spaghetti -o demo.out
	build/withy view demo.out
	build/withy plot demo.out
	@echo
	@echo "Pictures: demo.out/index.html. Numbers: demo.out/probes.csv, result.h5, summary.json."
	@echo "The flying rod in 3D, to open in a browser: $(CURDIR)/demo.out/view.html"

python: ## installs the Python package into an environment of its own: build/python/bin/python
	@scripts/setup python
	@$(MAKE) --no-print-directory configure
	@cmake --build build --target withy_package
	@/usr/bin/python3 -m venv --system-site-packages --without-pip build/python
	@WITHY_BUILD=build build/python/bin/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps .
	@build/python/bin/python -c "import withy; print('withy', withy.__version__, 'for build/python/bin/python')"

test: ## builds and runs all tests: about 8 minutes on two cores, after the build
	@scripts/setup test
	@scripts/web modules
	@$(MAKE) --no-print-directory configure
	@cmake --build build
	@cd build && ctest --output-on-failure -j2

coverage: ## which lines the tests reach: coverage.out/index.html, the ten least covered files; about 15 minutes
	@scripts/setup test
	@scripts/setup coverage
	@scripts/coverage

torture: build ## random scenarios and relations between them: SEED=1 MINUTES=2
	@tests/random/torture --seed $(SEED) --minutes $(MINUTES)

oracles: ## compares the tables of tests/data with the programs that make them, the rows that take seconds
	@scripts/setup test
	@for program in staggered planar mixed conserving box statics fluid; do \
	  OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/oracle/$$program.py || exit 1; done

mutants: ## puts deliberate faults into a copy of the code and counts those that the tests find; hours
	@scripts/setup test
	@scripts/mutants

bench: build python ## times what a segment, a step, a run, a loop and a sweep in Python cost
	build/withy bench
	@cmake --build build --target bench_python_loops
	build/python/bin/python bench/python/loops.py build/bench/loops.so
	build/python/bin/python bench/python/studies.py build/withy

reproduce: build ## runs published experiments again: reproduce.out/report.html; some minutes
	build/withy reproduce

docs: build ## builds the documentation as a site: site/
	@scripts/setup docs
	@scripts/site

figures: build ## draws the pictures of the documentation anew
	@scripts/figures

web: ## builds the 3D page of withy view anew: web/dist/view.html
	@scripts/setup test
	@scripts/web

format: ## lays out all C files
	@scripts/setup ci
	@scripts/format

lint: ## checks the layout of the code, and analyses it
	@scripts/setup ci
	@scripts/format --check
	@$(MAKE) --no-print-directory configure
	@scripts/lint

install: ## builds without assertions and installs below PREFIX (default: /usr/local)
	@scripts/setup build
	@cmake --preset release >/dev/null
	@cmake --build build-release --target product
	@cmake --install build-release --prefix "$(PREFIX)"

dist: ## the sources as one file: dist/withy-VERSION.tar.gz
	@scripts/dist

distcheck: ## unpacks that file, builds it and runs its tests
	@scripts/dist --check

deb: ## Debian packages: build/debian/*.deb
	@scripts/setup debian
	@scripts/debian

clean: ## removes all that was built
	rm -rf build dist build-asan build-tsan build-fuzz build-release build-mutants build-coverage demo.out coverage.out reproduce.out site

setup: ## installs the Debian packages that the checks need
	@scripts/setup ci
