"""Scalars as elements of integer dtypes: as in eager mode, which rejects those out of range.

What differs between versions of PyTorch is refused.
"""

import itertools

import pytest
import torch
import torch_refine
from support.function_module import Function
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
_NUMBERS = (2.75, -8.59, -1, 300, -129, 2**40, 1e30)
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


def _from_ir(model, inputs):
    return torch_refine.compile(torch_refine.import_model(model, inputs))


@pytest.mark.parametrize("compiled_by", [torch_refine.compile, _from_ir], ids=["model", "ir"])
@pytest.mark.parametrize("name", _OPERATORS)
def test_as_in_eager_mode_or_refused(name, compiled_by, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    answers = 0
    for x, number in itertools.product(_TENSORS, _NUMBERS):
        model = Function(lambda x, number=number: _OPERATORS[name](x, number))
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
        torch.testing.assert_close(found, wanted, equal_nan=True)
        answers += 1
    assert answers >= 3
