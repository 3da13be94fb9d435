"""Run every case of the library through the passes: the exported functions give PyTorch's types."""

import os
from dataclasses import replace
from random import Random

import pytest
from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.build_tools.check_functions import load_families, run_pytorch
from torch_refine.build_tools.functions.case_modules import CaseModule, NotExpressible, flattened
from torch_refine.dialect.bindings import operations
from torch_refine.dialect.element_types import element_of_dtype
from torch_refine.dialect.library import Library
from torch_refine.dialect.names import library_symbol
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.pipelines.refinement import RefinementPipeline
from torch_refine.pipelines.runner import Runner

DECLARED = load_families()
FILES = sorted({declaration.file for declaration in DECLARED.values()})


def _unknowing():
    """The operators whose functions return a data-dependent size, dtype or shape."""
    library = Library()
    found = set()
    for kind, operator in DECLARED:
        symbols = library.closure([library_symbol(kind, operator)])
        if any("torch_refine.unknown_size" in library.text(symbol) for symbol in symbols):
            found.add(operator)
    return found


UNKNOWING = _unknowing()


def _cases(file):
    """The accepted cases of a family's operators, numbered."""
    found = {}
    for declaration in DECLARED.values():
        if declaration.file == file:
            for number, case in enumerate(declaration.ok):
                found[f"{declaration.kind}.{declaration.operator}.{number}"] = (declaration, case)
    return found


def _compare(file, context, hide, complete, chosen=lambda: True):
    """Refine a family's cases; list results that contradict PyTorch or lack precision."""
    module = CaseModule(context, hide)
    expected = {}
    for name, (declaration, case) in _cases(file).items():
        if not chosen():
            continue
        outputs = run_pytorch(declaration.operator, case)
        try:
            module.add(name, declaration.operator, case, outputs)
        except NotExpressible:
            continue
        expected[name] = (case, flattened(outputs))
    op = module.module.operation
    runner = Runner()
    runner.run(RefinementPipeline().elements(), op)
    # If the interpreter gives up on a function, its results are unknown, which is sound.
    reported = map(str, runner.state.diagnostics.reported)
    wrong = [found for found in reported if complete or "cannot infer" not in found]
    types = Types(context)
    for function in program_functions(op):
        case, outputs = expected[symbol_name(function)]
        refined = [
            types.tensor(result.type)
            for inner in operations(function.regions[0].blocks[0])
            if inner.name in ("torch.operator", "torch.prim.ListUnpack")
            for result in inner.results
            if types.tensor(result.type) is not None
        ]
        for found, output in zip(refined, outputs, strict=True):
            may_be_unknown = declared_of(symbol_name(function)) in UNKNOWING
            if output is not None and not _agrees(found, output, complete and not may_be_unknown):
                wrong.append(f"{symbol_name(function)}{case}: {found}, PyTorch gives {output}")
    return wrong


def declared_of(name):
    """The operator in the name of a case's function."""
    return name.partition(".")[2].rpartition(".")[0]


def _agrees(found, output, complete):
    """Whether a refined type describes a result; if `complete`, rank and dtype must be known."""
    sizes, dtype = output
    element = element_of_dtype(NUMBERS[dtype])
    if found.element not in (None, element):
        return False
    if complete and element is not None and not found.has_rank_and_element:
        return False
    if found.sizes is None:
        return True
    return len(found.sizes) == len(sizes) and all(
        one in (other, None) for one, other in zip(found.sizes, sizes, strict=True)
    )


@pytest.mark.parametrize("file", FILES)
@pytest.mark.seeded_part(12)
def test_family(file, context):
    """Inferred types never contradict PyTorch; rank and dtype are inferred where possible."""
    wrong = _compare(file, context, lambda type: type, complete=True)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("what", ["some sizes", "all sizes", "ranks", "dtypes", "something"])
@pytest.mark.parametrize("file", FILES)
@pytest.mark.seeded_part(12)
def test_partially_known_types(file, what, context):
    """With part of the input types hidden, inferred types still hold and nothing is rejected.

    Runs a seeded twentieth of the cases; TORCH_REFINE_ALL_CASES=1 runs all of them.
    """
    random = Random(f"{file} {what}")
    part = 1.0 if os.environ.get("TORCH_REFINE_ALL_CASES") == "1" else 0.05

    def hide(type):
        chosen = random.choice(["some sizes", "ranks", "dtypes"]) if what == "something" else what
        if chosen == "ranks":
            return replace(type, sizes=None)
        if chosen == "dtypes":
            return replace(type, element=None)
        keep = 0.0 if chosen == "all sizes" else 0.5
        sizes = (size if random.random() < keep else None for size in type.sizes)
        return replace(type, sizes=tuple(sizes))

    wrong = _compare(file, context, hide, complete=False, chosen=lambda: random.random() < part)
    assert not wrong, "\n".join(wrong)
