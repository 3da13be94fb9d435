"""Out-of-range indices raise, or behave as in eager mode, and corrupt no memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch_refine
from function_module import Function
from index_calls import CASES

SUPPORT = Path(__file__).parents[2] / "support"
LOWERED = Path(__file__).parents[3] / "abstract_interp_lib" / "exported" / "lowered.json"
# Arguments that are indices, for any operator.
INDICES = {"index", "indices", "repeats"}


@pytest.mark.parametrize("sizes", ["static", "dynamic"])
def test_out_of_range_indices(sizes):
    """Runs in a subprocess, which must not crash."""
    command = [sys.executable, str(SUPPORT / "index_calls.py"), sizes]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    lines = done.stdout.splitlines()
    failed = [line for line in lines if line.startswith("FAILED")]
    assert failed == []
    assert done.returncode == 0, "\n".join([*lines[-1:], done.stderr[-2000:]])
    assert len(lines) > 10 * len(CASES)


def _base(operator):
    return operator.removeprefix("aten::").partition(".")[0].rstrip("_")


def _takes_indices(operator):
    packet, _, overload = operator.removeprefix("aten::").partition(".")
    found = getattr(getattr(torch.ops.aten, packet, None), overload or "default", None)
    return found is not None and any(
        each.name in INDICES and "Tensor" in str(each.type) for each in found._schema.arguments
    )


def test_every_operator_that_takes_indices_is_called():
    operators = json.loads(LOWERED.read_text(encoding="utf-8"))["operators"]
    lowered = {_base(name) for name, told in operators.items() if told["equal"]}
    taking = {_base(name) for name in operators if _takes_indices(name)}
    assert lowered & taking <= {case.name for case in CASES}


class Cache(torch.nn.Module):
    """Writes to its inputs and a buffer, at an index that may be out of range."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, keys, values, token, place):
        self.calls += 1
        values[:, 0] += 1
        keys.index_copy_(1, place, token)
        return (keys * values).sum()


def test_failed_check_writes_nothing():
    """All checks precede the writes to inputs and buffers."""
    model = Cache()
    keys, values, token = torch.rand(2, 5, 4), torch.rand(2, 5, 4), torch.rand(2, 1, 4)
    compiled = torch_refine.compile(model, (keys, values, token, torch.tensor([3])))
    before = [keys.clone(), values.clone()]
    for place in (5, 6, -1, 2**62):
        with pytest.raises(RuntimeError, match="index is out of bounds"):
            compiled(keys, values, token, torch.tensor([place]))
    torch.testing.assert_close([keys, values], before, rtol=0, atol=0)
    assert model.calls == 0
    compiled(keys, values, token, torch.tensor([4]))
    assert model.calls == 1
    torch.testing.assert_close(keys[:, 4:], token)


def test_threads_check_indices():
    """A thread cannot return from the function it belongs to."""
    gathering = Function(lambda x, i: torch.relu(x[i] * 2))
    x, i = torch.rand(500, 200), torch.arange(400)
    compiled = torch_refine.compile(gathering, (x, i), threads=2)
    torch.testing.assert_close(compiled(x, i), gathering(x, i))
    i[-1] = 500
    with pytest.raises(RuntimeError, match="index is out of bounds for dimension 0 with size 500"):
        compiled(x, i)


def test_empty_rows_reject_indices():
    """As in eager mode."""
    gathering = Function(lambda x, i: x[i])
    shapes = ({}, {0: torch.export.Dim("count", max=9)})
    x, i = torch.rand(5, 0), torch.tensor([0, 9])
    compiled = torch_refine.compile(gathering, (x, torch.arange(3)), dynamic_shapes=(shapes,))
    assert gathering(x, i).shape == compiled(x, i).shape == (2, 0)
    one = (torch.rand(5, 1), torch.arange(3))
    compiled = torch_refine.compile(gathering, one, dynamic_shapes=(shapes,))
    with pytest.raises(RuntimeError, match="index is out of bounds for dimension 0"):
        compiled(torch.rand(5, 1), i)


class Positions(torch.nn.Module):
    """Rows of a weight at indices that are part of the state, gathered once."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.rand(50, 8))
        self.register_buffer("places", torch.arange(64) % 50)

    def forward(self, x):
        return x + torch.nn.functional.embedding(self.places, self.weight)


def test_what_is_prepared_of_the_state_is_checked():
    model = Positions()
    compiled = torch_refine.compile(model, (torch.rand(64, 8),))
    x = torch.rand(64, 8)
    torch.testing.assert_close(compiled(x), model(x))
    model.places[3] = 50
    with pytest.raises(RuntimeError, match="index is out of bounds for dimension 0 with size 50"):
        compiled(x)
