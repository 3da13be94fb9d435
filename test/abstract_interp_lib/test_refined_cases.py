"""Every case of the library through the passes: the exported functions give PyTorch's types."""

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


@pytest.mark.parametrize("file", FILES)
def test_family(file, context):
    """What is inferred never differs from PyTorch, and is complete unless a value decides it."""
    module = CaseModule(context)
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
    assert [str(found) for found in runner.state.diagnostics.reported] == []
    types = Types(context)
    wrong = []
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
            if output is None:
                continue
            sizes, dtype = output
            element = element_of_dtype(NUMBERS[dtype])
            agrees = (
                found.element == element
                and found.sizes is not None
                and len(found.sizes) == len(sizes)
                and all(a in (b, None) for a, b in zip(found.sizes, sizes, strict=True))
            )
            if not agrees:
                wrong.append(f"{symbol_name(function)}{case}: {found}, PyTorch gives {output}")
    assert not wrong, "\n".join(wrong)
    del module, op, types, runner, function, refined, found
