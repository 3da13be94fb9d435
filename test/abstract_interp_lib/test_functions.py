"""Check every function of the library against PyTorch, on all of its cases."""

import pytest
import torch
from torch_refine.abstract_interp_lib import promotion, scalar_types
from torch_refine.abstract_interp_lib.rules import device, factories, prims
from torch_refine.build_tools.check_functions import check, family_files, load_families
from torch_refine.build_tools.lint_functions import lint_all

DECLARED = load_families()
FILES = sorted({declaration.file for declaration in DECLARED.values()})


@pytest.mark.parametrize("file", FILES)
def test_family(file):
    """Signatures, results and raising agree with PyTorch; every function has an accepted case."""
    problems = [
        str(problem)
        for declaration in DECLARED.values()
        if declaration.file == file
        for problem in check(declaration)
    ]
    assert not problems, "\n".join(problems)


def test_linter_reports_nothing():
    assert [str(problem) for problem in lint_all(DECLARED.values())] == []


def test_every_operator_has_a_shape_and_a_dtype_function():
    kinds = {}
    for kind, operator in DECLARED:
        kinds.setdefault(operator, set()).add(kind)
    assert [operator for operator, found in kinds.items() if len(found) != 2] == []
    assert len(kinds) >= 200


def _number(rank, name):
    if rank is None:
        return {"bool": True, "int64": 1, "float64": 1.0, "complex128": 1j}.get(name)
    return torch.empty([1] * rank, dtype=getattr(torch, name), device="meta")


CORE = (
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)


def test_promote_types_agrees_with_pytorch():
    for left in scalar_types.NAMES:
        for right in scalar_types.NAMES:
            ours = promotion.promote_types(scalar_types.NUMBERS[left], scalar_types.NUMBERS[right])
            try:
                theirs = torch.promote_types(getattr(torch, left), getattr(torch, right))
            except RuntimeError:
                theirs = None
            name = None if ours is None else getattr(torch, scalar_types.NAMES[ours])
            # For less common dtypes, an unknown result is allowed, a wrong one is not.
            assert name == theirs or (ours is None and not {left, right} <= set(CORE))


@pytest.mark.parametrize("left", CORE)
def test_result_type_agrees_with_pytorch(left):
    for right in CORE:
        for ranks in [(a, b) for a in (None, 0, 1, 2) for b in (None, 0, 1, 2)]:
            operands = [_number(ranks[0], left), _number(ranks[1], right)]
            if None in operands:
                continue
            dtypes = [scalar_types.NUMBERS[left], scalar_types.NUMBERS[right]]
            ours = promotion.promote_dtypes(ranks, dtypes)
            theirs = torch.result_type(*operands)
            assert getattr(torch, scalar_types.NAMES[ours]) == theirs, (ranks, left, right)


@pytest.mark.parametrize("scalar", [True, 2, 2.5])
@pytest.mark.parametrize("name", ["bool", "uint8", "int32", "int64", "float16", "float64"])
def test_a_scalar_beside_a_tensor_of_a_primitive_operator(scalar, name):
    """In a program the scalar is a 0-dim tensor, on either side."""
    tensor = torch.ones(2, dtype=getattr(torch, name))
    of_scalar = (0, scalar_types.NUMBERS[str(torch.tensor(scalar).dtype).removeprefix("torch.")])
    of_tensor = (1, scalar_types.NUMBERS[name])
    rule = torch.jit.script(prims.one_dtype)
    found = [rule(of_scalar, of_tensor), rule(of_tensor, of_scalar)]
    add = torch.ops.prims.add
    assert [getattr(torch, scalar_types.NAMES[each]) for each in found] == [
        add(scalar, tensor).dtype,
        add(tensor, scalar).dtype,
    ]


def test_a_fractional_range_in_float32_is_known_on_the_cpu_only(monkeypatch):
    """Elsewhere it is computed in float32, whose rounding is not followed."""
    size = torch.jit.script(factories.closed_range_size)
    known = set()
    for where in ("cpu", "cuda"):
        monkeypatch.setattr(device, "_checked_device", [where])
        for name in ("float16", "float32", "float64"):
            found = size(0.5, 10.7, 2.9, scalar_types.NUMBERS[name])
            assert found in (4, -1)
            known |= {(where, name)} if found == 4 else set()
    assert known == {("cpu", "float32"), ("cpu", "float64"), ("cuda", "float64")}


def test_family_names_are_unique():
    """Families are looked up by file name, in any folder."""
    names = [path.name for path in family_files().values()]
    assert len(names) == len(set(names)) > 50
