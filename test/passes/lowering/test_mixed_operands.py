"""Operands of mixed dtypes in programs that come as IR, beside eager mode."""

from __future__ import annotations

import random

import pytest
import torch
import torch_refine
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
