"""Scalars as elements of dtypes: as in eager mode, which rejects those out of range.

What differs between versions of PyTorch is refused.
"""

import itertools

import pytest
import torch
import torch_refine
from support.function_module import Function
from support.seeded_parts import seeded_part
from torch_refine.importer import ImportModelError

aten = torch.ops.aten
_INDEX = torch.tensor([0, 2])
_MASK = torch.tensor([True, False, True, False])
_TENSORS = (
    torch.tensor([0, 1, 200, 255], dtype=torch.uint8),
    torch.tensor([-128, -3, 0, 127], dtype=torch.int8),
    torch.tensor([-9, -8, 0, 3], dtype=torch.int32),
    torch.tensor([True, False, True, True]),
)
_NUMBERS = (2.75, -8.59, 0.3, -0.7, -1, 300, -129, 2**40, 1e30)
_FLOAT_TENSORS = tuple(
    torch.tensor([-9.0, -8.5, 0, 3]).to(dtype)
    for dtype in (torch.float16, torch.bfloat16, torch.float32)
)
_LARGE = {
    torch.float16: (65504, 65519.9, -1e9),
    torch.bfloat16: (3.3895e38, 1e39),
    torch.float32: (3.402e38, -1e300),
}
_NOT_FINITE = (float("inf"), float("-inf"), float("nan"))
_OPERATORS = {
    "add": lambda x, n: aten.add.Tensor(x, x, alpha=n),
    "addcmul": lambda x, n: aten.addcmul(x, x, x, value=n),
    "addmm": lambda x, n: aten.addmm(*[x.reshape(2, 2)] * 3, alpha=n),
    "addmv": lambda x, n: aten.addmv(x[:2], x.reshape(2, 2), x[:2], beta=n),
    "addr": lambda x, n: aten.addr(x.reshape(2, 2), x[:2], x[:2], alpha=n),
    "baddbmm": lambda x, n: aten.baddbmm(*[x.reshape(1, 2, 2)] * 3, beta=n),
    "bitwise_xor": lambda x, n: aten.bitwise_xor.Scalar(x, n),
    "clamp": lambda x, n: aten.clamp(x, None, n),
    "clamp_min": lambda x, n: aten.clamp_min(x, n),
    "constant_pad_nd": lambda x, n: aten.constant_pad_nd(x, [1, 1], n),
    "fill": lambda x, n: aten.fill.Scalar(x, n),
    "full": lambda x, n: torch.logical_or(x, aten.full([4], n, dtype=x.dtype)),
    "full_like": lambda x, n: aten.full_like(x, n),
    "hardtanh": lambda x, n: aten.hardtanh(x, n, n + 3),
    "index_add": lambda x, n: aten.index_add(x, 0, _INDEX, x[:2], alpha=n),
    "index_fill": lambda x, n: aten.index_fill.int_Scalar(x, 0, _INDEX, n),
    "masked_fill": lambda x, n: aten.masked_fill.Scalar(x, _MASK, n),
    "new_full": lambda x, n: aten.new_full(x, [4], n),
    "pow": lambda x, n: aten.pow.Tensor_Scalar(x, n),
    "rsub": lambda x, n: aten.rsub.Scalar(x, 1, n),
    "scatter": lambda x, n: aten.scatter.value(x, 0, _INDEX, n),
    "sub": lambda x, n: aten.sub.Tensor(x, x, alpha=n),
    "threshold": lambda x, n: aten.threshold(x, n, 3),
    "threshold_backward": lambda x, n: aten.threshold_backward(x, x, n),
    "threshold_value": lambda x, n: aten.threshold(x, 1, n),
    "where": lambda x, n: aten.where.ScalarOther(_MASK, x, n),
}
_OF_FLOATS = {
    "addcdiv": lambda x, n: aten.addcdiv(x, x, x + 1, value=n),
    "celu": aten.celu,
    "elu": aten.elu,
    "hardshrink": aten.hardshrink,
    "leaky_relu": aten.leaky_relu,
    "lerp": lambda x, n: aten.lerp.Scalar(x, x, n),
    "linspace": lambda x, n: x + aten.linspace(0, n, 4, dtype=x.dtype),
    "logit": lambda x, n: aten.logit(x.sigmoid(), n),
    "softplus": lambda x, n: aten.softplus(x, 1, n),
}


def _from_ir(model, inputs):
    return torch_refine.compile(torch_refine.import_model(model, inputs))


def _check(name, operator, cases, compiled_by):
    answers = 0
    for x, number in cases:
        model = Function(lambda x, number=number: operator(x, number))
        try:
            wanted = model(x)
        except RuntimeError:
            wanted = None
        try:
            compiled = compiled_by(model, (x,))
        except (ImportModelError, torch_refine.CompileError):
            continue
        assert wanted is not None, f"{name} of {x.dtype} and {number} raises in eager mode"
        [found] = torch.utils._pytree.tree_leaves(compiled(x.clone()))
        # Whether a sum of products overflows depends on the order.
        is_finite = torch.isfinite(wanted)
        torch.testing.assert_close(found[is_finite], wanted[is_finite])
        assert found.dtype == wanted.dtype
        answers += 1
    assert answers >= 1


@pytest.mark.parametrize("compiled_by", [torch_refine.compile, _from_ir], ids=["model", "ir"])
@pytest.mark.parametrize("name", _OPERATORS)
@pytest.mark.seeded_part(12)
def test_integers_are_as_in_eager_mode_or_refused(name, compiled_by, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    cases = seeded_part(itertools.product(_TENSORS, _NUMBERS), 10)
    _check(name, _OPERATORS[name], cases, compiled_by)


@pytest.mark.parametrize("compiled_by", [torch_refine.compile, _from_ir], ids=["model", "ir"])
def test_a_fraction_is_a_factor_of_bools(compiled_by, monkeypatch):
    """`bool` of a number drops its fraction in TorchScript."""
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    x = torch.tensor([False, True, False, False])
    source = torch.tensor([True, False])
    for number in (0.3, -0.7, 0.0, 1.5):
        model = Function(lambda x, y, n=number: aten.index_add(x, 0, _INDEX, y, alpha=n))
        compiled = compiled_by(model, (x, source))
        torch.testing.assert_close(compiled(x, source), model(x, source))


@pytest.mark.parametrize("compiled_by", [torch_refine.compile, _from_ir], ids=["model", "ir"])
@pytest.mark.parametrize("name", sorted({*_OPERATORS, *_OF_FLOATS} - {"bitwise_xor"}))
@pytest.mark.seeded_part(12)
def test_floats_are_as_in_eager_mode_or_refused(name, compiled_by, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    operator = _OF_FLOATS.get(name) or _OPERATORS[name]
    cases = [(x, n) for x in _FLOAT_TENSORS for n in (*_LARGE[x.dtype], *_NOT_FINITE)]
    _check(name, operator, cases, compiled_by)


@pytest.mark.parametrize("compiled_by", [torch_refine.compile, _from_ir], ids=["model", "ir"])
@pytest.mark.parametrize("name", ["index_fill", "masked_fill"])
def test_elements_of_other_dtypes(name, compiled_by, monkeypatch):
    """A scalar tensor of another dtype is compared where the program runs."""
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    values = [torch.tensor(each) for each in (300, -3, 70000, 2**40)]
    values += [torch.tensor(each) for each in (2.5, 1e5, float("inf"), float("nan"))]
    values += [torch.tensor(each, dtype=torch.float64) for each in (-1e39, 65504.0)]
    raised = 0
    for x, dtype in itertools.product(
        (*_TENSORS, *_FLOAT_TENSORS), (torch.int64, torch.float32, torch.float64)
    ):
        if name == "masked_fill":
            model = Function(lambda x, value: aten.masked_fill.Tensor(x, _MASK, value))
        else:
            model = Function(lambda x, value: aten.index_fill.int_Tensor(x, 0, _INDEX, value))
        of_dtype = [each for each in values if each.dtype == dtype]
        compiled = compiled_by(model, (x, of_dtype[0] * 0))
        for value in of_dtype:
            try:
                wanted = model(x, value)
            except RuntimeError:
                with pytest.raises(RuntimeError, match="representable"):
                    compiled(x, value)
                raised += 1
                continue
            torch.testing.assert_close(compiled(x, value), wanted, equal_nan=True)
    assert raised >= 15
