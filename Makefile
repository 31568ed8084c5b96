# Two commands matter: `make demo` shows the pack at work, `make test` proves it. Both need only Python and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A CPU build is enough; naming the version keeps pip from choosing another one with every release.
TORCH := torch==2.13.0

.PHONY: demo test test-long check bench bench-contradictions bench-recall bench-maintenance bench-privacy bench-quality config
.PHONY: bench-page bench-vault bench-knowledge bench-spoken bench-conversations bench-similar bench-terminal docs pictures tables clean

demo: $(VENV)/.ready
	$(BIN)/memory-ledger demo

test: $(VENV)/.ready check
	$(BIN)/python tests/page_host/fetch_scripts.py
	$(BIN)/pytest -n auto

# What `make test` draws by the thousand, or plays for seconds: by the hundred thousand, and for minutes.
test-long: $(VENV)/.ready
	$(BIN)/pytest -n auto -m long

check: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.ready
	$(BIN)/python benchmarks/bench_hooks.py

bench-contradictions: $(VENV)/.ready
	$(BIN)/python benchmarks/contradictions.py

bench-recall: $(VENV)/.ready
	$(BIN)/python benchmarks/recall.py

bench-similar: $(VENV)/.ready
	$(BIN)/python benchmarks/similar.py

bench-spoken: $(VENV)/.ready
	$(BIN)/python benchmarks/spoken.py

bench-conversations: $(VENV)/.ready
	$(BIN)/python benchmarks/conversations.py

bench-maintenance: $(VENV)/.ready
	$(BIN)/python benchmarks/maintenance.py

bench-privacy: $(VENV)/.ready
	$(BIN)/python benchmarks/privacy.py

bench-quality: $(VENV)/.ready
	$(BIN)/python benchmarks/quality.py

bench-vault: $(VENV)/.ready
	$(BIN)/python benchmarks/vault.py
bench-knowledge: $(VENV)/.ready
	$(BIN)/python benchmarks/knowledge.py

bench-page: $(VENV)/.ready
	$(BIN)/python benchmarks/page.py

bench-terminal: $(VENV)/.ready
	$(BIN)/python benchmarks/terminal.py

config: $(VENV)/.ready
	$(BIN)/python generators/settings_files.py .

docs: $(VENV)/.ready
	$(BIN)/python generators/slot_docs.py .
	$(BIN)/python generators/surface_docs.py .
	$(BIN)/python generators/thumbnail.py .
	$(BIN)/python benchmarks/systems.py .

# The README's pictures of the page, taken in a browser.
pictures: $(VENV)/.ready
	$(BIN)/python tests/page_host/fetch_scripts.py
	MEMORY_LEDGER_PICTURES=docs/pictures $(BIN)/pytest tests/page_host/test_pictures.py

tables: $(VENV)/.ready
	$(BIN)/python generators/table_files.py .

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "Python 3.11 to 3.13 is needed; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet $(TORCH)
	$(BIN)/pip install --quiet --editable '.[model,test]'
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
