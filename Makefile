# `make demo` and `make test` set up what they need; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CONSTRAINTS ?= constraints.txt
# A student's environment, with a browser's driver beside it: see `make browser`.
BROWSER_VENV := .venv-browser
BROWSER_READY := $(BROWSER_VENV)/.ready
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

.PHONY: help setup demo test lint audit bench hostile gradescope browser build clean

help:
	@echo "make setup   make $(VENV) and install everything into it"
	@echo "make demo    build the homeworks, grade a sample class, say where the results lie"
	@echo "make test    run all tests"
	@echo "make lint    ruff, mypy, and whether generated files are up to date"
	@echo "make audit   try every known mistake and every unusual right answer on every case"
	@echo "make bench   measure against stock otter run (some minutes)"
	@echo "make hostile  attack the grader at each level of isolation (root)"
	@echo "make gradescope   run the zip's scripts in a bare Debian root (root, debootstrap; slow)"
	@echo "make browser   a student's path and a class report in Chromium; pictures in dist/browser"
	@echo "make build   make starters, solved notebooks and autograder zips"
	@echo "make clean   remove what was built or graded, not $(VENV)"

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint $(CONSTRAINTS) torch==2.13.0
	$(BIN)/python -m pip install --quiet --constraint $(CONSTRAINTS) --editable ".[dev]"
	touch $(READY)

build: setup
	$(BIN)/python -m autograder build

demo: build
	rm -rf dist/demo
	$(BIN)/python -m autograder samples seq2seq --out dist/demo/submissions
	$(BIN)/python -m autograder grade seq2seq dist/demo/submissions --out dist/demo/results --format feedback
	$(BIN)/python -m autograder report dist/demo/results

test: setup
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

audit: setup
	$(BIN)/python -m autograder audit

bench: setup
	$(BIN)/python -m tests.benchmark

hostile: setup
	for level in reader user plain; do \
		echo "$$level:"; ISOLATION=$$level $(BIN)/python -m pytest -q tests/test_hostile.py || exit 1; \
	done

gradescope: setup
	$(BIN)/python -m autograder build
	bash tests/gradescope_bare_root.sh

browser: setup
	@test -x "$(CHROMIUM)" || { echo "make browser: there is no Chromium: install Debian's \
	package chromium, or name a browser: make browser CHROMIUM=/path/to/it"; exit 2; }
	@$(MAKE) --no-print-directory $(BROWSER_READY)
	CHROMIUM="$(CHROMIUM)" PROGRAM=$(BIN)/python $(BROWSER_VENV)/bin/python -m pytest --noconftest -q \
		tests/browser_jupyterlab.py tests/browser_report.py

$(BROWSER_READY): student_starter/seq2seq/requirements.txt constraints.txt
	$(PYTHON) -m venv $(BROWSER_VENV)
	$(BROWSER_VENV)/bin/pip install --quiet --constraint $(CONSTRAINTS) torch==2.13.0
	$(BROWSER_VENV)/bin/pip install --quiet --constraint $(CONSTRAINTS) \
		--requirement student_starter/seq2seq/requirements.txt "jupyterlab>=4,<5" playwright pytest
	touch $(BROWSER_READY)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m autograder build --check

clean:
	rm -rf dist build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
