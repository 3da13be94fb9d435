"""Operands of mixed dtypes, and numbers that dtypes do not have, beside eager mode."""

from __future__ import annotations

import random

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.abstract_interp_lib.promotion_kinds import read_promotions
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.schemas import schema

ELEMENTS = {
    torch.bool: "i1",
    torch.uint8: "ui8",
    torch.int8: "si8",
    torch.int32: "si32",
    torch.int64: "si64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
}
# Aliases have no lowering of their own; quotients that round, and remainders, are decomposed at the
# import only.
LEFT_OUT = (
    "__",
    "arctan2",
    "divide",
    "floor_divide",
    "fmod",
    "greater",
    "less",
    "multiply",
    "not_equal",
    "remainder",
    "subtract",
    "true_divide",
)


def operators() -> list[str]:
    """Operators of two tensors that promote."""
    found = []
    for operator, promotion in read_promotions().items():
        name = operator.removeprefix("aten::")
        arguments = [each.type for each in schema(operator).arguments]
        if (
            operator == name
            or name.startswith("special_")
            or any(each in name for each in LEFT_OUT)
        ):
            continue
        if arguments == ["Tensor", "Tensor"] and promotion.operands == ("self", "other"):
            found.append(name)
    return found


def called(name: str, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor | None:
    """The result in eager mode; None if the operator rejects the dtypes."""
    packet, _, overload = name.partition(".")
    try:
        return getattr(getattr(torch.ops.aten, packet), overload or "default")(left, right)
    except RuntimeError:
        return None


def type_of(tensor: torch.Tensor) -> str:
    sizes = ",".join(map(str, tensor.shape))
    return f"!torch.vtensor<[{sizes}],{ELEMENTS[tensor.dtype]}>"


def drawn(dtype: torch.dtype, rank: int) -> torch.Tensor:
    values = torch.randint(1, 6, (7,) * rank)
    return (values / 2 if dtype.is_floating_point else values).to(dtype)


def pairs() -> list[tuple[torch.dtype, torch.dtype, int]]:
    """A sample of pairs of dtypes, with the rank of the second operand."""
    every = [(a, b, rank) for a in ELEMENTS for b in ELEMENTS for rank in (0, 1) if a != b]
    return random.Random(7).sample(every, 8)


@pytest.mark.parametrize(("left", "right", "rank"), pairs())
def test_operands_of_two_dtypes(left, right, rank):
    torch.manual_seed(0)
    a, b = drawn(left, 1), drawn(right, rank)
    wanted = {name: result for name in operators() if (result := called(name, a, b)) is not None}
    assert len(wanted) >= 10
    context = new_context()
    lines = []
    for place, (name, result) in enumerate(wanted.items()):
        op = f"torch.aten.{name}"
        if not context.is_registered_operation(op):
            op = f'torch.operator "{op}"'
        given = f"({type_of(a)}, {type_of(b)})"
        text = f"%{place} = {op}(%a, %b) : {given} -> {type_of(result)}"
        if context.is_registered_operation(op):
            text = f"%{place} = {op} %a, %b : {given[1:-1]} -> {type_of(result)}"
        lines.append(text)
    values = ", ".join(f"%{place}" for place in range(len(lines)))
    types = ", ".join(map(type_of, wanted.values()))
    module = ir.Module.parse(
        f"func.func @main(%a: {type_of(a)}, %b: {type_of(b)}) -> ({types}) {{\n"
        + "\n".join(lines)
        + f"\nreturn {values} : {types}\n}}",
        context,
    )
    found = torch_refine.compile(module, opt_level=0)(a, b)
    for (name, result), each in zip(wanted.items(), found, strict=True):
        assert each.dtype == result.dtype, name
        assert torch.allclose(each.double(), result.double(), 1e-2, equal_nan=True), name


NUMBERS = {
    "1e5": 1e5,
    "3e-9": 3e-9,
    "1.2345678": 1.2345678,
    "-70000": -70000,
    "3": 3,
    "a large f32": torch.tensor(1e5),
    "f64": torch.tensor(1.2345678, dtype=torch.float64),
    "i64": torch.tensor(70001),
    "i64 of rank 2": torch.tensor([[70001]]),
}
BY_NUMBERS = {
    "add": lambda x, n: x + n,
    "sub": lambda x, n: x - n,
    "rsub": lambda x, n: n - x,
    "mul": lambda x, n: x * n,
    "div": lambda x, n: x / n,
    "reciprocal": lambda x, n: n / x,
    "floor": lambda x, n: torch.div(x, n, rounding_mode="floor"),
    "floor_divide": lambda x, n: x // n,
    "trunc": lambda x, n: torch.div(x, n, rounding_mode="trunc"),
    "remainder": lambda x, n: x % n,
    "fmod": torch.fmod,
    "greater": lambda x, n: x > n,
    "alpha": lambda x, n: torch.add(x, x, alpha=n),
    "alpha of a difference": lambda x, n: torch.sub(x, x, alpha=n),
}


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", BY_NUMBERS)
def test_numbers_that_halves_do_not_have(name, dtype):
    """Kernels round some of them, and compute in f32 with others."""
    torch.manual_seed(0)
    x = (torch.randn(2, 200) * 30).to(dtype)
    function = BY_NUMBERS[name]
    for shown, number in NUMBERS.items():
        if name.startswith("alpha") and isinstance(number, torch.Tensor):
            continue
        if name.startswith("alpha"):
            # It must be an element. PyTorch rounds the product of the elements after the vectors.
            if abs(number) > torch.finfo(dtype).max:
                continue
            wanted = function(x.float(), torch.tensor(number).to(dtype).item()).to(dtype)
        else:
            wanted = function(x, number)
        found = [torch_refine.compile(Function(lambda x, n=number: function(x, n)), (x,))(x)]
        if isinstance(number, torch.Tensor):
            found.append(torch_refine.compile(Function(function), (x, number))(x, number))
        for each in found:
            torch.testing.assert_close(each, wanted, rtol=0, atol=0, equal_nan=True, msg=shown)


RANGES = {
    "by 1": lambda n, dtype: torch.arange(n, dtype=dtype),
    "by 3": lambda n, dtype: torch.arange(2, n, 3, dtype=dtype),
    "down": lambda n, dtype: torch.arange(n, -3, -2, dtype=dtype),
    "of floats": lambda n, dtype: torch.arange(0.5, n * 0.3, 0.1, dtype=dtype),
}


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("name", RANGES)
def test_ranges_that_are_longer_than_halves_count(name, dtype):
    function = RANGES[name]
    for count in (30, 257, 3001, 70001):
        model = Function(lambda x, n=count: x + function(n, dtype))
        wanted = function(count, dtype)
        x = torch.zeros_like(wanted)
        found = torch_refine.compile(model, (x,))(x)
        assert found.shape == wanted.shape
        # PyTorch rounds where each vector starts.
        exact = function(count, torch.float64).to(dtype)
        ulp = torch.finfo(dtype).eps
        torch.testing.assert_close(found, exact, rtol=ulp, atol=0)
    if name == "of floats":
        return
    model = Function(lambda x: function(x.shape[0], dtype))
    compiled = torch_refine.compile(
        model, (torch.zeros(9),), dynamic_shapes=(({0: torch.export.Dim("n", min=6)},),)
    )
    for count in (300, 3001, 70001):
        assert compiled(torch.zeros(count)).shape == function(count, dtype).shape


def test_a_range_longer_than_f32_counts():
    model = Function(lambda x: torch.arange(x.shape[0], dtype=torch.float32))
    x = torch.zeros(9, dtype=torch.bool)
    compiled = torch_refine.compile(model, (x,), dynamic_shapes=(({0: torch.export.Dim("n")},),))
    count = (1 << 24) + 1
    assert len(compiled(torch.zeros(count, dtype=torch.bool))) == count
