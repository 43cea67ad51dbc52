# Everything goes through .venv, which `setup` makes once. The recipes are short on purpose: what a target
# does is decided in the tool it calls.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup regress nightly coverage debug test lint bench formal mutate faults implement rsa-demo soc-demo cluster-check clean distclean

python := .venv/bin/python

# The makefiles Verilator writes must not inherit this make's options and variables.
unexport MAKEFLAGS MFLAGS MAKEOVERRIDES

# Python that must not write compiled modules beside the sources writes them to build/: otherwise
# each of hundreds of processes would compile all modules that it imports.
ifdef PYTHONDONTWRITEBYTECODE
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/bytecode
endif

LIST ?= smoke
# Many tests wait for a process of their own, so that one more than there are processors is faster.
JOBS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))

help: ## this list
	@echo "make TARGET [VARIABLE=value ...]"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 17
	@echo
	@echo "  ARGS         more arguments for most targets: make regress ARGS=\"--seeds 5 --width 64\""
	@echo "  JOB          folder of a job, or its id in the latest run, for debug"
	@echo "  LIST         regression list or file (smoke)"
	@echo "  PYTEST_ARGS  more arguments for test: make test PYTEST_ARGS=\"-k loader -x\""
	@echo "  JOBS         tests at a time (one more than processors)"
	@echo "  PYTHON       Python to build .venv with (python3)"
	@echo
	@echo "Further commands: $(python) -m regress --help"

setup: ## prepare this machine: .venv, and the system packages it may install
	@ci/setup.sh

regress: setup ## run a regression list, by default smoke; the report's path is printed
	@$(python) -m regress run $(LIST) $(ARGS)

nightly: setup ## run list nightly: an hour of seeds; ARGS="--budget 10m" for less
	@$(python) -m regress run nightly $(ARGS)

coverage: setup ## run list coverage: functional, lines, branches and toggles
	@$(python) -m regress run coverage $(ARGS)

debug: setup ## run one job again with waves: make debug JOB=<folder or id of a job>
	@$(python) -m regress debug $(JOB) $(ARGS)

test: setup ## run the project's tests, except those that only the nightly runs
	@$(python) -m pytest -n $(JOBS) --dist worksteal --durations=15 -m "not campaign" $(PYTEST_ARGS)

lint: setup ## check HDL and Python; ARGS=--fix reformats, ARGS=--every takes all widths
	@$(python) -m ci.lint $(ARGS)

bench: setup ## measure simulated products per second
	@$(python) -m regress bench $(ARGS)

formal: setup ## prove what verif/docs/formal.md lists; ARGS=--faults injects faults, --exhaustive simulates
	@$(python) -m regress formal $(ARGS)

mutate: setup ## change the design in many ways for ten minutes: is every change found?
	@$(python) -m regress mutate --budget 10m $(ARGS)

faults: setup ## realistic faults for ten minutes: which list finds them?
	@$(python) -m regress faults --budget 10m $(ARGS)

implement: setup ## area, clock and time of every multiplier at 32 bits, from open tools
	@$(python) -m regress implement $(ARGS)

rsa-demo: setup ## sign with a real RSA key on the simulated core; OpenSSL verifies
	@$(python) -m regress rsa-demo $(ARGS)

soc-demo: setup ## sign a file by the C driver on the core with AXI4-Lite; OpenSSL verifies
	@$(python) -m regress soc-demo $(ARGS)

cluster-check: setup ## lose a worker of a real Dask cluster, then of a real Slurm (for root)
	@ci/dask_check.sh
	@ci/slurm_check.sh

clean: ## remove what runs and builds left, keep .venv
	@rm -rf build runs .pytest_cache .ruff_cache
	@find . -path ./.venv -prune -o -path ./.git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## remove .venv and the tools of implement as well
	@rm -rf .venv .tools
