"""Decompositions of operators that take indices compute what the operators compute."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.importer.index_decompositions import index_decompositions

aten = torch.ops.aten
_LABELS = ([1, 2, -1, -1], [1, -1, 2, 5], [-1, 3, 3, 3], [0, 1, 2, 3], [2, 2, -1, 0])


@pytest.mark.parametrize("reduction", [0, 1, 2])
@pytest.mark.parametrize("labels", [*_LABELS, [_LABELS[0], _LABELS[2], _LABELS[3]]])
def test_labels_behind_the_end_lose_nothing(labels, reduction):
    decomposition = index_decompositions()[aten.multilabel_margin_loss_forward.default]
    target = torch.tensor(labels)
    x = torch.rand(*target.shape[:-1], 6)[..., :4]
    target = target.clamp(max=3)
    expected = aten.multilabel_margin_loss_forward(x, target, reduction)
    torch.testing.assert_close(decomposition(x, target, reduction), expected)


def test_a_loss_with_padded_labels_is_compiled(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    loss = torch.nn.functional.multilabel_margin_loss
    x, target = torch.rand(2, 4), torch.tensor([[1, 2, -1, -1], [-1, 0, 0, 0]])
    compiled = torch_refine.compile(Function(loss), (x, target), opt_level=0)
    for given in (target, torch.full((2, 4), -1), torch.tensor([[0, -1, 3, 3], [3, 2, 1, 0]])):
        torch.testing.assert_close(compiled(x, given), loss(x, given))
    for label in (4, -2):
        with pytest.raises(RuntimeError):
            compiled(x, torch.tensor([[1, label, -1, -1], [-1, 0, 0, 0]]))


@pytest.mark.parametrize("index", [0, 4, 5, 9, -1, -5, -6])
def test_masked_indices_are_clamped(index):
    table = index_decompositions()
    x, mask, values = torch.rand(5, 5), torch.rand(3, 4) > 0.5, torch.rand(3, 4)
    indices = [torch.full((3, 1), index), torch.tensor([[0, 1, -2, 4]])]
    taken = aten._unsafe_masked_index.default
    torch.testing.assert_close(
        table[taken](x, mask, list(indices), -8.0), taken(x, mask, list(indices), -8.0)
    )
    put = aten._unsafe_masked_index_put_accumulate.default
    torch.testing.assert_close(
        table[put](x, mask, list(indices), values), put(x, mask, list(indices), values)
    )
