# Every target makes .venv when it is missing. PYTHON=python3.12 make lab chooses another Python.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export OPENBLAS_NUM_THREADS := 1

.PHONY: lab test notebooks verify bench soak nbval-numpy

lab: $(VENV)/installed
	$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) notebooks/

test: $(VENV)/installed-test
	$(BIN)/pytest -n 2 --dist loadfile

notebooks: $(VENV)/installed-test
	$(BIN)/autograde release
	$(BIN)/python docs/draw_panel.py

verify: $(VENV)/installed-test
	$(BIN)/autograde verify --seeds 50

bench: $(VENV)/installed-test
	for script in bench/*.py; do $(BIN)/python $$script || exit 1; done

# Longer than a test may take: a hundred killed runs, ten thousand submissions.
soak: $(VENV)/installed-test
	$(BIN)/pytest -m soak

# The stored outputs on another NumPy 2.
nbval-numpy: pyproject.toml
	$(PYTHON) -m venv .venv-numpy
	.venv-numpy/bin/python -m pip install --quiet -e ".[test]" "numpy==2.3.*"
	.venv-numpy/bin/pytest tests/release/test_nbval.py

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; found " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 " if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e .
	touch $@

$(VENV)/installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e ".[test]"
	touch $@ $(VENV)/installed
