# Every target works from a bare checkout: it makes its own virtual environment, builds and installs.
# Needs Python >= 3.11 and a Rust toolchain; says so in one sentence where one is missing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST_SOURCES := $(shell find rust -name '*.rs') Cargo.toml Cargo.lock $(wildcard rust/*/Cargo.toml)

.PHONY: demo test lint format bench wheel validate clean

demo: $(VENV)/.installed
	$(BIN)/scalewall fit --example raytracer

test: $(VENV)/.developed
	cargo test --locked --package scalewall-core
	$(BIN)/python -m pytest

lint: $(VENV)/.developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest scalewall._core
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps

format: $(VENV)/.developed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cargo fmt --all

# BENCH narrows the suite or makes it quick: make bench BENCH="--quick --bench laws"
bench: $(VENV)/.developed
	$(BIN)/asv machine --yes
	$(BIN)/asv run --python=same --set-commit-hash $$(git rev-parse HEAD) --show-stderr $(BENCH)

# What the ledger says about programs whose serial share, imbalance and contention are known.
validate: $(VENV)/.developed
	$(BIN)/python benchmarks/validate.py --out docs/validation.md

wheel: $(VENV)/.developed
	rm -rf dist
	$(BIN)/maturin build --release --locked --out dist --sdist

clean:
	rm -rf $(VENV) dist target .asv

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "scalewall needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo missing). Install one and run: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv $(VENV)

.PHONY: rust-toolchain
rust-toolchain:
	@command -v cargo >/dev/null || \
	  { echo "scalewall builds a Rust core and finds no 'cargo': install Rust 1.89 or newer from https://rustup.rs and run again."; exit 2; }

# The editable install leaves the compiled core beside the Python sources; only changed Rust rebuilds it.
$(VENV)/.installed: pyproject.toml $(RUST_SOURCES) | rust-toolchain $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.developed: pyproject.toml $(RUST_SOURCES) | rust-toolchain $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.installed
