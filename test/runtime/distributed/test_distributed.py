"""Programs of many processes: collectives run in PyTorch, between compiled parts.

Two processes on this machine communicate through gloo. Scenarios are in
`group_process.py`; each compares compiled programs with eager mode.
"""

import json
import operator
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
import torch_refine
from torch import nn
from torch.export import Dim
from torch_refine.abstract_interp_lib.rules.made_cases import process_group
from torch_refine.importer.export import export_program, functional_program
from torch_refine.passes.lowering.exported.collectives import without_written_operands
from torch_refine.runtime.partition.schedule import schedule
from torch_refine.runtime.partition.timed import (
    CommunicationError,
    EagerOperator,
    communications,
    refuse_repetition,
)
from torch_refine.runtime.partition.values import is_communication

pytestmark = pytest.mark.skipif(
    not (dist.is_available() and dist.is_gloo_available()), reason="PyTorch has no gloo"
)

PROCESS = Path(__file__).with_name("group_process.py")
# For all scenarios together; processes that take longer are ended.
SECONDS = 240
SCENARIOS = (
    "tensor_parallel",
    "dtensors",
    "dtensor_training",
    "data_parallel",
    "gradients",
    "sharded",
    "parallel_training",
    "in_place",
    "all_kinds",
    "asynchronous",
)
# The last scenario: the second process ends without a word.
FAILURE = "partner_fails"
# Those whose graphs contain collectives; the others communicate between graphs.
WITH_COLLECTIVES = (
    "tensor_parallel",
    "dtensors",
    "dtensor_training",
    "gradients",
    "parallel_training",
    "in_place",
    "all_kinds",
)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What both processes found in all scenarios, by scenario."""
    folder = tmp_path_factory.mktemp("group")
    results = [folder / f"{rank}.json" for rank in range(2)]
    logs = [folder / f"{rank}.log" for rank in range(2)]
    processes = []
    for rank in range(2):
        command = [sys.executable, PROCESS, str(rank), folder / "store", results[rank]]
        with logs[rank].open("w") as log:
            processes.append(
                subprocess.Popen(
                    [*command, *SCENARIOS, FAILURE],
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=os.environ | {"TORCH_REFINE_CACHE": str(folder / "cache")},
                )
            )
    end = time.monotonic() + SECONDS
    try:
        codes = [process.wait(max(1, end - time.monotonic())) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert codes == [0, 3], "\n".join(log.read_text()[-2000:] for log in logs)
    return [json.loads(each.read_text()) for each in results]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_compiled_programs_compute_what_eager_mode_does(found, scenario):
    for process in found:
        assert process[scenario]["error"] is None, process[scenario]["error"]
        eager = [said for said in process[scenario]["said"] if "runs eagerly" in said]
        assert not eager, "the graphs are compiled"
        # The others call `torch_refine.compile`.
        if scenario not in ("tensor_parallel", "in_place"):
            assert process[scenario]["graphs"] >= 1, "PyTorch passes graphs to the backend"


@pytest.mark.parametrize("scenario", WITH_COLLECTIVES)
def test_only_collectives_need_pytorch(found, scenario):
    for process in found:
        said = [each for each in process[scenario]["said"] if "run in PyTorch" in each]
        assert any("_c10d_functional." in each for each in said)
        for each in said:
            for kind in each.partition(": ")[2].split("; "):
                name, _, reason = kind.partition(": ")
                if name.startswith("_c10d_functional."):
                    assert reason == "torch.distributed exchanges tensors between processes"
                elif name != "…":
                    assert reason == "a call of compiled code would take longer", each


def test_the_report_names_the_collectives(found):
    for process in found:
        report = process["tensor_parallel"]["value"]
        assert "_c10d_functional.all_reduce.default" in report
        assert "torch.distributed exchanges tensors between processes" in report


def test_a_process_whose_partner_ends_gets_an_error(found):
    first, second = found
    assert FAILURE not in second
    assert first[FAILURE]["error"] is None, first[FAILURE]["error"]
    message, seconds = first[FAILURE]["value"]
    assert message
    assert seconds < 60


class _Independent(nn.Module):
    """The last collective needs no compiled operator, so it could start before the second."""

    def forward(self, x):
        group = str(process_group(2))
        ops = torch.ops._c10d_functional
        first = ops.wait_tensor(ops.all_reduce(x, "sum", group))
        second = ops.wait_tensor(ops.all_reduce(first.exp().sin(), "sum", group))
        last = ops.wait_tensor(ops.broadcast(x, 0, group))
        return second.cos() + last


def _collectives(nodes):
    return [node.target._opname for node in nodes if is_communication(node)]


def test_collectives_keep_their_order():
    process_group(2).make()
    program = functional_program(export_program(_Independent(), (torch.rand(4),), {}, None))
    nodes = [node for node in program.graph.nodes if node.op == "call_function"]
    eager = set(filter(is_communication, nodes))
    steps = schedule(nodes, eager)
    ordered = [node for step in steps for node in step.nodes]
    expected = [*["all_reduce", "wait_tensor"] * 2, "broadcast", "wait_tensor"]
    assert _collectives(nodes) == expected
    assert _collectives(ordered) == expected


class _Discarded(nn.Module):
    """Collectives whose results nothing uses: other processes still take part."""

    def forward(self, x):
        group = str(process_group(2))
        ops = torch.ops._c10d_functional
        for _ in range(2):
            ops.wait_tensor(ops.all_reduce(x, "sum", group))
        return x.exp()


def test_unused_and_equal_collectives_are_kept():
    process_group(2).make()
    program = functional_program(export_program(_Discarded(), (torch.rand(4),), {}, None))
    assert _collectives(program.graph.nodes) == ["all_reduce", "wait_tensor"] * 2


def test_an_imported_program_has_the_collectives_as_operators():
    process_group(2).make()
    module = torch_refine.import_model(
        _Independent(), (torch.rand(4),), dynamic_shapes=({0: Dim("n", min=2)},)
    )
    report = torch_refine.refine(module)
    lines = [line for line in str(module).splitlines() if "torch.operator" in line]
    names = [line.partition('"torch._c10d_functional.')[2].partition('"')[0] for line in lines]
    assert names == [*["all_reduce", "wait_tensor"] * 2, "broadcast", "wait_tensor"]
    assert all("-> !torch.vtensor<[?],f32>" in line for line in lines)
    assert not report.unrefined


class _Writing(nn.Module):
    """Collectives that write to one tensor, to several, and to `out=`."""

    def forward(self, x):
        group = str(process_group(2))
        ops = torch.ops._c10d_functional
        one, two, out = x.exp(), x.sin(), x.new_empty(8)
        ops.wait_tensor(ops.broadcast_(one, 0, group))
        first, second = ops.all_reduce_coalesced_([one, two], "max", group)
        ops.wait_tensor(first)
        ops.wait_tensor(second)
        ops.wait_tensor(ops.all_gather_into_tensor_out(one, 2, group, out=out))
        return one, two, out


def test_written_operands_become_copies():
    process_group(2).make()
    program = export_program(_Writing(), (torch.rand(4),), {}, None)
    before = str(program.graph)
    module = without_written_operands(program.graph_module)
    names = [name for name in _collectives(module.graph.nodes) if name != "wait_tensor"]
    assert names == ["broadcast", "all_reduce_coalesced", "all_gather_into_tensor"]
    assert str(program.graph) == before, "the program is not modified"
    given = torch.rand(4)
    with torch.no_grad():
        for mine, theirs in zip(module(given), program.module()(given), strict=True):
            torch.testing.assert_close(mine, theirs)
    functional = functional_program(program)
    assert not any(
        node.target._schema.is_mutable
        for node in functional.graph.nodes
        if node.op == "call_function" and node.target is not operator.getitem
    )


def test_a_program_without_written_operands_is_unchanged():
    module = torch.fx.symbolic_trace(nn.ReLU())
    assert without_written_operands(module) is module


def test_no_collective_is_run_twice():
    """After a collective, an error is final: the other processes do not repeat it."""
    plain = EagerOperator(torch.relu, "", None)
    before = communications.started
    plain(torch.ones(2))
    refuse_repetition(before, TypeError("a part"))
    collective = EagerOperator(torch.relu, "", None, communicates=True)
    collective(torch.ones(2))
    with pytest.raises(CommunicationError, match="after a collective: a part"):
        refuse_repetition(before, TypeError("a part"))


class _Changing(nn.Module):
    """An operator that returns another dtype than its fake kernel says, after a collective."""

    def forward(self, x):
        ops = torch.ops._c10d_functional
        reduced = ops.wait_tensor(ops.all_reduce(x, "sum", str(process_group(2))))
        return (_changed(reduced).exp().sin() * 2).cos()


@torch.library.custom_op("distributed_test::changed", mutates_args=())
def _changed(x: torch.Tensor) -> torch.Tensor:
    return x.double()


@_changed.register_fake
def _(x):
    return torch.empty_like(x)


def test_a_part_that_fails_after_a_collective_is_final():
    process_group(2).make()
    torch._dynamo.reset()
    with torch.no_grad():
        compiled = torch.compile(_Changing(), backend="torch_refine")
        with pytest.raises(CommunicationError):
            compiled(torch.rand(4))
