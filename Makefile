# The two commands of the README are `make demo` and `make test`; `make help` lists all.

PYTHON ?= python3
# Further options for pip, such as an index with PyTorch's CPU builds (see README.md).
PIP_FLAGS ?=
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
# Times are measured, so one process at a time.
ZOO_JOBS ?= 1
# Most tests start processes of their own, which would each compile our sources anew.
unexport PYTHONDONTWRITEBYTECODE

# glibc fills freed memory, so that a pass that uses an erased op crashes instead of reading it.
test test-all numerics numerics-guarded numerics-varied safety fuzz fuzz-tool: \
        export GLIBC_TUNABLES := glibc.malloc.tcache_count=0:glibc.malloc.perturb=165

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-versions lint format docs library wheel registry function check-function \
        check-functions agreement expansion conformance numerics numerics-guarded numerics-varied safety \
        guarded-calls fuzz fuzz-tool mutation accuracy zoo benchmark benchmark-codegen check-gpu gpu-kernels clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	@touch $@

# Each set of packages is installed once, and again when what it depends on changes.
$(VENV)/.demo: $(VENV)/.created pyproject.toml constraints.txt
	$(BIN)/pip install -q $(PIP_FLAGS) -c constraints.txt -e '.[demo]'
	@touch $@

$(VENV)/.test: $(VENV)/.created pyproject.toml constraints.txt
	$(BIN)/pip install -q $(PIP_FLAGS) -c constraints.txt -e '.[test]'
	@touch $@ $(VENV)/.demo

$(VENV)/.lint: $(VENV)/.test
	$(BIN)/pip install -q $(PIP_FLAGS) -c constraints.txt -e '.[test,lint]'
	@touch $@

$(VENV)/.benchmark: $(VENV)/.test
	$(BIN)/pip install -q $(PIP_FLAGS) -c constraints.txt -e '.[test,benchmark]'
	@touch $@

# transformers imports torchvision where it is installed, so only the zoo's processes see it. Its C++
# part requires the build of PyTorch that it was built for, and is not used.
build/zoo/.packages: $(VENV)/.benchmark build_tools/zoo/requirements.txt
	$(BIN)/pip install -q $(PIP_FLAGS) -c constraints.txt --no-deps --upgrade --target build/zoo/packages \
	  -r build_tools/zoo/requirements.txt
	@touch $@

demo: $(VENV)/.demo ## refine the bundled networks and show what was found
	$(BIN)/python -m torch_refine.demo

test: $(VENV)/.test ## run all tests: lit with filecheck, and pytest
	$(BIN)/lit -q test
	$(BIN)/python -m pytest -rs -n $(JOBS) test

test-all: $(VENV)/.test ## the same with all cases, where test takes a seeded part of many
	TORCH_REFINE_ALL_CASES=1 $(BIN)/python -m pytest -rs -n $(JOBS) test

test-versions: ## run some tests with the oldest and the newest PyTorch, each in build/versions
	$(PYTHON) build_tools/check_versions.py --pip-flags="$(PIP_FLAGS)" $(FLAGS)

lint: $(VENV)/.lint ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	sh build_tools/typecheck.sh $(BIN)/mypy

format: $(VENV)/.lint ## format all Python files
	$(BIN)/ruff check -q --fix .
	$(BIN)/ruff format -q .

docs: $(VENV)/.test ## write the generated documents
	$(BIN)/python -m torch_refine.build_tools.write_docs
	$(BIN)/python -m torch_refine.build_tools.write_coverage

library: $(VENV)/.test ## export the library again, and say what changed
	$(BIN)/python -m torch_refine.build_tools.export_library
	$(BIN)/python -m torch_refine.build_tools.prepare_library

# What an earlier build left would be in the wheel, too.
wheel: $(VENV)/.created ## build a wheel in dist/
	rm -rf build/lib build/bdist.*
	$(BIN)/pip wheel -q $(PIP_FLAGS) --no-deps --wheel-dir dist .
	@ls dist/torch_refine-*.whl

registry: $(VENV)/.test ## snapshot PyTorch's operator registry and the wheel's passes
	$(BIN)/python -m torch_refine.build_tools.snapshot_registry
	$(BIN)/python -m torch_refine.build_tools.snapshot_passes

check-functions: $(VENV)/.test ## check functions against PyTorch: make check-functions OP=aten::mm
	$(BIN)/python -m torch_refine.build_tools.check_functions $(OP)

function: $(VENV)/.test ## start the functions of an operator: make function OP=aten::foo.bar
	$(BIN)/python -m torch_refine.build_tools.new_function $(OP) $(if $(FILE),--file $(FILE)) $(FLAGS)

check-function: $(VENV)/.test ## check the functions of one operator in every way, in seconds
	$(BIN)/python -m torch_refine.build_tools.check_function $(OP)

agreement: $(VENV)/.test ## infer every case of every function both ways, and compare the types
	$(BIN)/python -m torch_refine.build_tools.agreement

expansion: $(VENV)/.test ## decompose calls one by one and in whole programs: FLAGS="--dynamic --minutes 5"
	$(BIN)/python -m torch_refine.build_tools.expansion $(FLAGS)

conformance: $(VENV)/.test ## compare with PyTorch on all of its samples, and write coverage.json
	$(BIN)/python -m torch_refine.build_tools.conformance $(if $(ENTRIES),$(ENTRIES),--write)

numerics: $(VENV)/.test ## compile PyTorch's samples, compare with eager mode, write lowered.json
	$(BIN)/python -m torch_refine.build_tools.numerics --jobs $(JOBS) --write

fuzz-tool: $(VENV)/.test ## run the tool on 20,000 mutated programs: FLAGS="--seed 5" for others
	$(BIN)/python -m torch_refine.build_tools.fuzz_tool $(FLAGS) test/passes/*.mlir test/pipelines/*.mlir

numerics-guarded: $(VENV)/.test ## the same with an unreadable page beside each buffer
	$(BIN)/python -m torch_refine.build_tools.numerics --jobs $(JOBS) --guarded

numerics-varied: $(VENV)/.test ## the same with larger sizes on two threads, and with other numbers
	$(BIN)/python -m torch_refine.build_tools.numerics --jobs $(JOBS) --larger --threads 2
	$(BIN)/python -m torch_refine.build_tools.numerics --jobs $(JOBS) --numbers

safety: $(VENV)/.test ## make calls that eager mode rejects to compiled programs: OP=aten::gather
	$(BIN)/python -m torch_refine.build_tools.safety --jobs $(JOBS) $(if $(OP),--operator $(OP))

guarded-calls: $(VENV)/.test ## make wrong calls to operators compiled for unknown sizes: OP=aten::mm
	$(BIN)/python -W ignore -m torch_refine.build_tools.safety.guarded_calls --jobs $(JOBS) $(OP)

fuzz: $(VENV)/.test ## compile random valid calls and programs, compare with eager mode
	$(BIN)/python -m torch_refine.build_tools.fuzz --jobs $(JOBS) $(FLAGS)

mutation: $(VENV)/.test ## mutate 200 places, list what no test notices: FLAGS="--seed 5 --number 50"
	$(BIN)/python -m torch_refine.build_tools.mutation --jobs $(JOBS) $(FLAGS)

zoo: build/zoo/.packages ## compile whole architectures, write docs/zoo.md: FLAGS="--part 1/8 --columns static"
	$(BIN)/python -m torch_refine.build_tools.zoo --jobs $(ZOO_JOBS) $(FLAGS)
	$(BIN)/python -m torch_refine.build_tools.zoo --document

accuracy: $(VENV)/.test ## compare rounding errors with eager mode's, write docs/accuracy.md
	$(BIN)/python -m torch_refine.build_tools.accuracy $(FLAGS)

benchmark: $(VENV)/.benchmark ## time refinement beside torch-mlir's passes: FLAGS=--quick for less
	$(BIN)/python benchmarks/refinement.py $(FLAGS)

benchmark-codegen: $(VENV)/.benchmark ## time compiled code beside eager mode and inductor
	$(BIN)/python benchmarks/codegen.py $(FLAGS)

check-gpu: $(VENV)/.test ## assemble every case for GPUs, and show what it needs; no GPU is used
	$(BIN)/python benchmarks/gpu_assembly.py $(FLAGS)

# Elsewhere there is no GPU: FLAGS="--target cpu" compares on the CPU.
gpu-kernels: $(VENV)/.test ## compare programs on a GPU with eager mode: FLAGS="--drawn 300 --tool memcheck"
	$(BIN)/python -m torch_refine.build_tools.gpu_kernels $(FLAGS)

clean: ## remove what the targets above made
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
