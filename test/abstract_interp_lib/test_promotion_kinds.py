"""How operators promote, as declared, beside their dtype functions and PyTorch's references."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND, elementwise_dtypes
from torch_refine.abstract_interp_lib.promotion_kinds import (
    PROMOTIONS,
    Promotion,
    exported_promotions,
    promotes,
    read_promotions,
)
from torch_refine.abstract_interpreter.calling import Functions, RejectionError, TensorSpec
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.export_library import declared_promotions
from torch_refine.dialect.schemas import schema
from torch_refine.passes.lowering.torch.promote_operands import rounded, wrapped

DTYPES = (
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
)
KINDS = {
    "default": ELEMENTWISE_TYPE_PROMOTION_KIND.DEFAULT,
    "no-opmath": ELEMENTWISE_TYPE_PROMOTION_KIND.NO_OPMATH,
    "int-to-float": ELEMENTWISE_TYPE_PROMOTION_KIND.INT_TO_FLOAT,
    "always-bool": ELEMENTWISE_TYPE_PROMOTION_KIND.ALWAYS_BOOL,
    "complex-to-float": ELEMENTWISE_TYPE_PROMOTION_KIND.COMPLEX_TO_FLOAT,
    "bool-to-long": ELEMENTWISE_TYPE_PROMOTION_KIND.BOOL_TO_LONG,
}
NUMBERS_OF_PYTHON = (True, 2, 2.5, 2j)
load_families()


def operands(operator: str, promotion: Promotion) -> Iterator[dict[str, Any]]:
    """Operands of all dtypes, or a sample of 200 of their combinations."""
    types = {each.name: each.type for each in schema(operator).arguments}
    choices: list[list[Any]] = []
    for name in promotion.operands:
        if types[name] in ("Scalar", "Scalar?"):
            choices.append(list(NUMBERS_OF_PYTHON))
        else:
            choices.append([torch.empty((2,) * rank, dtype=d) for d in DTYPES for rank in (0, 1)])
    drawn = list(itertools.product(*choices))
    for values in random.Random(0).sample(drawn, min(len(drawn), 200)):
        yield dict(zip(promotion.operands, values, strict=True))


FUNCTIONS = Functions()


def inferred_dtype(operator: str, given: dict[str, Any]) -> str | None:
    """The dtype that the library infers; None for what it rejects."""
    known: dict[str, Any] = {}
    for argument in schema(operator).arguments:
        value = given.get(argument.name)
        if isinstance(value, torch.Tensor):
            spec = TensorSpec(list(value.shape), str(value.dtype).removeprefix("torch."))
            known[argument.name] = [spec] if argument.type == "Tensor[]" else spec
        elif value is not None:
            known[argument.name] = value
        elif argument.default is None:
            others = {"Tensor": TensorSpec([2], "bool"), "bool": False}
            known[argument.name] = others.get(argument.type, int(argument.name != "dim"))
    try:
        found = FUNCTIONS.infer(operator, (), known)
    except RejectionError:
        return None
    assert isinstance(found, TensorSpec)
    return found.dtype


@pytest.mark.parametrize("operator", sorted(declared_promotions()))
@pytest.mark.seeded_part(12)
def test_the_dtype_function_promotes_as_declared(operator: str) -> None:
    promotion = declared_promotions()[operator]
    compared = 0
    for given in operands(operator, promotion):
        inferred = inferred_dtype(operator, given)
        if inferred is None:
            continue
        values = given.values()
        _, wanted = elementwise_dtypes(*values, type_promotion_kind=KINDS[promotion.kind])
        assert inferred == str(wanted).removeprefix("torch."), given
        compared += 1
    assert compared >= 4


def test_the_export_is_current() -> None:
    assert read_promotions() == declared_promotions()
    assert PROMOTIONS.read_text(encoding="utf-8") == exported_promotions(read_promotions())


def test_every_operand_is_an_argument() -> None:
    for operator, promotion in declared_promotions().items():
        names = [each.name for each in schema(operator).arguments]
        assert set(promotion.operands) <= set(names), operator


def test_a_kind_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match=r"'int-to-int' is no kind of promotion: default, no-op"):
        promotes("int-to-int")  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_rounding_of_compared_scalars(dtype: torch.dtype) -> None:
    element = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32"}.get(dtype, "f64")
    draw = random.Random(0)
    numbers = [draw.uniform(-1, 1) * 10.0 ** draw.randint(-46, 40) for _ in range(500)]
    numbers += [0.0, -0.0, 65519.0, 65520.0, 65536.0, 3.4e38, 3.5e38, 1e308, 2.0**-149, 1e-320]
    numbers += [1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-11, float("inf"), float("-inf")]
    for number in numbers:
        wanted = torch.tensor(number, dtype=torch.float64).to(dtype).item()
        assert repr(rounded(number, element)) == repr(wanted), number
    assert rounded(float("nan"), element) != rounded(float("nan"), element)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64])
def test_wrapping_of_scalars(dtype: torch.dtype) -> None:
    element = str(dtype).removeprefix("torch.").replace("uint", "ui").replace("int", "si")
    element = element.replace("usi", "ui")
    for number in (0, -1, 127, 128, 255, 256, 300, -129, 2**31, 2**40 + 5, 2**63 - 1, -(2**63)):
        wanted = torch.tensor(number, dtype=torch.int64).to(dtype).item()
        assert wrapped(number, element) == wanted
