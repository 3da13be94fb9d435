"""Element functions against the operators that they compute, as TorchScript in double precision."""

import itertools
import math

import pytest
import torch
from torch_refine.abstract_interp_lib.elements import element_function, element_functions
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.functions.element_functions import exported_elements
from torch_refine.importer.functions.user_code import UserCodeError
from torch_refine.passes.lowering.elements.translating import ELEMENT_FUNCTIONS, element_operators

load_families()
DECLARED = element_functions()
INF, NAN = math.inf, math.nan
NUMBERS = (0.0, -0.0, -1.0, 1.0, -2.5, -0.3, 1e-10, 0.5, 0.7, 1.5, 2.0, 7.3, 9.0, 1e3, INF, -INF)
DEGREES = (-1e20, -3.0, -0.5, 0.0, 1.0, 2.0, 2.9, 5.0, 6.0, 7.0, 9.0, 20.0, 129.0, 513.0, NAN, INF)
LARGE = (9999.0, 1e4, 9.9e3, 1.01e4, 1e6, 1.001e6, 1e10, NAN)
INTEGERS = (0, 1, -1, 6, -6, 64, -64, 127, -127, -128, 126)


def _pairs(operator):
    if "gcd" in operator:
        return list(itertools.product(INTEGERS, INTEGERS))
    if "polynomial" in operator:
        return list(itertools.product(NUMBERS, DEGREES))
    return list(itertools.product((*NUMBERS, *LARGE), (*NUMBERS, *LARGE)))


def _operator(name):
    namespace, _, base = name.partition("::")
    return getattr(getattr(torch.ops, namespace), base)


@pytest.mark.parametrize("operator", sorted(DECLARED))
def test_each_computes_its_operator(operator):
    function = torch.jit.script(DECLARED[operator])
    dtype = torch.int64 if "gcd" in operator else torch.float64
    pairs = _pairs(operator)
    operands = [torch.tensor(each, dtype=dtype) for each in zip(*pairs, strict=True)]
    wanted = _operator(operator)(*operands)
    found = torch.tensor([function(*pair) for pair in pairs], dtype=dtype)
    torch.testing.assert_close(found, wanted, equal_nan=True)


def test_all_are_exported():
    exported = ELEMENT_FUNCTIONS.read_text()
    assert exported == exported_elements(), "run `make library`"
    assert element_operators() == {name.replace("::", ".", 1) for name in DECLARED}


def _one(self: int) -> int:
    return self


def _mixed(self: int, other: float) -> int:
    return self


def _shifted(self: int, other: int) -> int:
    return self << other


def _early(self: float, other: float) -> float:
    if self > other:
        return self
    while other < self:
        if other > 0.0:
            return other
        other += 1.0
    return math.atan(other)


@pytest.mark.parametrize(
    ("operator", "function", "message"),
    [
        ("aten::gcd", _shifted, "aten::gcd: __lshift__ of ints has no translation"),
        ("aten::igamma", _early, "of floats has no translation"),
        ("aten::gcd", _one, "parameters differ from those of aten::gcd"),
        ("aten::gcd", _mixed, "are all int, or all float"),
        ("aten::no_such_operator", _one, "PyTorch has no operator aten::no_such_operator"),
    ],
)
def test_signatures_are_checked(operator, function, message):
    with pytest.raises(UserCodeError, match=message):
        exported_elements({operator: function})


def test_one_function_for_each_operator():
    with pytest.raises(ValueError, match="aten::gcd: an element function is declared twice"):
        element_function("aten::gcd")(_one)
