# make serve    run a server (PORT=2222 DATA=folder ARGS="more options"); its page is at PORT + 5800
# make test     everything that must pass: format, lint, types, imports, tests
# make quick    the part of it that a change in a pure package needs, in a minute
# make test-long  the same as test with all repetitions, as for a release
# make format   put the code into its form
# make bench    measure
# make laws     the laws of the games, at length (GAMES=100000)
# make crash    kill servers, cut the power, spoil the disk, at length (KILLS=20000 CUTS=5000
#               FAULTS=5000 SEED=1)
# make nemesis  end servers in every way while another one stands by, disturb several that are active,
#               and upgrade them (ROUNDS=500 PLACES=100 TABLES=1000 SEED=1); or one of these
#               (ARGS="cluster --rounds 100 --seed 1")
# make fuzz     inputs that nobody would send (INPUTS=1000000 SEED=1, ARGS="telnet --guided")
# make soak     a long evening of many (ARGS="--minutes 30 --connections 2000")
# make audit    what is installed: parts list (SBOM), licences, known vulnerabilities; in build/audit
# make clean    remove what make made
#
# Another Python (make test PYTHON=python3.13) has an environment of its own, .venv-3.13.

PYTHON ?= python3
# Many tests wait for another process or for a timer: two workers for each core.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) \* 2)
PORT   ?=
DATA   ?=
ARGS   ?=
GAMES  ?= 100000
KILLS  ?= 20000
CUTS   ?= 5000
FAULTS ?= 5000
ROUNDS ?= 500
PLACES ?= 100
TABLES ?= 1000
INPUTS ?= 1000000
SEED   ?= 1
# Lines on PORT, and the page for browsers 5,800 above it; ARGS may have other listeners.
HERE   = --listen "127.0.0.1:$(or $(PORT),2222)" --listen "ws:127.0.0.1:$(shell expr $(or $(PORT),2222) + 5800)"
PURE   := $(addprefix tests/,protocol games table session records walls)

# `python3` has .venv; any other Python has one that is named after its version.
VENV := .venv$(if $(filter-out python3,$(PYTHON)),-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null))
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
SELF = $(PIP) install --no-deps --no-build-isolation -e .

# The tests start hundreds of processes: each would compile every module anew if none were kept.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: serve test compiler types collected quick test-long format bench laws crash nemesis fuzz soak audit clean

serve: $(VENV)/.serve
	@exec $(BIN)/twentytwo-server run $(if $(findstring --listen,$(ARGS))$(findstring --config,$(ARGS)),,$(HERE)) --data "$(or $(DATA),data)" $(ARGS)

test: $(VENV)/.test compiler
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types collected
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

quick: $(VENV)/.test
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(PURE)

# Checks the types of the web client. Nothing else needs npm, or Node.
compiler: client/web/node_modules/.package-lock.json

types: $(VENV)/.test
	$(BIN)/mypy

# Compiles the tests beside mypy, the first time: otherwise each worker of pytest would compile all.
collected: $(VENV)/.collected
	@:

test-long: export TEST_LONG := 1
test-long: test

format: $(VENV)/.test
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: $(VENV)/.test
	@$(BIN)/python -m tests.benchmarks.run $(ARGS)

laws: $(VENV)/.test
	@$(BIN)/python -m tests.laws.run --games $(GAMES) $(ARGS)

crash: $(VENV)/.test
	@$(BIN)/python -m tests.crash kills --kills $(KILLS) --seed $(SEED) --all-points
	@$(BIN)/python -m tests.crash power --cuts $(CUTS) --seed $(SEED)
	@$(BIN)/python -m tests.crash faults --faults $(FAULTS) --seed $(SEED)

nemesis: $(VENV)/.test
ifdef ARGS
	@$(BIN)/python -m tests.crash $(ARGS)
else
	@$(BIN)/python -m tests.crash takeovers --rounds $(ROUNDS) --seed $(SEED)
	@$(BIN)/python -m tests.crash cluster --rounds $(PLACES) --seed $(SEED)
	@$(BIN)/python -m tests.crash upgrades --tables $(TABLES) --seed $(SEED)
	@$(BIN)/python -m tests.crash upgrades --servers 3 --tables $(TABLES) --seed $(SEED)
endif

fuzz: $(VENV)/.test
	@$(BIN)/python -m tests.fuzz --inputs $(INPUTS) --seed $(SEED) $(ARGS)

soak: $(VENV)/.test
	@$(BIN)/python -m tests.soak $(ARGS)

AUDIT := build/audit
audit:
	@mkdir -p $(AUDIT)
	@$(PYTHON) -m venv $(AUDIT)/tools
	@$(PYTHON) -m venv --without-pip $(AUDIT)/server
	@$(AUDIT)/tools/bin/pip -qq install --require-hashes -r requirements/audit.txt
	@$(AUDIT)/tools/bin/pip -qq --python $(AUDIT)/server/bin/python install --require-hashes -r requirements/container.txt
	@$(AUDIT)/tools/bin/pip -qq --python $(AUDIT)/server/bin/python install --no-deps --no-build-isolation .
	@$(AUDIT)/tools/bin/cyclonedx-py environment $(AUDIT)/server --pyproject pyproject.toml --output-reproducible -o $(AUDIT)/sbom.json
	@$(AUDIT)/tools/bin/pip-licenses --python $(AUDIT)/server/bin/python --format markdown --output-file $(AUDIT)/licences.md
	@$(AUDIT)/tools/bin/pip-audit --strict --require-hashes --disable-pip -r requirements/container.txt

clean:
	rm -rf client/web/node_modules .venv .venv-* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find protocol server client tests -name __pycache__ -prune -exec rm -rf {} +

# The stamps: what they depend on is all that decides what is installed.

$(VENV)/.serve: requirements/serve.txt pyproject.toml | $(VENV)/.made
	@echo "Setting up (once)..."
	@$(PIP) install --require-hashes -r requirements/serve.txt
	@$(SELF)
	@touch $@

$(VENV)/.test: requirements/test.txt pyproject.toml | $(VENV)/.made
	@echo "Setting up the tests (once)..."
	@$(PIP) install --require-hashes -r requirements/test.txt
	@$(SELF)
	@touch $(VENV)/.serve $@

$(VENV)/.collected: $(VENV)/.test
	@$(BIN)/pytest --collect-only -qq > /dev/null || $(BIN)/pytest --collect-only -qq
	@touch $@

client/web/node_modules/.package-lock.json: client/web/package-lock.json
	@cd client/web && npm ci --silent --no-audit --no-fund && touch node_modules/.package-lock.json \
		|| echo "The types of the web client are not checked, because npm ci does not work here."

$(VENV)/.made:
	$(if $(shell $(PYTHON) -c 'import sys; print("y" * (sys.version_info >= (3, 11)))' 2>/dev/null),,$(error Python 3.11 or newer is needed, and $(PYTHON) is not; try: make PYTHON=python3.13))
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@touch $@
