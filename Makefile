# Every target makes .venv when it is missing. PYTHON=python3.12 make lab chooses another Python.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export OPENBLAS_NUM_THREADS := 1

.PHONY: lab teach test notebooks verify bench soak test-lowest
.SECONDARY:

lab: $(VENV)/installed-lab
	$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) notebooks/

teach: $(VENV)/installed-lab $(VENV)/installed-teach

test: $(VENV)/installed-test
	$(BIN)/pytest -n 2 --dist loadfile

notebooks: $(VENV)/installed-test
	$(BIN)/autograde release
	$(BIN)/python docs/draw_panel.py
	$(BIN)/python docs/draw_answer.py

verify: $(VENV)/installed-test
	$(BIN)/autograde verify --seeds 50
	$(BIN)/autograde verify --mutants
	$(BIN)/autograde verify --crossed

bench: $(VENV)/installed-test
	for script in bench/*.py; do $(BIN)/python $$script || exit 1; done

# Longer than a test may take: a hundred killed runs, ten thousand submissions.
soak: $(VENV)/installed-test
	$(BIN)/pytest -m soak

# Every direct dependency at its lower bound. Types and layout are a matter of the newest tools.
test-lowest: pyproject.toml
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet -e ".[test]" $$($(PYTHON) .ci/lowest.py)
	.venv-lowest/bin/pytest -n 2 --dist loadfile --ignore tests/test_tools.py

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "Python 3.11, 3.12 or 3.13 is needed; found " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

# An extra of pyproject.toml; that of the tests holds the others.
$(VENV)/installed-%: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e ".[$*]"
	touch $@ $(if $(filter test,$*),$(VENV)/installed-lab $(VENV)/installed-teach)
