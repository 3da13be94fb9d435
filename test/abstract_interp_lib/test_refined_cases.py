"""Every case of the library through the passes: the exported functions give PyTorch's types."""

from dataclasses import replace
from random import Random

import pytest
from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.build_tools.case_modules import CaseModule, NotExpressible
from torch_refine.build_tools.check_functions import load_families, run_pytorch
from torch_refine.dialect.bindings import operations
from torch_refine.dialect.element_types import element_of_dtype
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.pipelines.refinement import RefinementPipeline
from torch_refine.pipelines.runner import Runner

DECLARED = load_families()
FILES = sorted({declaration.file for declaration in DECLARED.values()})


def _cases(file):
    """The accepted cases of a family's operators, numbered."""
    found = {}
    for declaration in DECLARED.values():
        if declaration.file == file:
            for number, case in enumerate(declaration.ok):
                found[f"{declaration.kind}.{declaration.operator}.{number}"] = (declaration, case)
    return found


def _compare(file, context, hide, complete):
    """Refine a family's cases, and list what contradicts PyTorch or, if wanted, is not known."""
    module = CaseModule(context, hide)
    expected = {}
    for name, (declaration, case) in _cases(file).items():
        outputs = []
        for output in run_pytorch(declaration.operator, case):
            outputs += output if isinstance(output, list) else [output]
        try:
            module.add(name, declaration.operator, case, len(outputs))
        except NotExpressible:
            continue
        expected[name] = (case, outputs)
    op = module.module.operation
    runner = Runner()
    runner.run(RefinementPipeline().elements(), op)
    wrong = [str(found) for found in runner.state.diagnostics.reported]
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
            if output is not None and not _agrees(found, output, complete):
                wrong.append(f"{symbol_name(function)}{case}: {found}, PyTorch gives {output}")
    return wrong


def _agrees(found, output, complete):
    """Whether a refined type describes a result; if `complete`, rank and dtype must be known."""
    sizes, dtype = output
    if found.element not in (None, element_of_dtype(NUMBERS[dtype])):
        return False
    if complete and not found.has_rank_and_element:
        return False
    if found.sizes is None:
        return True
    return len(found.sizes) == len(sizes) and all(
        one in (other, None) for one, other in zip(found.sizes, sizes, strict=True)
    )


@pytest.mark.parametrize("file", FILES)
def test_family(file, context):
    """What is inferred never differs from PyTorch; rank and dtype are always known."""
    wrong = _compare(file, context, lambda type: type, complete=True)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("what", ["some sizes", "all sizes", "ranks", "dtypes", "something"])
@pytest.mark.parametrize("file", FILES)
def test_knowing_less_is_never_wrong(file, what, context):
    """With a part of the inputs hidden, what is still inferred holds, and nothing is rejected."""
    random = Random(f"{file} {what}")

    def hide(type):
        chosen = random.choice(["some sizes", "ranks", "dtypes"]) if what == "something" else what
        if chosen == "ranks":
            return replace(type, sizes=None)
        if chosen == "dtypes":
            return replace(type, element=None)
        keep = 0.0 if chosen == "all sizes" else 0.5
        sizes = (size if random.random() < keep else None for size in type.sizes)
        return replace(type, sizes=tuple(sizes))

    wrong = _compare(file, context, hide, complete=False)
    assert not wrong, "\n".join(wrong)
