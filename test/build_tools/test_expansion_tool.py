"""Calls of PyTorch's samples are decomposed one by one as in a whole program."""

import os

import pytest
from torch_refine.build_tools import expansion
from torch_refine.build_tools.expansion import compared, drawn

SEED = int(os.environ.get("TORCH_REFINE_EXPANSION_SEED", "0"))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_calls_agree(dynamic):
    found = [(str(call), compared(call, dynamic)) for call in drawn(20, SEED + dynamic)]
    assert not [each for each in found if each[1].startswith("differs")]
    assert sum(outcome == "equal" for _, outcome in found) >= 10


def test_a_difference_is_seen(monkeypatch):
    (call,) = drawn(1, 3)
    expand = expansion.expand

    def wrong(program, table):
        found = expand(program, table)
        (*_, last) = (node for node in found.graph.nodes if node.op == "call_function")
        last.meta["val"] = last.meta["val"].to(float)
        return found

    assert compared(call) == "equal"
    monkeypatch.setattr(expansion, "expand", wrong)
    assert compared(call).startswith("differs:\n- ")
