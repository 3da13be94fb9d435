"""Models that write to their buffers and inputs."""

import numpy as np
import pytest
import torch
import torch_refine
from torch import nn


class Counting(nn.Module):
    """Changes a buffer when it is called."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, inputs):
        self.count += 1
        return inputs + self.count


def test_a_model_may_change_its_buffers():
    model, inputs = Counting(), torch.rand(3)
    compiled = torch_refine.compile(model, (inputs,))
    for count in (1, 2, 3):
        torch.testing.assert_close(compiled(inputs), inputs + count)
    assert model.count.tolist() == [3, 3, 3]


class Cache(nn.Module):
    """Writes to its inputs, as a model that is called for one token after the other."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def forward(self, keys, values, token, place):
        self.calls += 1
        keys.index_copy_(1, place, token)
        values[:, 2:4].mul_(2)
        return (keys @ values.mT).sum() + self.calls


def _tokens():
    keys, values = torch.arange(40.0).view(2, 5, 4), torch.ones(2, 5, 4)
    return keys, values, torch.full((2, 1, 4), -1.0), torch.tensor([3])


def test_a_model_may_write_to_its_inputs():
    model, other = Cache(), Cache()
    compiled = torch_refine.compile(model, _tokens())
    ours, theirs = _tokens(), _tokens()
    for _ in range(3):
        torch.testing.assert_close(compiled(*ours), other(*theirs))
        torch.testing.assert_close(ours, theirs)
    assert model.calls == 3


def test_what_is_written_to_may_lie_anywhere():
    """Of one piece of memory with another input, if no element is in both."""
    _, _, token, place = _tokens()
    # PyTorch exports no program whose examples share memory that is written to.
    one, other, together = (torch.rand(2, 5, 2, 4) for _ in range(3))
    compiled = torch_refine.compile(Cache(), (one[:, :, 0], other[:, :, 1], token, place))
    copy = together.clone()
    found = compiled(together[:, :, 0], together[:, :, 1], token, place)
    torch.testing.assert_close(found, Cache()(copy[:, :, 0], copy[:, :, 1], token, place))
    torch.testing.assert_close(together, copy)


def test_what_is_written_to_may_not_be_another_input():
    keys, values, token, place = _tokens()
    model = Cache()
    compiled = torch_refine.compile(model, (keys, values, token, place))
    before = keys.clone()
    with pytest.raises(ValueError, match="input 1 shares memory with input 0, and the prog"):
        compiled(keys, keys, token, place)
    with pytest.raises(ValueError, match="input 2 shares memory with input 0"):
        compiled(keys, values, keys[:, 1:2], place)
    with pytest.raises(ValueError, match="input 3 shares memory with the model's state"):
        compiled(keys, values, token, model.calls.view(1))
    torch.testing.assert_close(keys, before)
    assert model.calls == 0


def test_arrays_of_numpy_are_written_to():
    class Writing(nn.Module):
        def forward(self, inputs, others):
            return inputs.add_(others).sum()

    compiled = torch_refine.compile(Writing(), (torch.zeros(4), torch.zeros(4)))
    array = np.arange(8, dtype=np.float32)
    assert compiled(array[::2], np.ones(4, np.float32)) == 16
    assert array.tolist() == [1, 1, 3, 3, 5, 5, 7, 7]
    with pytest.raises(ValueError, match="input 1 shares memory with input 0"):
        compiled(array[:4], array[2:6])
