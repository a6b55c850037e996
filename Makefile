# make serve    run a server (PORT=2222 DATA=folder ARGS="more options")
# make test     everything that must pass: format, lint, types, imports, tests
# make format   put the code into its form
# make bench    measure
# make laws     the laws of the games, at length (GAMES=100000)
# make crash    kill servers, cut the power, spoil the disk, at length (KILLS=20000 CUTS=5000
#               FAULTS=5000 SEED=1)
# make clean    remove what make made

PYTHON ?= python3
PORT   ?=
DATA   ?=
ARGS   ?=
GAMES  ?= 100000
KILLS  ?= 20000
CUTS   ?= 5000
FAULTS ?= 5000
SEED   ?= 1

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
SELF = $(PIP) install --no-deps --no-build-isolation -e .

.PHONY: serve test format bench laws crash clean

serve: .venv/.serve
	@exec $(BIN)/twentytwo-server run $(if $(PORT),--port "$(PORT)") $(if $(DATA),--data "$(DATA)") $(ARGS)

test: .venv/.test
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto

format: .venv/.test
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: .venv/.test
	@$(BIN)/python -m tests.benchmarks.run $(ARGS)

laws: .venv/.test
	@$(BIN)/python -m tests.laws.run --games $(GAMES) $(ARGS)

crash: .venv/.test
	@$(BIN)/python -m tests.crash kills --kills $(KILLS) --seed $(SEED) --all-points
	@$(BIN)/python -m tests.crash power --cuts $(CUTS) --seed $(SEED)
	@$(BIN)/python -m tests.crash faults --faults $(FAULTS) --seed $(SEED)

clean:
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find protocol server client tests -name __pycache__ -prune -exec rm -rf {} +

# The stamps: what they depend on is all that decides what is installed.

.venv/.serve: requirements/serve.txt pyproject.toml | .venv/.made
	@echo "Setting up (once)..."
	@$(PIP) install --require-hashes -r requirements/serve.txt
	@$(SELF)
	@touch $@

.venv/.test: requirements/test.txt pyproject.toml | .venv/.made
	@echo "Setting up the tests (once)..."
	@$(PIP) install --require-hashes -r requirements/test.txt
	@$(SELF)
	@touch .venv/.serve $@

.venv/.made:
	$(if $(shell $(PYTHON) -c 'import sys; print("y" * (sys.version_info >= (3, 11)))' 2>/dev/null),,$(error Python 3.11 or newer is needed, and $(PYTHON) is not; try: make PYTHON=python3.13))
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@touch $@
